//! A family of four generations, each of whom carries a word of their own, in a file that is damaged at
//! random: where a word of the living is left, somebody is told.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_extract::{DoubtReason, LivingRule, Plan, Redaction, Replacement, Survey};
use elf_schema::TypedDocument;
use elf_schema::elf_tagged::elf_octets::Patch;
use elf_tests::generate::living_family;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// 23 November 2026.
const TODAY: i64 = 2_461_368;

/// The lines of the file; the words of the living are `qliving`, those of the dead `qdead`.
fn lines() -> Vec<String> {
    living_family(None)
}

/// Damages one line of a file. A line that moves into another record, or a pointer that becomes one to
/// somebody else, is no damage that a reading can tell: neither is among these.
fn damage(lines: &mut Vec<String>, kind: usize, at: usize) {
    let at = at % lines.len();
    let line = lines[at].clone();
    let (level, rest) = line.split_at(line.find(' ').unwrap_or(line.len()));
    let number: u32 = level.parse().unwrap_or_default();
    let between = |new: &str| {
        let mut parts = line.splitn(3, '@');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(before), Some(_), Some(behind)) => format!("{before}{new}{behind}"),
            _ => line.clone(),
        }
    };
    match kind {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, line),
        2 => lines[at] = format!("{}{rest}", number + 1),
        3 => lines[at] = format!("{}{rest}", number.saturating_sub(1)),
        4 => lines[at] = between("@@"),
        5 => lines[at] = between(""),
        6 => lines[at] = between("@Z1@"),
        7 => drop(lines.drain(..at)),
        8 => lines.truncate(at + 1),
        9 => lines.insert(at, "0 HEAD".to_owned()),
        10 if at + 1 < lines.len() => {
            let next = lines.remove(at + 1);
            lines[at].push_str(&next);
        }
        11 => lines[at] = line.to_lowercase(),
        12 => lines[at].clear(),
        13 => lines[at] = line.replace("INDI", "INDX").replace("NOTE", "NOT").replace("SOUR", "_SOUR"),
        14 => lines[at] = format!("\0{line}"),
        15 => lines[at].insert(0, '\u{FEFF}'),
        16 => lines[at] = line.replacen(' ', "", 1),
        _ => lines.extend(lines.clone()),
    }
    if lines.is_empty() {
        lines.push("0 HEAD".to_owned());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_word_of_the_living_is_left_in_silence(
        damages in proptest::collection::vec((0_usize..18, any::<usize>()), 1..4),
        replacement in prop::sample::select(vec![Replacement::Placeholder, Replacement::Nothing]),
        breaks in prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n"]),
    ) {
        let mut lines = lines();
        for (kind, at) in &damages {
            damage(&mut lines, *kind, *at);
        }
        let text = lines.join(breaks) + breaks;
        let typed = TypedDocument::parse(text.as_bytes()).unwrap();
        let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
        // A refusal leaves nothing.
        if let Ok(plan) = Plan::redaction(Survey::of(&typed), &redaction)
            && let Ok(extraction) = plan.extract()
        {
            let is_told = !extraction.mentions.is_empty()
                || !plan.doubts().is_empty()
                || !plan.unclear_lines().is_empty();
            let out = String::from_utf8_lossy(&extraction.octets);
            prop_assert!(is_told || !out.contains("qliving"), "{damages:?}: {out}");
        }
    }

    #[test]
    fn a_strict_redaction_leaves_no_word_of_the_living(
        (kind, at) in (0_usize..18, any::<usize>()),
        replacement in prop::sample::select(vec![Replacement::Placeholder, Replacement::Nothing]),
    ) {
        let mut lines = lines();
        damage(&mut lines, kind, at);
        let text = lines.join("\n");
        let typed = TypedDocument::parse(text.as_bytes()).unwrap();
        let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement).with_strictness(true);
        let survey = Survey::of(&typed);
        // A file that was read in the wrong encoding may have no record.
        if survey.has_records()
            && let Ok(plan) = Plan::redaction(survey, &redaction)
            && let Ok(extraction) = plan.extract()
        {
            // The record that a pointer has lost may be part of any other record.
            let is_lost = plan.doubts().iter().any(|doubt| doubt.reason == DoubtReason::LostPointer);
            let out = String::from_utf8_lossy(&extraction.octets);
            prop_assert!(is_lost || !out.contains("qliving"), "{kind} {at}: {out}");
            // Each record may be asked about alone.
            let numbers = |patches: &[Patch]| patches.iter().flat_map(|patch| patch.lines.clone()).collect::<BTreeSet<u64>>();
            let [even, odd] = [0, 1].map(|rest| plan.changed_lines_in(|lines| lines.start % 2 == rest).unwrap());
            let of_halves: BTreeSet<u64> = numbers(&even).union(&numbers(&odd)).copied().collect();
            prop_assert_eq!(of_halves, numbers(&extraction.patches));
        }
    }
}

#[test]
fn a_strict_redaction_hides_mentions_and_identifiers_with_names() {
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I_Strauss@ INDI\n1 NAME Max /Strauss/\n1 BIRT\n2 DATE 1990\n1 FAMC @F1@\n\
        0 @I2@ INDI\n1 NAME Anna /Berg/\n1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1900\n1 NOTE Told by Max Strauss,\n\
        2 CONT her heir\n1 NOTE A quiet life\n1 NOTE @N_Strauss@\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I2@\n1 CHIL @I_Strauss@\n\
        0 @N9@ NOTE of nobody\n0 TRLR\n";
    let typed = TypedDocument::parse(text.as_bytes()).unwrap();
    let redaction = Redaction::by(LivingRule::on(TODAY)).with_strictness(true);
    let plan = Plan::redaction(Survey::of(&typed), &redaction).unwrap();
    assert_eq!(plan.hidden_people(), [true, false]);
    let extraction = plan.extract().unwrap();
    let expected = "0 HEAD\n1 CHAR UTF-8\n0 @HIDDEN1@ INDI\n1 NAME Private\n1 FAMC @F1@\n\
        0 @I2@ INDI\n1 NAME Anna /Berg/\n1 BIRT\n2 DATE 1850\n1 DEAT\n2 DATE 1900\n1 NOTE Private\n\
        1 NOTE A quiet life\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I2@\n1 CHIL @HIDDEN1@\n\
        0 @N9@ NOTE\n0 TRLR\n";
    assert_eq!(String::from_utf8_lossy(&extraction.octets), expected);
    // The patches say which lines of the output are lines of the input.
    assert!(extraction.patches.iter().any(|patch| patch.lines == (3..4)), "{:?}", extraction.patches);
}

#[test]
fn without_damage_nothing_is_told_and_no_word_is_left() {
    let text = lines().join("\n");
    let typed = TypedDocument::parse(text.as_bytes()).unwrap();
    for replacement in [Replacement::Placeholder, Replacement::Nothing] {
        let redaction = Redaction::by(LivingRule::on(TODAY)).with_replacement(replacement);
        let plan = Plan::redaction(Survey::of(&typed), &redaction).unwrap();
        let out = String::from_utf8(plan.extract().unwrap().octets.into_owned()).unwrap();
        assert!(plan.doubts().is_empty() && plan.unclear_lines().is_empty(), "{:?}", plan.doubts());
        assert!(!out.contains("qliving") && out.matches("qdead").count() > 50, "{out}");
    }
}
