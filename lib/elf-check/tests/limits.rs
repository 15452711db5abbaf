//! Files that are read to their end, but not understood completely.

#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use elf_check::Check;
use elf_schema::{Rules, codes};

/// A file with a chain of types, each with a tag of its own. All records use the tag of the last type.
fn file_with_chain(length: usize) -> String {
    let mut text = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX e https://e.test/\n\
                    2 PRFX elf https://terms.fhiso.org/elf/\n"
        .to_owned();
    for number in 0..length {
        text.push_str(&format!(
            "2 IRI e:t{number}\n3 TAG _T{number} elf:Document\n3 ISA e:t{}\n",
            number + 1
        ));
        text.push_str(&format!("2 IRI e:c{number}\n3 TAG _C{number} e:t{number}\n"));
    }
    text.push_str(&format!("2 IRI e:last\n3 TAG _LAST e:t{length}\n"));
    (0..length).for_each(|number| text.push_str(&format!("0 _T{number}\n1 _LAST\n1 _C{number}\n")));
    text.push_str("0 TRLR\n");
    text
}

#[test]
fn a_file_whose_schema_is_too_large_to_follow_is_incomplete() {
    for (length, is_complete) in [(100, true), (8_000, false)] {
        let text = file_with_chain(length);
        let report = Check::new(&Rules::JANUARY_2019).check(text.as_bytes()).expect("memory");
        let has_met_limit = report.findings.iter().any(|one| one.diagnostic.code == codes::SCHEMA_TOO_LARGE);
        assert_eq!((report.checked.complete, has_met_limit), (is_complete, !is_complete), "{length}");
        assert_eq!(report.checked.codes.failing > 0, !is_complete);
    }
}
