//! A client that measures: one kept connection, HTTP/1.1, JSON bodies, nothing between the caller and the wire.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// Longest silence of the daemon.
const SILENCE: Duration = Duration::from_mins(2);

/// A connection to the daemon.
#[derive(Debug)]
pub(crate) struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

/// An answer: its status, and its body as JSON.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Client {
    /// Connects to a daemon on this machine.
    pub(crate) fn connect(port: u16) -> Result<Self> {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))
            .with_context(|| format!("connecting to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        Ok(Self { address, stream: BufReader::new(stream) })
    }

    /// `GET path`.
    pub(crate) fn get(&mut self, path: &str) -> Result<Answer> {
        self.request("GET", path, "")
    }

    /// `POST path` with a JSON body.
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Result<Answer> {
        self.request("POST", path, &body.to_string())
    }

    /// `POST path`, and its body when it was accepted; else an error that holds the daemon's own words.
    pub(crate) fn post_ok(&mut self, path: &str, body: &Value) -> Result<Value> {
        let answer = self.post(path, body)?;
        ensure!(answer.status / 100 == 2, "POST {path} answered {}: {}", answer.status, answer.body);
        Ok(answer.body)
    }

    fn request(&mut self, method: &str, path: &str, body: &str) -> Result<Answer> {
        // One write, so that no packet waits for another's acknowledgement.
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.answer().with_context(|| format!("{method} {path}"))
    }

    fn answer(&mut self) -> Result<Answer> {
        let status_line = self.line()?;
        let status = status_line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .with_context(|| format!("no status in {status_line:?}"))?;
        let mut length = None;
        let mut chunked = false;
        loop {
            let line = self.line()?.to_ascii_lowercase();
            match line.split_once(':').map(|(name, value)| (name, value.trim())) {
                None => break,
                Some(("content-length", value)) => length = Some(value.parse()?),
                Some(("transfer-encoding", value)) => chunked = value == "chunked",
                Some(_) => {}
            }
        }
        let body = match (length, chunked) {
            (_, true) => self.chunks()?,
            (Some(length), false) => self.bytes(length)?,
            (None, false) => bail!("an answer without a length"),
        };
        let body = if body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&body).context("reading JSON")?
        };
        Ok(Answer { status, body })
    }

    /// A line without its end; an empty one when the head is over.
    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.stream.read_line(&mut line)? > 0, "the daemon closed the connection");
        Ok(line.trim_end().to_owned())
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let size = self.line()?;
            let length = usize::from_str_radix(size.split(';').next().unwrap_or_default(), 16)
                .context("chunk size")?;
            body.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use serde_json::json;

    use super::*;

    /// A server that reads one request and gives one fixed answer.
    fn answering(answer: &'static str) -> Result<(u16, thread::JoinHandle<String>)> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let served = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).expect("a request");
            stream.write_all(answer.as_bytes()).expect("answered");
            String::from_utf8_lossy(&request[..length]).into_owned()
        });
        Ok((port, served))
    }

    #[test]
    fn a_request_is_whole_and_its_answer_is_read() -> Result<()> {
        let (port, served) = answering("HTTP/1.1 201 Created\r\nContent-Length: 7\r\n\r\n{\"a\":1}")?;
        let answer = Client::connect(port)?.post("/api/x", &json!({"b": 2}))?;
        assert_eq!((answer.status, answer.body), (201, json!({"a": 1})));
        let request = served.join().expect("served");
        assert!(request.starts_with("POST /api/x HTTP/1.1\r\nhost: 127.0.0.1:"), "{request}");
        assert!(request.ends_with("content-length: 7\r\n\r\n{\"b\":2}"), "{request}");
        Ok(())
    }

    #[test]
    fn chunks_are_put_together() -> Result<()> {
        let (port, _served) = answering(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[1\r\n3;x\r\n,2]\r\n0\r\n\r\n",
        )?;
        assert_eq!(Client::connect(port)?.get("/")?.body, json!([1, 2]));
        Ok(())
    }

    #[test]
    fn a_refusal_is_an_error_with_the_daemons_words() -> Result<()> {
        let (port, _served) =
            answering("HTTP/1.1 400 Bad Request\r\ncontent-length: 15\r\n\r\n{\"error\":\"why\"}")?;
        let error = Client::connect(port)?.post_ok("/api/x", &json!({})).map_err(|error| error.to_string());
        assert_eq!(error, Err("POST /api/x answered 400: {\"error\":\"why\"}".to_owned()));
        Ok(())
    }
}
