# What the scripts of this repository need from the machine. Sourced, not run.
#
# Only a Rust toolchain and a C compiler; SQLite, the vector extension and the model are in the
# repository or in the crates. Tools of our own are built from pinned crates into target/tools.

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# Pinned, so that the gate gives the same answer tomorrow.
NEXTEST_VERSION=0.9.143
DENY_VERSION=0.20.2
TOOLS="$PWD/target/tools"
PATH="$TOOLS/bin:$PATH"

need_rust() {
  command -v cargo >/dev/null 2>&1 || [ ! -x "$HOME/.cargo/bin/cargo" ] || PATH="$HOME/.cargo/bin:$PATH"
  command -v cargo >/dev/null 2>&1 || fail "no Rust toolchain: install Rust 1.95 or newer (rustup), then run this again"
  local found wanted
  found=$(rustc --version | cut -d' ' -f2)
  wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n1)" = "$wanted" ] ||
    fail "Rust $found is too old: Signet needs $wanted (rustup update)"
}

# SQLite and zstd are compiled from source, which takes a C compiler and nothing else.
need_cc() {
  command -v cc >/dev/null 2>&1 && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing a C compiler"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null
  fi
  command -v cc >/dev/null 2>&1 || fail "no C compiler: install gcc and the C library's headers (Debian: apt-get install gcc libc6-dev), then run this again"
}

# need_tool NAME VERSION: a cargo subcommand, of whatever version is there, else built from its crate.
need_tool() {
  command -v "$1" >/dev/null 2>&1 && return
  say "building $1 $2 (a few minutes, once)"
  cargo install --quiet --locked --root "$TOOLS" --version "$2" "$1"
}
