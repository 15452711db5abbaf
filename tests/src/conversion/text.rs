//! String payloads, before and after.

use super::outline::{escapes_of, unmarked, with_escapes};
use super::{Difference, Judge, Outlined};
use elf_base::rules::Escape;
use elf_octets::nfc;

/// The code points that are no characters.
pub(super) const FORBIDDEN: [char; 3] = ['\0', '\u{FFFE}', '\u{FFFF}'];

/// Returns a text in the form that all drafts and encodings can hold.
pub(super) fn normal(text: &str) -> String {
    nfc(&text.replace("\r\n", "\n").replace('\r', "\n")).into_owned()
}

/// Returns a text whose lines neither start nor end with blanks.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_matches([' ', '\t'])).collect();
    lines.join("\n")
}

impl<'c> Judge<'c> {
    /// Compares payloads that are no pointers.
    pub(super) fn text(&mut self, one: &Outlined<'c>, other: &Outlined<'c>) {
        let line = one.line;
        let [marked, other_marked] = [one.node, other.node].map(|node| normal(&with_escapes(node)));
        let [from, to] = self.conversion.rules();
        let (mut plain, mut other_plain) = (unmarked(&marked), unmarked(&other_marked));
        let is_removed = || one.node.merged().contains("@#");
        if plain.contains(FORBIDDEN)
            || self.reports.has(line, Difference::Characters)
                && matches!(from.tagged.escape, Escape::TypedSpace { recover: true })
                && is_removed()
        {
            self.reports.needs(line, Difference::Characters, || plain.escape_debug().to_string());
            plain = normal(&plain.replace(FORBIDDEN, ""));
        }
        if plain != other_plain && self.reports.has(line, Difference::Whitespace) {
            let [one, other] = [&plain, &other_plain].map(|text| normal(&trimmed(text)));
            if one == other {
                self.reports.explain(line, Difference::Whitespace);
                (plain, other_plain) = (one, other);
            }
        }
        if plain != other_plain {
            self.reports.fault(line, &format!("{plain:?} became {other_plain:?}"));
            return;
        }
        let [mut escapes, mut gained] = [&marked, &other_marked].map(|marked| {
            let mut escapes: Vec<&str> = escapes_of(marked).into_iter().map(|(_, escape)| escape).collect();
            escapes.sort_unstable();
            escapes
        });
        remove_common(&mut escapes, &mut gained);
        if !escapes.is_empty() || self.reports.has(line, Difference::Escape) && is_removed() {
            self.reports.needs(line, Difference::Escape, || escapes.join(" "));
        }
        // In the other drafts text cannot be told from an escape that the tag preserves (G11, P20).
        let tells = matches!(to.tagged.escape, Escape::Typed);
        if tells && !gained.is_empty() {
            self.reports.fault(line, &format!("text became an escape: {}", gained.join(" ")));
        }
    }
}

/// Removes from two sorted lists what both have.
fn remove_common(one: &mut Vec<&str>, other: &mut Vec<&str>) {
    one.retain(|escape| match other.iter().position(|of| of == escape) {
        Some(at) => {
            other.remove(at);
            false
        }
        None => true,
    });
}
