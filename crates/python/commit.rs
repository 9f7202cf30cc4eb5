//! The git commit that the core is compiled from.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const DIRTY: &str = "-dirty";

/// A commit, and the files with which it may change.
pub struct Commit {
    /// First twelve digits, with `-dirty` if a source of the core differs from the commit.
    ///
    /// Other files may change without another build, so `commit.py` compares them with the commit
    /// when a run asks for it.
    pub name: String,
    /// Sources of the core, and files of git that change with the commit.
    pub watched: Vec<PathBuf>,
}

/// The commit of a checkout; none without a checkout, without a commit, or without git.
pub fn of(tree: &Path) -> Option<Commit> {
    // The sources may have been unpacked within a checkout of another project.
    if !tree.join(".git").exists() {
        return None;
    }
    let digits = answer(git(tree, &["rev-parse", "--short=12", "HEAD"])?)?;
    let sources = sources();
    let mut compare = vec!["diff", "--quiet", "HEAD", "--"];
    compare.extend(sources.iter().map(String::as_str));
    let is_clean = git(tree, &compare)?.status.success();

    let mut watched: Vec<_> = sources.iter().map(|source| tree.join(source)).collect();
    // The log of `HEAD` grows with each commit, checkout and reset; git need not keep it.
    for name in ["logs/HEAD", "HEAD"] {
        watched.push(tree.join(answer(git(tree, &["rev-parse", "--git-path", name])?)?));
    }
    // Cargo takes a file that does not exist for one that has changed.
    watched.retain(|path| path.exists());
    Some(Commit {
        name: format!("{digits}{}", if is_clean { "" } else { DIRTY }),
        watched,
    })
}

/// Files and folders that the core is compiled from.
fn sources() -> Vec<String> {
    let of_crates = ["kernel", "parameters", "models", "scenario", "python"]
        .map(|name| ["src", "Cargo.toml"].map(|source| format!("crates/{name}/{source}")));
    let others = ["crates/python/build.rs", "Cargo.toml", "Cargo.lock"].map(String::from);
    [of_crates.as_flattened(), &others].concat()
}

/// The output of git; none if git is not installed.
fn git(tree: &Path, arguments: &[&str]) -> Option<Output> {
    let mut command = Command::new("git");
    // Without `--no-optional-locks`, git would write its index.
    command.arg("--no-optional-locks").args(arguments);
    // A hook of git that starts the build sets these for a checkout of its own.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.current_dir(tree).output().ok()
}

fn answer(of_git: Output) -> Option<String> {
    let text = String::from_utf8(of_git.stdout).ok()?;
    of_git.status.success().then(|| text.trim().to_string())
}
