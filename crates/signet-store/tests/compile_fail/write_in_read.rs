//! What holds a snapshot cannot write: no function that writes takes a `ReadTx` (INV-6).

fn writes_a_value(reader: signet_store::Reader) {
    let _ = reader.read_blocking(|tx| signet_store::control::meta::set(tx, "key", &serde_json::json!(1)));
}

fn runs_a_statement(reader: signet_store::Reader) {
    let _ = reader.read_blocking(|tx| tx.execute("DELETE FROM memories", []));
}

fn main() {}
