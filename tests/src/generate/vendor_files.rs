//! Files as programs write them, made from a sample for each of ten programs.
//!
//! A sample (`fixtures/vendors`) was written from what is known of a program's files, and not from the table of vendor
//! tags, so it has tags that the table does not know. It has each structure once. A generated file has the sample, and
//! more records that are made from those of the sample: each structure is left out at random.

use super::random::Random;
use std::path::PathBuf;

/// The programs: the name of the sample, and the name for people.
pub const PROGRAMS: [(&str, &str); 10] = [
    ("ahnenblatt", "Ahnenblatt"),
    ("ancestry", "Ancestry"),
    ("brothers-keeper", "Brother's Keeper"),
    ("family-historian", "Family Historian"),
    ("family-tree-maker", "Family Tree Maker"),
    ("gramps", "Gramps"),
    ("legacy", "Legacy Family Tree"),
    ("myheritage", "MyHeritage"),
    ("paf", "Personal Ancestral File"),
    ("rootsmagic", "RootsMagic"),
];

/// The number of records that are added to a sample.
const RECORDS: usize = 200;

/// A structure of a generated record stays with this chance, in percent.
const KEPT: usize = 70;

/// Returns the generated file of a program. It is the same in every run.
///
/// # Panics
///
/// If there is no sample of this name, or if it is not a file of GEDCOM lines.
#[allow(clippy::expect_used, reason = "a test suite reads its own files")]
pub fn generated_file(name: &str) -> String {
    let path: PathBuf = crate::folder("fixtures/vendors").join(name).with_extension("ged");
    let sample = std::fs::read_to_string(&path).expect("a sample");
    let lines: Vec<(usize, &str)> = sample
        .lines()
        .map(|line| {
            let (level, rest) = line.split_once(' ').expect("a level");
            (level.parse().expect("a level"), rest)
        })
        .collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].0 == 0).collect();
    let records: Vec<&[(usize, &str)]> = starts.windows(2).map(|ends| &lines[ends[0]..ends[1]]).collect();
    let (_, records) = records.split_first().expect("a header");
    let mut random = Random::new(1);
    let mut file = sample.strip_suffix("0 TRLR\n").expect("a trailer").to_owned();
    for number in 0..RECORDS {
        if let Some([(_, record), below @ ..]) = random.pick(records) {
            match record.strip_prefix('@').and_then(|rest| rest.split_once('@')) {
                Some((_, tag)) => file.push_str(&format!("0 @G{number}@{tag}\n")),
                None => file.push_str(&format!("0 {record}\n")),
            }
            add_some(below, &mut random, &mut file);
        }
    }
    file + "0 TRLR\n"
}

/// Adds lines to a file, and leaves out some structures with all that is under them.
fn add_some(lines: &[(usize, &str)], random: &mut Random, file: &mut String) {
    let mut left_out = usize::MAX;
    for (level, line) in lines {
        if *level > left_out {
            continue;
        }
        let is_kept = random.chance(KEPT);
        left_out = if is_kept { usize::MAX } else { *level };
        if is_kept {
            file.push_str(&format!("{level} {line}\n"));
        }
    }
}
