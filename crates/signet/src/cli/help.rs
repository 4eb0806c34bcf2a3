//! Examples under the help of each level.

/// `signet --help`.
pub(crate) const ROOT: &str = "\
Examples:
  signet setup                                           set up ~/.agents and start the daemon
  signet remember \"We deploy on Friday afternoons\"       store a memory
  signet recall \"when do we release?\"                    find it by meaning

Every command has its own help: signet recall --help";

/// `signet setup --help`.
pub(crate) const SETUP: &str = "\
Examples:
  signet setup                         at most six questions on a terminal, none elsewhere
  signet setup --dry-run               show what would be written
  signet setup --non-interactive --name ada

Only missing files are written; run it again at any time.";

/// `signet remember --help`.
pub(crate) const REMEMBER: &str = "\
Examples:
  signet remember \"Ada prefers tabs\"
  signet remember --type decision --tags db,infra \"We use SQLite\"
  git log -1 --format=%B | signet remember -
  signet remember @notes.md

The project is the git repository around the current folder (its main repository when it is a worktree), else
the folder. --global-project stores without a project.";

/// `signet recall --help`.
pub(crate) const RECALL: &str = "\
Examples:
  signet recall \"how do we ship?\"
  signet recall -l 3 --type decision database
  signet recall --explain \"editor settings\"     what each channel and stage did
  signet recall --why-not 0199c3 tabs             why that memory is not among the results

All projects are searched unless --project names one; `--project .` is the current one.";

/// `signet memory --help`.
pub(crate) const MEMORY: &str = "\
Examples:
  signet memory list -l 20
  signet memory show 0199c3
  signet memory edit 0199c3 --content \"Deploys run on Mondays\" --reason \"changed in May\"
  signet memory forget 0199c3

An id may be cut to any prefix of at least six characters that fits one memory.";

/// `signet doctor --help`.
pub(crate) const DOCTOR: &str = "\
Exit code 0 = nothing to do, 8 = warnings or errors. Each finding has a line that says what to do.";

/// `signet daemon --help`.
pub(crate) const DAEMON: &str = "\
Examples:
  signet daemon start
  signet daemon status
  signet daemon logs -f

`signet start`, `stop`, `restart` and `logs` are short for these. Commands that need the daemon start it by
themselves, unless it was stopped with `signet daemon stop`.";

/// `signet config --help`.
pub(crate) const CONFIG: &str = "\
Examples:
  signet config check
  signet config show --origin
  signet config get embedding.provider";

/// `signet token --help`.
pub(crate) const TOKEN: &str = "\
Examples:
  signet token create --role readonly --scope project=/home/ada/web --ttl 7d
  signet token list

On the machine itself the first token needs no credential: being able to read the workspace's secret is enough.";

/// `signet completions --help`.
pub(crate) const COMPLETIONS: &str = "\
Examples:
  signet completions bash > ~/.local/share/bash-completion/completions/signet
  signet completions zsh  > ~/.zfunc/_signet
  signet completions fish > ~/.config/fish/completions/signet.fish";
