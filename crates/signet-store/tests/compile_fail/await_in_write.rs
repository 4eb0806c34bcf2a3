//! A provider call cannot run inside a transaction: the closure of a write cannot await (INV-1).

async fn provider_call() -> i64 {
    1
}

async fn waits_inside(writer: signet_store::Writer) {
    let _ = writer.write(|_tx| Ok(provider_call().await)).await;
}

async fn returns_a_future(writer: signet_store::Writer) {
    let _ = writer.write(|_tx| async { Ok(provider_call().await) }).await;
}

fn main() {}
