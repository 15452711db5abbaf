//! The sessions of the README are those of today's command.

use std::path::Path;
use std::process::Command;

/// Runs each `$ elf …` of the README from the folder it stands in, and writes behind it what comes of it: the
/// findings, then the rest, then the exit status if it is not 0.
fn with_sessions(readme: &str, folder: &Path) -> String {
    let mut text = String::new();
    let (mut in_session, mut is_output) = (false, false);
    for line in readme.split_inclusive('\n') {
        if line.starts_with("```") {
            in_session = line == "```console\n";
            is_output = false;
        }
        match line.strip_prefix("$ elf ").filter(|_| in_session) {
            Some(arguments) => {
                let output = Command::new(env!("CARGO_BIN_EXE_elf"))
                    .args(arguments.split_whitespace())
                    .current_dir(folder)
                    .output()
                    .expect("the command runs");
                text.push_str(line);
                for stream in [&output.stderr, &output.stdout] {
                    text.push_str(&String::from_utf8_lossy(stream));
                }
                if let Some(status @ 1..) = output.status.code() {
                    text.push_str(&format!("$ echo $?\n{status}\n"));
                }
                is_output = true;
            }
            None if is_output => {}
            None => text.push_str(line),
        }
    }
    text
}

#[test]
fn the_sessions_of_the_readme_are_true() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = folder.join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README");
    let sessions = with_sessions(&readme, &folder);
    assert!(sessions.matches("\n$ elf ").count() >= 3, "it has sessions");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, sessions).expect("the README is written");
    } else {
        assert!(readme == sessions, "UPDATE_EXPECT=1 writes README.md anew:\n{sessions}");
    }
}
