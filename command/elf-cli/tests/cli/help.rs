//! Help texts, completions and manual pages.

use crate::shell::{elf, file, run, status, stdout};
use std::process::Command;

const COMMANDS: [&str; 23] = [
    "check",
    "show",
    "info",
    "convert",
    "edit",
    "replace",
    "extract",
    "redact",
    "table",
    "tree",
    "find",
    "kinship",
    "match",
    "merge",
    "report",
    "diff",
    "schema",
    "date",
    "explain",
    "lsp",
    "mcp",
    "completions",
    "man",
];

/// The help text of a command, or of `elf` itself, in lines that are not broken.
fn help(command: Option<&str>) -> String {
    let output = elf(&["help"]).args(command).env("COLUMNS", "1000").output().expect("the command runs");
    assert_eq!(status(&output), 0, "{command:?}");
    stdout(&output)
}

/// The examples at the end of a help text.
fn examples(help: &str) -> Vec<String> {
    let (_, examples) = help.split_once("\nExamples:\n").expect("examples");
    examples.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn help_of_a_command_is_its_option_help() {
    for command in COMMANDS {
        assert_eq!(stdout(&run(&["help", command])), stdout(&run(&[command, "--help"])), "{command}");
    }
    assert_eq!(stdout(&run(&["help"])), stdout(&run(&["--help"])));
    assert_eq!(status(&run(&["help", "chek"])), 2);
    let of_help = run(&["help", "help"]);
    assert_eq!(status(&of_help), 0);
    assert_eq!(stdout(&run(&["help", "--help"])), stdout(&of_help));
    assert_eq!(stdout(&run(&["help", "check", "-h"])), stdout(&run(&["help", "check"])));
}

#[test]
fn all_paragraphs_of_a_help_text_are_printed() {
    let last_sentences = [
        ("convert", "the command reports a loss, and the exit status is 1"),
        ("edit", "The path ends before the first `=`"),
        ("redact", "Read the output before you publish it"),
        ("diff", "The exit status is 1 if the files differ"),
        ("find", "The exit status is 0 if somebody was found"),
        ("mcp", "so that every change can be undone"),
    ];
    for (command, sentence) in last_sentences {
        let help = help(Some(command));
        assert!(help.contains(sentence), "{command}: {help}");
        let page = stdout(&run(&["man", command])).replace("\\-", "-");
        assert!(page.contains(sentence), "{command}: {page}");
    }
}

/// The part of an example that bash, PowerShell and `cmd.exe` do not read in the same way. Double quotes mean the same in
/// all of them.
#[cfg(unix)]
fn unportable_part(example: &str) -> Option<&'static str> {
    let is_quoted = |place: usize| example[..place].matches('"').count() % 2 == 1;
    let is_bare = |part: &str| example.match_indices(part).any(|(place, _)| !is_quoted(place));
    let everywhere = ["'", "$", "`", "%", "&&", "\\"].into_iter().find(|part| example.contains(part));
    everywhere.or_else(|| ["@", "[", "*", "^", "<"].into_iter().find(|part| is_bare(part)))
}

#[cfg(unix)]
#[test]
fn the_examples_work() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_elf"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().expect("a folder").display());
    for command in COMMANDS.map(Some).into_iter().chain([None]) {
        let examples = examples(&help(command));
        assert!(!examples.is_empty(), "{command:?}");
        let folder = tempfile::tempdir().expect("a folder");
        for example in examples {
            assert!(
                example.contains("elf ") && example.len() <= 98,
                "it is broken at 100 columns: {example}"
            );
            assert_eq!(unportable_part(&example), None, "{example}");
            // One example may go on with what that before it has written.
            for name in ["family.ged", "before.ged", "after.ged"] {
                std::fs::copy(file("examples.ged"), folder.path().join(name)).expect("a file");
            }
            let output = Command::new("sh")
                .args(["-c", &example])
                .env("PATH", &path)
                .current_dir(folder.path())
                .output()
                .expect("a shell");
            // 1 is “there is something to report”.
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(matches!(output.status.code(), Some(0 | 1)), "{example}: {errors}");
        }
    }
}

#[test]
fn the_options_that_commands_share_are_a_help_topic() {
    let topic = run(&["help", "reading"]);
    assert_eq!(status(&topic), 0);
    assert!(stdout(&topic).contains("\n--rules RULES\n"), "{}", stdout(&topic));
    assert_eq!(stdout(&run(&["help", "reading", "--help"])), stdout(&topic));
    assert!(help(None).contains("elf help reading"));
    assert!(help(Some("check")).contains("elf help reading"));
    assert_eq!(status(&run(&["help", "readings"])), 2);
}

#[test]
fn a_shell_learns_all_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = stdout(&run(&["completions", shell]));
        for name in COMMANDS.into_iter().chain(["rename-id", "unsafe-fixes", "to-rules", "allow-host"]) {
            assert!(script.contains(name), "{shell} lacks {name}");
        }
    }
    assert_eq!(status(&run(&["completions", "cmd"])), 2);
}

#[cfg(unix)]
#[test]
fn bash_takes_its_completions() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("elf.bash");
    std::fs::write(&script, run(&["completions", "bash"]).stdout).expect("a file");
    // This test needs bash.
    let Ok(output) = Command::new("bash").arg("-n").arg(&script).output() else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let complete = format!(
        "source '{}'; COMP_WORDS=(elf ch); COMP_CWORD=1; _elf elf ch elf; echo \"${{COMPREPLY[@]}}\"",
        script.display()
    );
    let output = Command::new("bash").args(["-c", &complete]).output().expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "check");
}

#[test]
fn each_command_has_a_manual_page() {
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH elf 1"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&format!("elf\\-{command}(1)")), "{command}: {page}");
        let page = stdout(&run(&["man", command]));
        assert!(page.contains(&format!(".TH elf-{command} 1")), "{page}");
        assert!(page.contains("Examples:"), "{page}");
        let help = help(Some(command));
        let options = help.split_whitespace().filter_map(|word| word.strip_prefix("--"));
        for option in options.filter(|option| option.chars().all(|c| c.is_ascii_lowercase() || c == '-')) {
            let option = option.replace('-', "\\-");
            assert!(page.contains(&format!("\\-\\-{option}")), "{command} lacks {option}: {page}");
        }
    }
    assert_eq!(status(&run(&["man", "chek"])), 2);
}
