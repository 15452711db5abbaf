//! Named tests about pointers and identifiers.

use super::{expect_equal, expect_true};
use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options};
use elf_tagged::Document;
use elf_tagged::write::{WriteOptions, write_document};

/// Identifiers of two people and a family that some drafts and encodings cannot write or distinguish.
const IDENTIFIERS: [[&str; 3]; 5] = [
    ["I1", "I2", "F1"],
    ["I(1)", "I(2)", "F/1"],
    ["\u{6F22}", "\u{5B57}", "F1"],
    ["\u{E9}", "e\u{301}", "F\u{E9}"],
    ["1234567890123456789012345", "1234567890123456789012346", "a b"],
];

fn read<'o>(octets: &'o [u8], rules: &Rules) -> Result<(Document<'o>, Vec<Diagnostic>), String> {
    let mut findings = Vec::new();
    let document = elf_tagged::read(octets, rules, &Options::default(), &mut findings);
    Ok((document.map_err(|error| error.to_string())?, findings))
}

/// The tags of all pointers, each with the name of the person to whom it leads.
fn pointer_targets(document: &Document<'_>) -> Vec<(String, Option<String>)> {
    let pointers = document.structures().filter(|node| node.pointer().is_some());
    let name = |node: elf_tagged::Node<'_>| Some(node.target()?.substructure("NAME")?.text().into_owned());
    pointers.map(|node| (node.tag().to_owned(), name(node))).collect()
}

/// D19-PTR-03: in all rules and encodings, and without a loss.
pub(super) fn pointers_lead_where_they_led() -> Result<(), String> {
    let expected = [("HUSB", "Ada"), ("WIFE", "Eve"), ("FAMS", "the family"), ("FAMS", "the family")]
        .map(|(tag, name)| (tag.to_owned(), Some(name.to_owned())));
    for [one, two, family] in IDENTIFIERS {
        let file = format!(
            "0 HEAD\n1 CHAR UTF-8\n0 @{family}@ FAM\n1 NAME the family\n1 HUSB @{one}@\n1 WIFE @{two}@\n\
             0 @{one}@ INDI\n1 NAME Ada\n1 FAMS @{family}@\n0 @{two}@ INDI\n1 NAME Eve\n1 FAMS @{family}@\n0 TRLR\n"
        );
        let (document, _) = read(file.as_bytes(), &Rules::WILD)?;
        expect_equal(&format!("the links of {file:?}"), &expected.to_vec(), &pointer_targets(&document))?;
        for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
            for encoding in [Encoding::Ascii, Encoding::Ansel, Encoding::Utf8, Encoding::Utf16Le] {
                let options = WriteOptions::new().with_encoding(encoding);
                let mut octets = Vec::new();
                let summary = write_document(&document, &mut octets, rules, &options, &mut ())
                    .map_err(|error| error.to_string())?;
                let case = format!("{one:?}, {two:?} and {family:?} by {} in {encoding}", rules.name);
                expect_equal(&format!("losses for {case}"), &0, &summary.losses)?;
                let (again, findings) = read(&octets, rules)?;
                expect_equal(&format!("the links for {case}"), &expected.to_vec(), &pointer_targets(&again))?;
                // `wild` keeps identifiers unchanged.
                let conformant =
                    rules.name == Rules::WILD.name || !findings.iter().any(|found| found.class.is_error());
                expect_true(&format!("a conformant file for {case}, but found {findings:?}"), conformant)?;
            }
        }
    }
    Ok(())
}
