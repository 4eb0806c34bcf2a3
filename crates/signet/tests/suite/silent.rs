//! Clients before a daemon that is slow, hung, or no daemon at all: four different messages.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;

use crate::support::{Home, Said};

/// A listener, and a thread that answers each connection with `answer` until the listener is told to end.
fn scripted(answer: &'static str) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 1024];
            let read = stream.read(&mut head).unwrap_or(0);
            if head[..read].starts_with(b"STOP") {
                return;
            }
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (url, thread)
}

#[test]
fn slow_is_waited_for() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answers = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut head = [0; 1024];
        let _ = stream.read(&mut head).unwrap();
        // The test is the client: it has asked, and is made to wait before the answer comes.
        let (_waits, never) = std::sync::mpsc::channel::<()>();
        let _ = never.recv_timeout(std::time::Duration::from_millis(700));
        let body = r#"{"mode":"local","effectiveAccess":"full"}"#;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    });
    let said = Home::new().signet(&["--url", &url, "token", "whoami"]);
    answers.join().unwrap();
    assert!(said.ok().contains("access       full"), "{said:?}");
}

fn stop(url: &str, thread: JoinHandle<()>) {
    let mut stream = std::net::TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    stream.write_all(b"STOP").unwrap();
    thread.join().unwrap();
}

fn code(said: &Said) -> String {
    said.json()["code"].as_str().unwrap().to_owned()
}

#[test]
fn nobody_there_is_stopped() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let said = Home::new().signet(&["--json", "--url", &url, "token", "whoami"]);
    assert_eq!((said.code, code(&said).as_str()), (7, "daemon_stopped"));
    // Nothing is known about an address that a person named, whatever happened to this workspace's daemon.
    let home = Home::new();
    home.write(".daemon/stopped", "");
    let human = home.signet(&["--url", &url, "recall", "x"]);
    assert!(human.err.contains("is the address right?") && !human.err.contains("daemon stop"), "{human:?}");
}

#[test]
fn somebody_silent_is_not_answering_and_never_stopped() {
    // The backlog takes the connection; nobody ever reads it.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let home = Home::new();
    let said = home.signet(&["--json", "--url", &url, "--timeout", "200ms", "token", "whoami"]);
    assert_eq!((said.code, code(&said).as_str()), (7, "daemon_not_answering"));
    let human = home.signet(&["--url", &url, "--timeout", "200ms", "token", "whoami"]);
    assert!(human.err.contains("did not answer within") && human.err.contains("restart"), "{human:?}");
    drop(silent);
}

#[test]
fn another_program_is_named_so() {
    let (url, thread) = scripted("HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello");
    let said = Home::new().signet(&["--json", "--url", &url, "token", "whoami"]);
    stop(&url, thread);
    assert_eq!((said.code, code(&said).as_str()), (7, "not_signet"));
}

#[test]
fn a_daemon_of_another_major_version_is_refused() {
    let (url, thread) = scripted(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 36\r\nconnection: close\r\n\r\n{\"version\":\"9.0.0\",\"status\":\"ready\"}",
    );
    let said = Home::new().signet(&["--url", &url, "status"]);
    stop(&url, thread);
    assert_eq!(said.code, 7, "{said:?}");
    assert!(
        said.err.contains("the daemon has version 9.0.0") && said.err.contains("daemon restart"),
        "{said:?}"
    );
}
