//! The guarded shell: one command at a time, without a shell behind it, under a profile (dispatch 11.2).
//!
//! The profile of the reference lets several reading programs write through their options; those are refused here.

/// What a profile allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Profile {
    /// Programs that look and do not touch.
    ReadOnly,
    /// These programs, with any arguments.
    Commands(Vec<String>),
    /// Any program, in this folder.
    SandboxedWrite(String),
}

impl Profile {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Commands(_) => "commands",
            Self::SandboxedWrite(_) => "sandboxed-write",
        }
    }

    /// The words of a command that may run.
    ///
    /// # Errors
    ///
    /// Why it may not, in words that an agent can learn from.
    pub fn check(&self, command: &str) -> Result<Vec<String>, String> {
        if let Some(c) = command.chars().find(|c| ";|&`$(){}!<>".contains(*c)) {
            return Err(format!(
                "`{c}` is not allowed: give one plain command, without chains, redirections, variables and substitutions"
            ));
        }
        let words = split(command)?;
        let Some(program) = words.first() else {
            return Err("the command is empty".to_owned());
        };
        match self {
            Self::ReadOnly => read_only(&words)?,
            Self::Commands(allowed) if !allowed.iter().any(|a| a == program) => {
                let list = if allowed.is_empty() {
                    "none".to_owned()
                } else {
                    allowed.join(", ")
                };
                return Err(format!("`{program}` is not allowed here; allowed: {list}"));
            }
            Self::Commands(_) | Self::SandboxedWrite(_) => {}
        }
        Ok(words)
    }
}

/// Programs that look.
const READING: [&str; 22] = [
    "grep", "rg", "find", "cat", "head", "tail", "ls", "wc", "file", "stat", "jq", "sort", "uniq", "cut", "tr", "echo",
    "printf", "env", "type", "git", "sed", "awk",
];

fn read_only(words: &[String]) -> Result<(), String> {
    let (program, rest) = words
        .split_first()
        .map_or(("", [].as_slice()), |(p, r)| (p.as_str(), r));
    if program != "which" && !READING.contains(&program) {
        return Err(format!(
            "`{program}` is not allowed here; reading programs are: {}, which",
            READING.join(", ")
        ));
    }
    let refuse = |what: &str| {
        Err(format!(
            "`{program}` with `{what}` can change something, so it is not allowed here"
        ))
    };
    let long = |word: &str, names: &[&str]| {
        let name = word.split('=').next().unwrap_or(word);
        // Programs take any beginning of a long option.
        name.len() > 2 && names.iter().any(|n| n.starts_with(name) && name.starts_with("--"))
    };
    let short = |word: &str, letters: &str| {
        word.starts_with('-') && !word.starts_with("--") && word.chars().skip(1).any(|c| letters.contains(c))
    };
    for word in rest {
        let bad = match program {
            "sort" => short(word, "oT") || long(word, &["--output", "--temporary-directory", "--compress-program"]),
            "find" => [
                "-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls",
            ]
            .contains(&word.as_str()),
            "env" => {
                !word.contains('=') && !word.starts_with('-') || short(word, "SC") || long(word, &["--split-string"])
            }
            "rg" => long(word, &["--pre", "--hostname-bin", "--search-zip"]) || short(word, "z"),
            "file" => short(word, "C") || long(word, &["--compile"]),
            "jq" => long(word, &["--in-place"]),
            _ => false,
        };
        if bad {
            return refuse(word);
        }
    }
    match program {
        "git" => git(rest),
        "uniq" if rest.iter().filter(|w| !w.starts_with('-')).count() > 1 => refuse("a second file"),
        "sed" => sed(rest),
        "awk"
            if rest
                .iter()
                .any(|w| w.starts_with('-') && !w.starts_with("-F") && !w.starts_with("-v")) =>
        {
            refuse("a script in a file, or an extension")
        }
        "awk" if rest.iter().any(|w| w.contains("system") || w.contains("getline")) => {
            refuse("a script that runs programs")
        }
        _ => Ok(()),
    }
}

/// Scripts of sed have commands that write and run, so only the plain ones are known here: printing, deleting and quitting
/// at lines or matches, and substitutions without the flags that write and run.
fn sed(words: &[String]) -> Result<(), String> {
    let plain = |script: &str| {
        let script = script.trim();
        let at = script.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '~' | '+' | ' '));
        let at = match at.strip_prefix('/').and_then(|r| r.rsplit_once('/')) {
            Some((pattern, rest)) if !pattern.contains('/') && !at.starts_with('s') => rest.trim(),
            _ => at,
        };
        if matches!(at, "p" | "d" | "q" | "=") {
            return true;
        }
        let Some(rest) = at.strip_prefix('s') else { return false };
        let Some(mark) = rest.chars().next().filter(|c| "/,:#@%".contains(*c)) else {
            return false;
        };
        let parts: Vec<&str> = rest.split(mark).collect();
        match parts.as_slice() {
            [_, _, _, flags] => flags
                .chars()
                .all(|c| matches!(c, 'g' | 'p' | 'i' | 'I') || c.is_ascii_digit()),
            _ => false,
        }
    };
    let refused = |word: &str| {
        Err(format!(
            "`sed` with `{word}` is not allowed here; allowed are scripts such as 1,20p and s/a/b/g"
        ))
    };
    let mut words = words.iter().map(String::as_str);
    let mut scripts = 0;
    while let Some(word) = words.next() {
        let script = match word {
            "-n" | "-E" | "-r" | "-s" | "-u" | "-z" => continue,
            "-e" => words.next().unwrap_or_default(),
            word if word.starts_with('-') => return refused(word),
            word if scripts == 0 => word,
            // The rest are files.
            _ => continue,
        };
        scripts += 1;
        if !script.split(';').all(plain) {
            return refused(script);
        }
    }
    Ok(())
}

