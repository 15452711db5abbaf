//! Files with a fault in every line: the same on any number of threads, in bounded memory.

use crate::shell::{elf, run, status, stdout};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

const HEAD: &str = "0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n";

/// A file of so many octets or a few more, each of whose lines `line` makes of its number.
fn write_file(path: &Path, octets: usize, line: impl Fn(u32, &mut String)) {
    let mut text = HEAD.to_owned();
    for number in 0.. {
        if text.len() >= octets {
            break;
        }
        if number % 20 == 0 {
            let _ = writeln!(text, "0 @I{}@ INDI", number / 20);
        }
        line(number, &mut text);
    }
    text.push_str("0 TRLR\n");
    std::fs::write(path, text).expect("a file");
}

/// Faults of every layer, in turns.
fn mixed(number: u32, text: &mut String) {
    let _ = match number % 9 {
        0 => writeln!(text, "x {number}"),
        1 => writeln!(text, "5 DATE {number}"),
        2 => writeln!(text, "1 QUAY @X{number}@"),
        3 => writeln!(text, "1 NOTE a@b {number}"),
        4 => writeln!(text, "1 BIRT\n2 DATE 31 FEB {number}"),
        5 => write!(text, "1 NAME a\r"),
        6 => writeln!(text, "0 @I{}@ INDI", number / 60),
        7 => writeln!(text, "1 W{} text\n0 NOTE without", number % 500),
        _ => writeln!(text, "1 FAMS @F{number}@"),
    };
}

#[test]
fn what_is_printed_is_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    write_file(&path, 800_000, mixed);
    let path = path.to_string_lossy();
    for args in [&["--format", "json"][..], &["--all"], &["--statistics"], &[]] {
        let [one, more @ ..] = ["1", "2", "4"].map(|jobs| {
            let output = run(&[&["check", &*path, "--jobs", jobs], args].concat());
            (status(&output), stdout(&output))
        });
        assert!(one.1.lines().count() > 4, "{args:?}");
        for other in more {
            assert!(one == other, "{args:?}: {}", first_difference(&one.1, &other.1));
        }
    }
}

fn first_difference(one: &str, other: &str) -> String {
    let lines = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    lines.map_or_else(|| "one is longer".to_owned(), |(one, other)| format!("{one}\n{other}"))
}

/// Runs the command and returns the most memory that it took, in megaoctets, and the lines it printed.
#[cfg(target_os = "linux")]
fn peak(args: &[&str]) -> (u64, usize) {
    let mut child = elf(args).stdout(Stdio::piped()).spawn().expect("the command runs");
    let mut out = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        out.read_to_end(&mut text).expect("a pipe");
        text.iter().filter(|octet| **octet == b'\n').count()
    });
    let mut peak = 0;
    while child.try_wait().expect("the command runs").is_none() {
        let said = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let most = said.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = peak.max(most.map_or(0, |most| most.parse().expect("a number")));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let lines = reader.join().expect("all is read");
    (peak / 1024, lines)
}

#[test]
#[cfg(target_os = "linux")]
fn faults_in_every_line_take_bounded_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    write_file(&path, 6_000_000, |number, text| {
        let _ = writeln!(text, "5 NOTE a@b {number}");
    });
    let path = path.to_string_lossy();
    for (args, most, least) in [
        (&["--format", "json", "--jobs", "2"][..], 115, 200_000),
        (&["--format", "json", "--jobs", "1"], 45, 200_000),
        (&["--jobs", "2"], 115, 50),
        (&["-q", "--jobs", "1"], 38, 1),
    ] {
        let (peak, lines) = peak(&[&["check", &*path], args].concat());
        assert!(peak > 5 && peak <= most, "{args:?}: {peak} MB");
        assert!(lines >= least, "{args:?}: {lines} lines");
    }
}

