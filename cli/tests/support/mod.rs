//! The program in a folder of its own, as its users run it.
#![allow(dead_code, reason = "no test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes with the test.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    /// Files by their path in the folder.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let this = Self(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            let path = this.path(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        this
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    /// What the program says when it is started in the folder.
    pub fn run(&self, args: &[&str]) -> Output {
        run(self.0.path(), args)
    }
}

/// The program, about to start in `here`.
pub fn kitsoki(here: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kitsoki"));
    command.args(args).current_dir(here);
    command
}

/// What the program says when it is started in `here`.
pub fn run(here: &Path, args: &[&str]) -> Output {
    kitsoki(here, args).output().expect("the program runs")
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
