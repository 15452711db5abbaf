//! Findings as JSON Lines: the members of a [`FlatFinding`](elf_base::FlatFinding), one after the other.
//!
//! A file may have as many findings as lines, and a serialiser that knows nothing of them takes several times
//! as long. A test holds the two against each other.

use super::At;
use elf_base::{Diagnostic, Place, Related, Safety};
use elf_tagged::elf_octets::Patch;
use std::io::{self, Write};

/// The octets that most findings take.
const USUAL: usize = 1 << 10;

/// Writes one finding of `file`, and the structure that it is about, as one line.
pub(super) fn finding(out: &mut dyn Write, file: &str, finding: &Diagnostic, at: &At<'_>) -> io::Result<()> {
    let Diagnostic { code, class, clause, message, place, excerpt: _, related, help, fix: _, count, .. } =
        finding;
    let mut line = JsonText(Vec::with_capacity(USUAL));
    line.plain("{\"code\":\"", code.id());
    line.plain("\",\"name\":\"", code.name());
    line.plain("\",\"class\":\"", class.name());
    line.text("\",\"message\":", message);
    line.text(",\"file\":", file);
    if let Some(place) = place {
        line.place(",\"line\":", *place);
    }
    line.some_text(",\"record\":", at.record.as_deref());
    line.some_text(",\"path\":", at.path.as_deref());
    line.some_text(",\"clause\":", *clause);
    line.some_text(",\"help\":", help.as_deref());
    if let Some(count) = count {
        line.number(",\"count\":", count.get());
    }
    if !related.is_empty() {
        line.list(",\"related\":[", related, |line, Related { message, place, .. }| {
            line.text("{\"message\":", message);
            line.place(",\"line\":", *place);
            line.plain("}", "");
        });
    }
    if let Some(patches) = at.repair {
        line.plain(",\"fix\":{\"safety\":\"", Safety::Safe.name());
        line.list("\",\"lines\":[", patches, JsonText::patch);
        line.plain("}", "");
    }
    line.plain("}", "\n");
    out.write_all(&line.0)
}

/// A line that is put together.
struct JsonText(Vec<u8>);

impl JsonText {
    /// Adds what stands before a text that needs no escapes, and the text.
    fn plain(&mut self, before: &str, text: &str) {
        self.0.extend_from_slice(before.as_bytes());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Adds a text in quotation marks.
    fn text(&mut self, before: &str, text: &str) {
        self.plain(before, "\"");
        // All octets are looked at, many at once; nearly no text has one that is escaped.
        let is_escaped = |octet: u8| (octet < b' ') | (octet == b'"') | (octet == b'\\');
        if text.bytes().fold(false, |any, octet| any | is_escaped(octet)) {
            text.chars().for_each(|c| self.character(c));
        } else {
            self.plain(text, "");
        }
        self.plain("\"", "");
    }

    fn some_text(&mut self, before: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(before, text);
        }
    }

    fn character(&mut self, c: char) {
        match c {
            '"' => self.plain("\\\"", ""),
            '\\' => self.plain("\\\\", ""),
            '\u{8}' => self.plain("\\b", ""),
            '\t' => self.plain("\\t", ""),
            '\n' => self.plain("\\n", ""),
            '\u{C}' => self.plain("\\f", ""),
            '\r' => self.plain("\\r", ""),
            '\0'..' ' => self.plain("\\u", &format!("{:04x}", u32::from(c))),
            _ => self.plain(c.encode_utf8(&mut [0; 4]), ""),
        }
    }

    fn number(&mut self, before: &str, mut number: u64) {
        const MOST_DIGITS: usize = 20;
        self.plain(before, "");
        let end = self.0.len();
        for _ in 0..MOST_DIGITS {
            self.0.push(b'0' | u8::try_from(number % 10).unwrap_or_default());
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.0.get_mut(end..).into_iter().for_each(<[u8]>::reverse);
    }

    fn place(&mut self, before: &str, Place { line, column, end_column, octet, .. }: Place) {
        self.number(before, line);
        self.number(",\"column\":", column);
        self.number(",\"end_column\":", end_column);
        self.number(",\"octet\":", octet);
    }

    /// Adds what stands before a list, its bracket included, and the list.
    fn list<T>(&mut self, before: &str, items: impl IntoIterator<Item = T>, add: impl Fn(&mut JsonText, T)) {
        self.plain(before, "");
        for (index, item) in items.into_iter().enumerate() {
            self.plain(if index == 0 { "" } else { "," }, "");
            add(self, item);
        }
        self.plain("]", "");
    }

    /// Adds lines that a repair changes.
    fn patch(&mut self, Patch { lines, with, .. }: &Patch) {
        self.number("{\"line\":", lines.start);
        self.number(",\"remove\":", lines.end - lines.start);
        self.list(",\"insert\":[", with.split_terminator('\n'), |line, with| line.text("", with));
        self.plain("}", "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::{FlatFinding, FlatFix, FlatLines, Rules, codes};
    use proptest::prelude::*;
    use std::num::NonZero;

    fn fix(patches: &[Patch]) -> FlatFix<'_> {
        let lines = patches.iter().map(|Patch { lines, with, .. }| FlatLines {
            line: lines.start,
            remove: lines.end - lines.start,
            insert: with.split_terminator('\n').collect(),
        });
        FlatFix { safety: Safety::Safe.name(), lines: lines.collect() }
    }

    fn texts() -> impl Strategy<Value = String> {
        proptest::collection::vec(
            prop_oneof![
                Just('"'),
                Just('\\'),
                any::<char>(),
                proptest::char::range('\0', ' '),
                proptest::char::range('a', '\u{7F}'),
            ],
            0..9,
        )
        .prop_map(String::from_iter)
    }

    fn places() -> impl Strategy<Value = Place> {
        let numbers = || prop_oneof![0..20_u64, any::<u64>(), Just(u64::MAX)];
        (numbers(), numbers(), numbers(), numbers()).prop_map(|(octet, line, column, end)| {
            let mut place = Place::new(octet, line, column, column);
            place.end_column = end;
            place
        })
    }

    proptest! {
        #[test]
        fn lines_are_those_of_a_serialiser(
            words in (texts(), texts(), proptest::option::of(texts())),
            place in proptest::option::of(places()),
            related in proptest::collection::vec((texts(), places()), 0..3),
            count in proptest::option::of(any::<NonZero<u64>>()),
            (record, path) in (proptest::option::of(texts()), proptest::option::of(texts())),
            patches in proptest::option::of(
                proptest::collection::vec((0..9_u64, 0..3_u64, "[a\"\n\r]{0,5}"), 0..3)),
        ) {
            let (message, file, help) = words;
            let mut found = Diagnostic::new(codes::XREF_REPEATED, &Rules::WILD, message);
            found.related = related
                .into_iter().map(|(message, place)| Related::new(message, place, None)).collect();
            (found.place, found.count, found.help) = (place, count, help.map(Into::into));
            let patches = patches.map(|patches| {
                let patch = |(start, length, with): (u64, u64, String)| Patch::new(start..start + length, with);
                patches.into_iter().map(patch).collect::<Vec<Patch>>()
            });
            let flat = FlatFinding::new(&found)
                .in_file(&file)
                .in_record(record.as_deref(), path.as_deref())
                .repaired_by(patches.as_deref().map(fix));
            let expected = serde_json::to_string(&flat).unwrap() + "\n";
            let at = At {
                record: record.clone(), path: path.clone(), words: None, repair: patches.as_deref(),
            };
            let mut out = Vec::new();
            finding(&mut out, &file, &found, &at).unwrap();
            prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