#[test]
fn a_record_of_faults_is_fixed_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    let mut text = format!("{HEAD}0 @I1@ INDI\n01 NOTE a\n0 @I2@ INDI\n");
    (0..30_000).for_each(|number| {
        let _ = writeln!(text, "01 NOTE a text {number}");
    });
    text.push_str("0 TRLR\n");
    std::fs::write(&path, &text).expect("a file");
    let path = path.to_string_lossy();
    let said = stdout(&run(&["check", "-q", &path]));
    assert!(said.contains("; `--fix` fixes 30,001"), "{said}");
    let json = stdout(&run(&["check", "-q", "--format", "json", &path]));
    assert!(json.contains(r#""repairable":30001,"complete":true"#), "{json}");
    let fixed = run(&["check", "--fix", "-o", "-", &path]);
    assert_eq!(stdout(&fixed), text.replace("01 NOTE", "1 NOTE"));
}

#[test]
fn a_record_longer_than_a_run_is_read_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    let lines = |text: &mut String, numbers: std::ops::Range<u32>| {
        numbers.for_each(|number| {
            let _ = writeln!(text, "1 CHIL @I1@\n3 DEEP {number}");
        });
    };
    let mut text = format!("{HEAD}0 @F1@ FAM\n");
    lines(&mut text, 0..30_000);
    text.push_str("0 @I1@ INDI\n1 FAMC @F2@\n1 FAMC @F1@\n0 @F2@ FAM\n1 CHIL @I1@\n");
    lines(&mut text, 0..20);
    std::fs::write(&path, text + "0 TRLR\n").expect("a file");
    let path = path.to_string_lossy();
    let check = |args: &[&str]| stdout(&run(&[&["check", &*path], args].concat()));
    assert!(check(&["--format", "json", "--jobs", "1"]).contains(r#""lines":60051,"records":3,"#));
    // The levels of all lines are looked at, and the pointers and links.
    let said = check(&["--statistics", "--against", "5.5.1"]);
    assert!(said.contains("30,020  E0203") && !said.contains("E0907"), "{said}");
    assert_eq!(said, check(&["--statistics", "--against", "5.5.1", "--jobs", "1"]));
}

#[test]
fn the_findings_of_a_long_record_come_in_the_order_of_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    let text = format!("{HEAD}0 @I1@ INDI\n1 SEX Q\n1 NOTE a\n{}1 SEX Q\n", "and so on\n".repeat(40_000));
    std::fs::write(&path, text + "0 @I2@ INDI\n1 SEX Q\n0 TRLR\n").expect("a file");
    for jobs in ["1", "2"] {
        let json = stdout(&run(&["check", "--format", "json", "--jobs", jobs, &path.to_string_lossy()]));
        let line_of = |finding: &str| finding.split_once("\"line\":")?.1.split(',').next()?.parse().ok();
        let findings: Vec<&str> = json.lines().filter(|line| !line.contains("\"summary\"")).collect();
        let lines: Vec<u64> = findings.iter().filter_map(|finding| line_of(finding)).collect();
        assert!(lines.len() > 40_000 && lines.is_sorted(), "{}", lines.len());
        let in_record = findings.iter().filter(|finding| line_of(finding) > Some(4));
        assert!(in_record.count() > 40_000);
        assert!(
            findings.iter().all(|finding| line_of(finding) <= Some(4) || finding.contains("\"path\":\"@I"))
        );
        assert!(json.contains(r#""record":"I1","path":"@I1@/SEX[2]""#));
        assert!(json.contains(r#""record":"I2","path":"@I2@/SEX""#));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_pointer_to_nothing_takes_half_a_kilobyte() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    let peak_of = |octets| {
        write_file(&path, octets, |number, text| {
            let _ = writeln!(text, "1 FAMS @F{number}@");
        });
        peak(&["check", &*path.to_string_lossy(), "-q", "--jobs", "1"]).0
    };
    // Of 100,000 pointers more; each is a finding.
    let (few, many) = (peak_of(1_000_000), peak_of(2_900_000));
    assert!(many.saturating_sub(few) <= 64, "{few} MB, {many} MB");
}
