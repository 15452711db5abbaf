//! The sessions of the READMEs and of the book are those of today's command.

use std::path::Path;
use std::process::Command;

/// The pages with sessions.
const PAGES: &[&str] =
    &["README.md", "docs/archivist.md", "docs/family-historian.md", "command/elf-cli/README.md"];

/// Runs each `$ elf …` of a page in `folder`, and writes after it what comes of it: the findings, then the
/// rest, then the exit status if it is not 0.
fn with_sessions(page: &str, folder: &Path) -> String {
    let mut text = String::new();
    let (mut in_session, mut is_output) = (false, false);
    for line in page.split_inclusive('\n') {
        if line.starts_with("```") {
            in_session = line == "```console\n";
            is_output = false;
        }
        match line.strip_prefix("$ elf ").filter(|_| in_session) {
            Some(arguments) => {
                let output = Command::new(env!("CARGO_BIN_EXE_elf"))
                    .args(words(arguments))
                    .current_dir(folder)
                    .output()
                    .expect("the command runs");
                text.push_str(line);
                for stream in [&output.stderr, &output.stdout] {
                    text.push_str(&String::from_utf8_lossy(stream).replace("\r\n", "\n"));
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

/// Splits the words of a command as a shell does: double quotes are around whole words.
fn words(arguments: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, piece) in arguments.trim_end().split('"').enumerate() {
        match index % 2 {
            0 => words.extend(piece.split_whitespace().map(str::to_owned)),
            _ => words.push(piece.to_owned()),
        }
    }
    words
}

#[test]
fn the_sessions_of_the_pages_are_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in PAGES {
        // What a session writes is beside the examples until the page ends.
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("examples")).expect("a folder");
        for example in std::fs::read_dir(root.join("examples")).expect("the examples") {
            let example = example.expect("an example");
            let to = folder.path().join("examples").join(example.file_name());
            std::fs::copy(example.path(), to).expect("an example");
        }
        let path = root.join(page);
        let text = std::fs::read_to_string(&path).expect("the page");
        let sessions = with_sessions(&text, folder.path());
        assert_eq!(text.contains("```console\n"), sessions.contains("\n$ elf "), "{page} has sessions");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, sessions).expect("the page is written");
        } else {
            assert!(text == sessions, "UPDATE_EXPECT=1 writes {page} anew:\n{sessions}");
        }
    }
}
