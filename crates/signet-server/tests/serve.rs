//! The server over real sockets: two protocols, several listeners, an orderly end.
#![expect(clippy::expect_used, reason = "tests")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use signet_server::ServerConfig;
use signet_server::testing::{Setup, TestServer};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// Longest wait for something that is bound to come.
const PATIENCE: Duration = Duration::from_secs(20);

struct Running {
    server: TestServer,
    addresses: Vec<SocketAddr>,
    serving: JoinSet<std::io::Result<()>>,
}

async fn start(listeners: usize) -> Running {
    start_with(listeners, Setup::default()).await
}

async fn start_with(listeners: usize, setup: Setup) -> Running {
    let server = TestServer::with(setup).await;
    let mut bound = Vec::new();
    for _ in 0..listeners {
        bound.push(TcpListener::bind("127.0.0.1:0").await.expect("a free port"));
    }
    let addresses = bound.iter().map(|listener| listener.local_addr().expect("address")).collect();
    let state = Arc::clone(&server.state);
    let mut serving = JoinSet::new();
    serving.spawn(signet_server::serve(state, bound, Duration::from_secs(5)));
    Running { server, addresses, serving }
}

impl Running {
    async fn stop(mut self) {
        self.server.state.gate.life.soft.cancel();
        let ended = tokio::time::timeout(PATIENCE, self.serving.join_next()).await.expect("it ends");
        ended.expect("one task").expect("no panic").expect("no failure");
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("connected");
    stream.set_read_timeout(Some(PATIENCE)).expect("timeout");
    stream
}

/// Sends bytes and reads until the other end closes.
async fn exchange(address: SocketAddr, request: String) -> String {
    let exchange = move || {
        let mut stream = connect(address);
        stream.write_all(request.as_bytes()).expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("read");
        text
    };
    tokio::task::spawn_blocking(exchange).await.expect("no panic")
}

fn get(path: &str, host: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")
}

#[tokio::test]
async fn every_listener_serves_and_the_peer_is_known() {
    let running = start(2).await;
    for address in running.addresses.clone() {
        let text = exchange(address, get("/health", &address.to_string())).await;
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        assert!(text.contains("agentsDir"), "a loopback peer is told the folder: {text}");
        let text = exchange(address, get("/health", "evil.example")).await;
        assert!(text.starts_with("HTTP/1.1 403") && text.contains("host_not_allowed"), "{text}");
    }
    running.stop().await;
}

#[tokio::test]
async fn http2_is_spoken_without_tls() {
    let running = start(1).await;
    let address = running.addresses[0];
    let hello = move || {
        let mut stream = connect(address);
        // The preface and an empty SETTINGS frame (RFC 9113, 3.4); the answer begins with SETTINGS.
        stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").expect("sent");
        let mut frame = [0_u8; 9];
        stream.read_exact(&mut frame).expect("a frame");
        frame[3]
    };
    assert_eq!(tokio::task::spawn_blocking(hello).await.expect("no panic"), 4);
    running.stop().await;
}

#[tokio::test]
async fn a_doubled_host_and_a_chunked_body_over_the_limit_are_refused() {
    let running = start(1).await;
    let address = running.addresses[0];
    let doubled = "GET /health HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let text = exchange(address, doubled.to_owned()).await;
    assert!(text.starts_with("HTTP/1.1 400"), "{text}");
    let chunk = "x".repeat(0x0010_0001);
    let chunked = format!(
        "POST /api/auth/handoff HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         transfer-encoding: chunked\r\n\r\n100001\r\n{chunk}\r\n0\r\n\r\n"
    );
    let text = exchange(address, chunked).await;
    assert!(text.starts_with("HTTP/1.1 413") && text.contains("\"limitBytes\":1048576"), "{text}");
    running.stop().await;
}

#[tokio::test]
async fn an_idle_connection_does_not_hold_up_the_end() {
    let running = start(1).await;
    let address = running.addresses[0];
    let idle = tokio::task::spawn_blocking(move || {
        let mut stream = connect(address);
        stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("sent");
        let mut byte = [0_u8; 1];
        stream.read_exact(&mut byte).expect("an answer begins");
        stream
    });
    let stream = idle.await.expect("no panic");
    running.stop().await;
    drop(stream);
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}

#[tokio::test]
async fn a_body_that_does_not_come_is_refused_in_time() {
    let base = Setup::default();
    let config = ServerConfig { deadline: Duration::from_millis(50), ..base.config };
    let running = start_with(1, Setup { config, ..base }).await;
    let request = "POST /api/auth/handoff HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\
         connection: close\r\n\r\n";
    let text = exchange(running.addresses[0], request.to_owned()).await;
    assert!(text.starts_with("HTTP/1.1 400") && text.contains("did not come"), "{text}");
    running.stop().await;
}
