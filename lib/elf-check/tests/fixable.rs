//! What `check` counts as fixable is what `fix` fixes, in files of one run and of several.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_base::{Rules, Safety};
use elf_check::config::Choice;
use elf_check::{Check, FixError, Fixed};

/// Records that make a file longer than a run.
fn padding() -> Vec<u8> {
    b"0 NOTE abcdefghijklmnopqrstuvwxyz and so on\n".repeat(12_000)
}

/// Returns the number of findings that `check` counts as fixable, and the fixed file; `None` if nothing is fixed.
fn counted_and_fixed(check: &Check<'_>, mut file: &[u8]) -> (u64, Option<Fixed>) {
    let report = check.check(file).expect("a file in memory");
    let with_fix = report.findings.iter().filter(|one| one.fix.is_some()).count() as u64;
    let fixable = report.checked.fixable;
    assert!(fixable == 0 || fixable == with_fix, "{fixable} {with_fix}");
    match check.fix(&mut file, Safety::Safe) {
        Ok(fixed) => (fixable, Some(fixed)),
        Err(FixError::Refused(_)) => (fixable, None),
        Err(error) => panic!("{error}"),
    }
}

fn agree(check: &Check<'_>, file: &[u8]) -> Option<Fixed> {
    let (fixable, fixed) = counted_and_fixed(check, file);
    assert_eq!(fixable, fixed.as_ref().map_or(0, |fixed| fixed.count));
    fixed
}

#[test]
fn a_guessed_encoding_is_named_by_the_whole_file() {
    let check = Check::new(&Rules::WILD);
    for padding in [Vec::new(), padding()] {
        let file = |tail: &[u8]| [b"0 HEAD\n1 SOUR x\n", &*padding, tail, b"0 TRLR\n"].concat();
        // In windows-1252: it must not be called UTF-8.
        let file_1252 =
            file(b"0 @I1@ INDI\n1 NAME Jos\xE9 \x93M\xFCller\x94\n1 NOTE caf\xE9 \x96 Z\xFCrich\n");
        if let Some(fixed) = agree(&check, &file_1252) {
            assert!(!fixed.bytes.windows(12).any(|bytes| bytes == b"1 CHAR UTF-8"));
        }
        let fixed = agree(&check, &file("0 @I1@ INDI\n1 NAME José\n1 NOTE a@b\n".as_bytes())).expect("fixes");
        assert!(fixed.bytes.windows(12).any(|bytes| bytes == b"1 CHAR UTF-8"));
        // It names ASCII, and bytes far after are UTF-8.
        let ascii =
            [b"0 HEAD\n1 CHAR ASCII\n", &*padding, "0 @I1@ INDI\n1 NAME José\n0 TRLR\n".as_bytes()].concat();
        agree(&check, &ascii);
        // With the at sign doubled, it would be read in another encoding.
        agree(&check, &file(b"0 @I1@ INDI\n1 NOTE a@b\xC3\xA9Jos\xE9@ N\n"));
    }
}

#[test]
fn nothing_is_fixable_where_the_rules_end_the_reading() {
    let check = Check::new(&Rules::DECEMBER_2019);
    for padding in [Vec::new(), padding()] {
        let head = b"0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n0 @I1@ INDI\n1 NOTE a@b\n";
        let file = [&head[..], &padding, b"no line\n0 TRLR\n"].concat();
        let report = check.check(&file).expect("a file in memory");
        assert!(!report.checked.complete && report.checked.fixable == 0);
        assert!(agree(&check, &file).is_none());
    }
}

#[test]
fn findings_that_do_not_count_are_not_fixed() {
    let ignored = vec!["at-sign-bare".parse().expect("a code")];
    let choice = Choice::new(Vec::new(), ignored, Vec::new());
    let check = Check { choice, ..Check::new(&Rules::WILD) };
    for padding in [Vec::new(), padding()] {
        let head = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n01 NOTE a@b\n";
        let fixed = agree(&check, &[&head[..], &padding, b"0 TRLR\n"].concat()).expect("a fix");
        assert!(fixed.bytes.windows(11).any(|bytes| bytes == b"\n1 NOTE a@b"));
    }
}