fn git(words: &[String]) -> Result<(), String> {
    let (operation, rest) = words
        .split_first()
        .map_or(("", [].as_slice()), |(o, r)| (o.as_str(), r));
    let looking = [
        "log",
        "diff",
        "show",
        "status",
        "blame",
        "rev-parse",
        "ls-files",
        "cat-file",
        "branch",
        "tag",
        "remote",
    ];
    if !looking.contains(&operation) {
        return Err(format!(
            "`git {operation}` is not allowed here; allowed: {}",
            looking.join(", ")
        ));
    }
    let writes = |word: &&String| {
        let name = word.split('=').next().unwrap_or(word);
        [
            "--exec",
            "--upload-pack",
            "--receive-pack",
            "--output",
            "--ext-diff",
            "--textconv",
            "--open-files-in-pager",
        ]
        .iter()
        .any(|bad| name.len() > 3 && bad.starts_with(name))
            || word.starts_with("-O") && operation != "diff"
    };
    let bad = match operation {
        // Without an option that lists, a name makes a branch or a tag.
        "branch" | "tag" => {
            let both = [
                "-l",
                "--list",
                "--contains",
                "--no-contains",
                "--merged",
                "--no-merged",
                "--points-at",
            ];
            let own: &[&str] = if operation == "branch" {
                &["-a", "-r", "--all", "--remotes"]
            } else {
                &["-n"]
            };
            let shows: &[&str] = if operation == "branch" {
                &[
                    "-v",
                    "-vv",
                    "--verbose",
                    "--show-current",
                    "--sort",
                    "--format",
                    "--column",
                    "--no-color",
                ]
            } else {
                &["--sort", "--format", "--column", "--no-color"]
            };
            let name = |w: &String| w.split('=').next().unwrap_or(w).to_owned();
            let lists = |w: &String| both.contains(&name(w).as_str()) || own.contains(&name(w).as_str());
            let listed = rest.iter().any(lists);
            let looks = |w: &&String| lists(w) || shows.contains(&name(w).as_str()) || !w.starts_with('-') && listed;
            rest.iter().find(|w| !looks(w))
        }
        "remote" => rest.iter().find(|w| !matches!(w.as_str(), "-v" | "--verbose")),
        _ => rest.iter().find(writes),
    };
    match bad {
        Some(word) => Err(format!(
            "`git {operation}` with `{word}` can change something, so it is not allowed here"
        )),
        None => Ok(()),
    }
}

/// Splits a command into words: blanks separate, quotes and backslashes join.
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(c) = letters.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let open = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        None => return Err("a quotation mark is not closed".to_owned()),
                        Some(q) if q == c => break,
                        Some('\\') if c == '"' => open.extend(letters.next()),
                        Some(other) => open.push(other),
                    }
                }
            }
            '\\' => match letters.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("the command ends with a backslash".to_owned()),
            },
            '\0' => return Err("the command holds a NUL character".to_owned()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_is_allowed() {
        for command in [
            "ls -la src",
            "grep -rn 'a b' .",
            "find . -name '*.rs' -type f",
            "git log --oneline -n 5",
            "git diff HEAD~1 -- a.txt",
            "git branch -a",
            "git branch --list x",
            "git remote -v",
            "sed -n 1,20p a.txt",
            "sed s/a/b/g a.txt",
            "sort -rn a.txt",
            "env",
            "env A=1",
            "which git",
            "uniq -c a.txt",
            "jq .a f.json",
            "tail -n 3 f",
            "git show HEAD:a.txt",
            "sed -n /we/p a",
        ] {
            assert!(
                Profile::ReadOnly.check(command).is_ok(),
                "{command}: {:?}",
                Profile::ReadOnly.check(command)
            );
        }
    }

    #[test]
    fn whatever_writes_is_refused() {
        for command in [
            "rm a",
            "cat a | wc",
            "echo x > y",
            "echo $HOME",
            "ls; rm a",
            "sort -o b a",
            "sort --outp=b a",
            "find . -delete",
            "find . -exec rm x +",
            "env touch x",
            "env -S 'touch x'",
            "sed -i s/a/b/ f",
            "sed -ni p f",
            "sed --in-pl s/a/b/ f",
            "sed 'w x' f",
            "sed s/a/b/w f",
            "sed '1e touch x' f",
            "sed '\\,a,w x' f",
            "sed -n -e p -e 'w x' f",
            "sed 's,a,b,w x' f",
            "sed '/a/w x' f",
            "sed r f",
            "git branch new",
            "git tag v1",
            "git branch -D x",
            "git diff --output=f",
            "git -C d log",
            "git push",
            "git remote add a b",
            "awk BEGIN f system",
            "uniq a b",
            "rg --pre x y",
            "",
            "'open",
            "git log --outp=x",
            "python3 -c 1",
            "git tag -a v1",
            "git branch -v new",
            "git tag --sort=x v1",
            "sed -f s a",
        ] {
            assert!(Profile::ReadOnly.check(command).is_err(), "{command}");
        }
    }

    #[test]
    fn a_list_of_commands_is_a_list() {
        let profile = Profile::Commands(vec!["cargo".to_owned()]);
        assert_eq!(profile.check("cargo test -q").unwrap(), ["cargo", "test", "-q"]);
        assert!(profile.check("cargo test && rm x").is_err());
        assert!(profile.check("rm x").unwrap_err().contains("allowed: cargo"));
    }
}
