//! An embedding server on loopback that answers at once: an OpenAI-compatible `/v1/embeddings` whose
//! vectors follow from the words of a text. It stands in for a fast provider while rows are loaded.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::text::Rng;

/// Length of a vector, that of the native model.
pub(super) const DIMENSIONS: usize = 384;

/// Serves until the process ends, and says on which port.
pub(super) fn start() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection that breaks off ends its own thread and nothing else.
            std::thread::spawn(move || drop(serve(stream)));
        }
    });
    Ok(port)
}

fn serve(stream: TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let mut known = HashMap::new();
    while let Some(body) = request_body(&mut stream)? {
        let request: Value = serde_json::from_slice(&body).context("reading a request")?;
        let answer = answer(&request, &mut known).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        stream.get_mut().write_all((head + &answer).as_bytes())?;
    }
    Ok(())
}

/// The body of the next request; `None` when the caller is gone.
fn request_body(stream: &mut BufReader<TcpStream>) -> Result<Option<Vec<u8>>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.is_empty() {
            let mut body = vec![0; length];
            stream.read_exact(&mut body)?;
            return Ok(Some(body));
        }
    }
}

fn answer(request: &Value, known: &mut HashMap<String, Vec<f32>>) -> Value {
    let texts: Vec<&str> = match &request["input"] {
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    };
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(text, known)}))
        .collect();
    json!({"object": "list", "model": request["model"], "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}})
}

/// The normalised sum of the vectors of the words, so that texts that share words are near.
fn vector(text: &str, known: &mut HashMap<String, Vec<f32>>) -> Vec<f32> {
    let mut sum = vec![0.0_f32; DIMENSIONS];
    for word in text.split_whitespace() {
        let vector = known.entry(word.to_owned()).or_insert_with(|| word_vector(word));
        sum.iter_mut().zip(vector).for_each(|(sum, part)| *sum += *part);
    }
    let length = sum.iter().map(|part| part * part).sum::<f32>().sqrt();
    if length > 0.0 {
        for part in &mut sum {
            *part /= length;
        }
    } else {
        sum[0] = 1.0;
    }
    sum
}

fn word_vector(word: &str) -> Vec<f32> {
    let seed = word.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01B3)
    });
    let mut rng = Rng::new(seed);
    // Sums of three uniform numbers are near enough to normal ones.
    (0..DIMENSIONS)
        .map(|_| (0..3).map(|_| (rng.next() >> 40) as f32 / (1_u64 << 24) as f32 - 0.5).sum())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::http::Client;

    fn cosine(a: &str, b: &str) -> f32 {
        let mut known = HashMap::new();
        let (a, b) = (vector(a, &mut known), vector(b, &mut known));
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn texts_that_share_words_are_near() {
        assert!((cosine("tea and bread", "tea and bread") - 1.0).abs() < 1e-5);
        assert!(cosine("tea and bread", "Tea and cheese") > 0.5);
        assert!(cosine("tea and bread", "storm over harbour").abs() < 0.3);
        assert!((cosine("", "") - 1.0).abs() < 1e-5, "no text has a vector too");
    }

    #[test]
    fn it_answers_as_an_openai_server_does() -> Result<()> {
        let mut client = Client::connect(start()?)?;
        for _ in 0..2 {
            let body = client.post_ok("/v1/embeddings", &json!({"model": "m", "input": ["a", "b"]}))?;
            let data = body["data"].as_array().cloned().unwrap_or_default();
            assert_eq!((data.len(), &data[1]["index"], &body["model"]), (2, &json!(1), &json!("m")));
            assert_eq!(data[0]["embedding"].as_array().map(Vec::len), Some(DIMENSIONS));
        }
        Ok(())
    }
}
