//! The valid test files of GEDCOM 7.0 that its makers publish without a licence, so that they are no part of
//! the project. `ELF_GEDCOM_7` names their folder; where it is not set, this says so and passes.

use crate::shell::{json, run, status, stderr, stdout};
use std::collections::BTreeSet;

/// Findings in files that are called valid: by the letter of the specification they are true.
const TRUE: [(&str, &str, &str); 7] = [
    ("maximal70.ged", "E0910", "pointers of OBJE and SOUR, and of SNOTE and SOUR, form circles"),
    ("notes-1.ged", "E0910", "pointers of SNOTE and SOUR form a circle"),
    (
        "extensions.ged",
        "E0327",
        "`@B1@` is the identifier of no record, which each must have that is pointed to",
    ),
    (
        "extensions.ged",
        "E0415",
        "`_CREATOR` stands for SUBM in INDI, which has a SUBM: there it can not be used",
    ),
    ("date.ged", "E0602", "each month has a number of days: no year has 21 days of COMP"),
    (
        "date.ged",
        "E0603",
        "`BET 1950 AND 302` is empty; the specification does not forbid it, so it is advice",
    ),
    ("date.ged", "E0609", "so with `FROM 1689 TO 597`"),
];

#[test]
fn valid_files_have_no_finding_but_true_ones_and_stay_as_they_are() {
    let Some(folder) = std::env::var_os("ELF_GEDCOM_7") else {
        #[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
        {
            eprintln!("skipped: ELF_GEDCOM_7 names no folder");
        }
        return;
    };
    let out = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path().display().to_string();
        let checked = run(&["check", "--rules", "gedcom-7", "--against", "7.0", "--format", "json", &path]);
        let lines = json(&checked);
        let codes: BTreeSet<&str> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
        for code in codes {
            let is_true = TRUE.iter().any(|(file, of, _)| path.ends_with(file) && *of == code);
            assert!(is_true, "{path}: {code}\n{}", stdout(&checked));
        }
        let place = out.path().join(entry.file_name()).display().to_string();
        let converted = run(&["convert", "-o", &place, &path]);
        // A pointer to nothing becomes one that says so, which is a loss.
        let has_loss = path.ends_with("extensions.ged");
        assert_eq!(status(&converted), i32::from(has_loss), "{path}: {}", stderr(&converted));
        let compared = run(&["diff", &path, &place]);
        assert_eq!(status(&compared), i32::from(has_loss), "{path}: {}", stdout(&compared));
    }
}
