//! The law of octets.

use crate::Input;
use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options, Source};
use unicode_normalization::UnicodeNormalization;

/// Octets, by any rules, become line strings that lie in order in the text, hold no line
/// break, and are at rising places of the file; and text that can be written in the encoding it was read in
/// is read again.
///
/// # Panics
///
/// If the law does not hold.
pub fn octets(input: &Input<'_>) {
    let (rules, octets) = (input.rules, input.octets);
    let mut findings: Vec<Diagnostic> = Vec::new();
    let source = Source::read(octets, rules, &Options::default(), &mut findings);
    let source = source.expect("no fuzzed input has 4 GiB");
    line_strings_lie_in_order(&source);
    for finding in &findings {
        assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{finding:?}");
        assert!(finding.place.is_none_or(|place| place.octet <= octets.len() as u64), "{finding:?}");
    }
    assert!(source.is_complete() || !findings.is_empty(), "what ends the reading is reported");
    if source.is_complete() {
        what_is_encoded_decodes_the_same(&source, rules);
    }
}

fn line_strings_lie_in_order(source: &Source<'_>) {
    let text = source.text();
    let mut locator = source.locator();
    let mut end = 0;
    let mut last = 0;
    let mut count: u64 = 0;
    for span in source.line_strings() {
        assert!(end <= span.start && span.start <= span.end, "{span:?} after {end}");
        let line_string = text.get(span.range()).expect("a span lies on character boundaries");
        assert!(!line_string.contains(['\n', '\r']), "{line_string:?}");
        let place = locator.place(span);
        assert!(place.line > last && place.column >= 1 && place.end_column >= place.column, "{place:?}");
        let octets = locator.octet_range(span);
        assert!(octets.start <= octets.end && octets.end <= source.octets().len() as u64, "{octets:?}");
        (end, last) = (span.end, place.line);
        count += 1;
    }
    assert!(count <= source.line_count() && last <= source.line_count());
}

fn what_is_encoded_decodes_the_same(source: &Source<'_>, rules: &Rules) {
    let used = source.decision().used;
    let mut encoded = Vec::new();
    if used.encode_into(source.text(), &mut encoded).is_err() || starts_with_mark(&encoded) {
        return;
    }
    let options = Options::default().with_forced(Some(used));
    let again = Source::read(&encoded, rules, &options, &mut ()).expect("no fuzzed input has 4 GiB");
    if used == Encoding::Ansel {
        // Marks that do not touch each other may change places.
        assert!(again.text().nfd().eq(source.text().nfd()), "{:?} is not {:?}", again.text(), source.text());
    } else {
        assert_eq!(again.text(), source.text(), "{used}");
    }
}

/// Returns whether `octets` start like a byte-order mark, and would lose it when read again.
fn starts_with_mark(octets: &[u8]) -> bool {
    Encoding::ALL.into_iter().filter_map(Encoding::mark).any(|mark| octets.starts_with(mark))
}
