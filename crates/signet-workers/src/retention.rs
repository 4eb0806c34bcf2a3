//! The retention sweep: purges what was forgotten more than 30 days ago, step by step on the
//! writer's upkeep lane.

use std::time::Duration;

use signet_store::control::agents;
use signet_store::evidence::memory::retention::sweep_step;
use signet_store::{Reader, Result, Writer};
use tokio_util::sync::CancellationToken;

/// Pause after the start of the daemon, which has better things to do first.
const FIRST: Duration = Duration::from_mins(1);
/// Pause between two sweeps.
const PAUSE: Duration = Duration::from_hours(6);

/// Sweeps now and then until the daemon ends. A sweep that fails is told and tried again next time.
pub async fn run(reader: Reader, writer: Writer, stop: CancellationToken) {
    let mut pause = FIRST;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(pause) => {}
        }
        pause = PAUSE;
        match sweep(&reader, &writer, &stop).await {
            Ok(0) => {}
            Ok(purged) => tracing::info!(purged, "memories whose time to recover was over are purged"),
            Err(failure) => tracing::warn!("the retention sweep ended early: {failure}"),
        }
    }
}

/// Goes through all agents once and answers the number of purged memories.
pub async fn sweep(reader: &Reader, writer: &Writer, stop: &CancellationToken) -> Result<usize> {
    let writer = writer.upkeep();
    let mut purged = 0;
    for agent in reader.read(agents::ids).await? {
        while !stop.is_cancelled() {
            let agent = agent.clone();
            let step = writer.write(move |tx| sweep_step(tx, &agent)).await?;
            purged += step;
            if step == 0 {
                break;
            }
        }
    }
    Ok(purged)
}

#[cfg(test)]
mod tests {
    use signet_model::memory::forget::Force;
    use signet_model::memory::outcome::Remembered;
    use signet_model::memory::{Draft, Guardrails, Warrant, prepare};
    use signet_model::{Actor, AgentScope};
    use signet_store::evidence::memory::forget::forget;
    use signet_store::evidence::memory::remember::remember;
    use signet_store::testing::TestStore;

    use super::*;

    async fn forgotten(store: &TestStore, agent: &str) {
        let scope = AgentScope::granted(agent.into(), None, None);
        let draft = Draft { content: format!("{agent} said this"), ..Draft::default() };
        let prepared = prepare(draft, Guardrails::default()).expect("is a memory");
        let work = move |tx: &signet_store::WriteTx<'_>| {
            let person = Actor::person("ana");
            let Remembered::One(one) = remember(tx, &scope, &person, &prepared)? else { return Ok(()) };
            forget(tx, &scope, &person, (&one.id, Force::No), &Warrant::because("test")).map(drop)
        };
        store.writer().write(work).await.expect("is forgotten");
    }

    #[tokio::test]
    async fn every_agents_overdue_rows_are_purged_and_a_stop_ends_it() {
        let store = TestStore::new();
        for agent in ["default", "mira", "zoe"] {
            forgotten(&store, agent).await;
        }
        let (reader, writer) = (store.reader(), store.writer());
        let (stop, ended) = (CancellationToken::new(), CancellationToken::new());
        ended.cancel();
        assert_eq!(sweep(&reader, &writer, &stop).await.expect("runs"), 0, "the window is open");
        store.clock.advance_days(31);
        assert_eq!(sweep(&reader, &writer, &ended).await.expect("runs"), 0, "the daemon ends");
        assert_eq!(sweep(&reader, &writer, &stop).await.expect("runs"), 3);
        assert_eq!(store.number("SELECT count(*) FROM memories"), 0);
    }

    #[tokio::test]
    async fn it_ends_with_the_daemon() {
        let store = TestStore::new();
        let stop = CancellationToken::new();
        stop.cancel();
        run(store.reader(), store.writer(), stop).await;
    }
}
