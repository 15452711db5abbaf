//! Findings in few octets: a file may have as many as lines, and some wait to be told.

use crate::{Class, Code, Diagnostic, Excerpt, Fix, FixAction, LinkAnswer, Place, Related, Rules, Safety};
use std::borrow::Cow;
use std::num::NonZero;

/// Packs findings into octets, and unpacks them. What many of them have in common, and what is part of the
/// program, it keeps once.
///
/// ```
/// use elf_base::{Diagnostic, DiagnosticPacker, PackedOctets, Place, Rules, codes};
///
/// let found = Diagnostic::new(codes::AT_SIGN_BARE, &Rules::WILD, "an at sign is not doubled")
///     .at(Place::new(60, 4, 9, 10), None);
/// let (mut packer, mut octets) = (DiagnosticPacker::default(), Vec::new());
/// packer.pack(&found, &mut octets);
/// assert!(octets.len() < 20);
/// assert_eq!(packer.unpack(&mut PackedOctets::new(&octets)), Some(found));
/// ```
#[derive(Clone, Debug, Default)]
pub struct DiagnosticPacker {
    kinds: Vec<(Code, Class, Option<&'static str>)>,
    /// The texts that are part of the program.
    texts: Vec<&'static str>,
    /// The repairs whose text is part of the program.
    fixes: Vec<Fix>,
}

/// Numbers and texts that were packed, to be taken out in their order.
#[derive(Clone, Copy, Debug)]
pub struct PackedOctets<'p>(&'p [u8]);

impl DiagnosticPacker {
    /// Appends a finding to `out`.
    pub fn pack(&mut self, finding: &Diagnostic, out: &mut Vec<u8>) {
        let Diagnostic { code, class, clause, message, place, excerpt, related, help, fix, count } = finding;
        pack_number(number_of(&mut self.kinds, &(*code, *class, *clause)), out);
        self.pack_text(message, out);
        pack_number(u64::from(place.is_some()), out);
        place.iter().for_each(|place| pack_place(*place, out));
        pack_excerpt(excerpt.as_ref(), out);
        pack_number(related.len() as u64, out);
        for Related { message, place, excerpt } in related {
            self.pack_text(message, out);
            pack_place(*place, out);
            pack_excerpt(excerpt.as_ref(), out);
        }
        pack_number(u64::from(help.is_some()), out);
        help.iter().for_each(|help| self.pack_text(help, out));
        self.pack_fix(fix.as_ref(), out);
        pack_number(count.map_or(0, NonZero::get), out);
    }

    /// Packs a text with its octets, or as a number where it is part of the program.
    #[allow(clippy::ptr_arg, reason = "a text that is part of the program is packed as a number")]
    fn pack_text(&mut self, text: &Cow<'static, str>, out: &mut Vec<u8>) {
        match text {
            Cow::Borrowed(text) => pack_number(number_of(&mut self.texts, text) << 1, out),
            Cow::Owned(text) => {
                pack_number((text.len() as u64) << 1 | 1, out);
                out.extend_from_slice(text.as_bytes());
            }
        }
    }

    fn pack_fix(&mut self, fix: Option<&Fix>, out: &mut Vec<u8>) {
        let form = |safety: &Safety, safe: u64| if *safety == Safety::Safe { safe } else { safe + 1 };
        match fix {
            None => pack_number(0, out),
            Some(Fix { safety, action: FixAction::Replace(text @ Cow::Owned(_)) }) => {
                pack_number(form(safety, 1), out);
                self.pack_text(text, out);
            }
            Some(Fix { safety, action: FixAction::SetPayload(text @ Cow::Owned(_)) }) => {
                pack_number(form(safety, 3), out);
                self.pack_text(text, out);
            }
            Some(Fix { safety, action: FixAction::AnswerLink(answer) }) => {
                pack_number(form(safety, 5), out);
                let LinkAnswer { record, tag, to } = &**answer;
                pack_text(Some(record), out);
                self.pack_text(&Cow::Borrowed(*tag), out);
                pack_text(Some(to), out);
            }
            Some(fix) => pack_number(7 + number_of(&mut self.fixes, fix), out),
        }
    }

    /// Takes a finding out that was packed; `None` where none was.
    pub fn unpack(&self, from: &mut PackedOctets<'_>) -> Option<Diagnostic> {
        let (code, class, clause) = *item(&self.kinds, from.number()?)?;
        let mut finding = Diagnostic::new(code, &Rules::WILD, self.text(from)?);
        (finding.class, finding.clause) = (class, clause);
        if from.number()? > 0 {
            finding.place = Some(from.place()?);
        }
        finding.excerpt = from.excerpt()?;
        for _ in 0..from.number()? {
            finding.related.push(Related::new(self.text(from)?, from.place()?, from.excerpt()?));
        }
        if from.number()? > 0 {
            finding.help = Some(self.text(from)?);
        }
        finding.fix = match from.number()? {
            0 => None,
            1 => Some(Fix::safe(FixAction::Replace(self.text(from)?))),
            2 => Some(Fix::guess(FixAction::Replace(self.text(from)?))),
            3 => Some(Fix::safe(FixAction::SetPayload(self.text(from)?))),
            4 => Some(Fix::guess(FixAction::SetPayload(self.text(from)?))),
            5 => Some(Fix::safe(self.answer(from)?)),
            6 => Some(Fix::guess(self.answer(from)?)),
            number => Some(item(&self.fixes, number - 7)?.clone()),
        };
        finding.count = NonZero::new(from.number()?);
        Some(finding)
    }

    fn answer(&self, from: &mut PackedOctets<'_>) -> Option<FixAction> {
        let record = from.text()??.into();
        let Cow::Borrowed(tag) = self.text(from)? else { return None };
        Some(FixAction::AnswerLink(Box::new(LinkAnswer { record, tag, to: from.text()??.into() })))
    }

    fn text(&self, from: &mut PackedOctets<'_>) -> Option<Cow<'static, str>> {
        let number = from.number()?;
        match number & 1 {
            0 => Some(Cow::Borrowed(*item(&self.texts, number >> 1)?)),
            _ => Some(Cow::Owned(from.octets(number >> 1)?.to_owned())),
        }
    }
}

/// The number of a value among those known, to which it is added; there are few of them.
fn number_of<T: PartialEq + Clone>(known: &mut Vec<T>, value: &T) -> u64 {
    let number = known.iter().position(|one| one == value).unwrap_or_else(|| {
        known.push(value.clone());
        known.len() - 1
    });
    number as u64
}

fn item<T>(items: &[T], number: u64) -> Option<&T> {
    items.get(usize::try_from(number).ok()?)
}

/// Appends a number, seven bits an octet: for [`PackedOctets::number`].
pub fn pack_number(mut number: u64, out: &mut Vec<u8>) {
    while number > 0x7F {
        out.push(0x80 | number.to_le_bytes()[0]);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends a text, if there is one: for [`PackedOctets::text`].
pub fn pack_text(text: Option<&str>, out: &mut Vec<u8>) {
    pack_number(text.map_or(0, |text| text.len() as u64 + 1), out);
    out.extend_from_slice(text.unwrap_or_default().as_bytes());
}

fn pack_place(place: Place, out: &mut Vec<u8>) {
    let width = place.end_column.saturating_sub(place.column);
    [place.octet, place.line, place.column, width].into_iter().for_each(|number| pack_number(number, out));
}

fn pack_excerpt(excerpt: Option<&Excerpt>, out: &mut Vec<u8>) {
    pack_text(excerpt.map(|excerpt| &*excerpt.text), out);
    excerpt.iter().for_each(|excerpt| pack_number(excerpt.first_column, out));
}

impl<'p> PackedOctets<'p> {
    /// Returns what was packed into those octets.
    pub const fn new(octets: &'p [u8]) -> PackedOctets<'p> {
        PackedOctets(octets)
    }

    /// Takes a number out.
    pub fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&octet, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(octet & 0x7F).checked_shl(shift)?;
            if octet < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }

    /// Takes a text out, or that there is none; `None` where neither was packed.
    pub fn text(&mut self) -> Option<Option<&'p str>> {
        match self.number()?.checked_sub(1) {
            None => Some(None),
            Some(length) => self.octets(length).map(Some),
        }
    }

    fn octets(&mut self, length: u64) -> Option<&'p str> {
        let (octets, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        std::str::from_utf8(octets).ok()
    }

    fn place(&mut self) -> Option<Place> {
        let (octet, line, column) = (self.number()?, self.number()?, self.number()?);
        Some(Place::new(octet, line, column, column + self.number()?))
    }

    fn excerpt(&mut self) -> Option<Option<Excerpt>> {
        let Some(text) = self.text()? else { return Some(None) };
        // A window of a line is itself when it is shown from its start.
        Some(Some(Excerpt::around(text, 0, self.number()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    /// Findings of every form, with everything that they may have.
    fn findings() -> Vec<Diagnostic> {
        let place = |octet| Place::new(octet, octet / 20 + 1, 3, 9);
        let long = "a long line, é, of which a window is shown ".repeat(20);
        let excerpt = || Some(Excerpt::around(&long, 200, 201));
        let bare = Diagnostic::new(codes::AT_SIGN_BARE, &Rules::WILD, "a text of the program");
        let fixes = [
            None,
            Some(Fix::safe(FixAction::CorrectLevels)),
            Some(Fix::guess(FixAction::Replace("HEAD".into()))),
            Some(Fix::safe(FixAction::Replace("1".to_owned().into()))),
            Some(Fix::guess(FixAction::SetPayload("1 JAN 1900".to_owned().into()))),
            Some(Fix::safe(FixAction::AnswerLink(Box::new(LinkAnswer {
                record: "I1".into(),
                tag: "FAMC",
                to: "F1".into(),
            })))),
        ];
        let finding = |(number, fix): (u64, Option<Fix>)| {
            let mut finding = Diagnostic { fix, ..bare.clone() };
            if number > 0 {
                finding = finding.at(place(1000 - number * 100), excerpt());
            }
            if number > 2 {
                finding.message = format!("no record is called `@N{number}@`").into();
                finding.help = Some("help".into());
                finding.count = NonZero::new(number << 40);
                finding.related.push(Related::new("first borne here", place(7), excerpt()));
                (finding.code, finding.class, finding.clause) = (codes::LEVEL_TOO_DEEP, Class::Advice, None);
            }
            finding
        };
        (0..).zip(fixes).map(finding).collect()
    }

    #[test]
    fn findings_come_back_as_they_were() {
        let (mut packer, mut octets) = (DiagnosticPacker::default(), Vec::new());
        for _ in 0..2 {
            findings().iter().for_each(|finding| packer.pack(finding, &mut octets));
        }
        let mut packed = PackedOctets::new(&octets);
        for finding in [findings(), findings()].concat() {
            assert_eq!(packer.unpack(&mut packed), Some(finding));
        }
        assert_eq!(packer.unpack(&mut packed), None);
    }

    #[test]
    fn numbers_and_texts_come_back() {
        let (numbers, mut octets) = ([0, 1, 127, 128, 300, 1 << 62, u64::MAX], Vec::new());
        for number in numbers {
            pack_number(number, &mut octets);
            pack_text(Some("é"), &mut octets);
            pack_text(None, &mut octets);
        }
        let mut packed = PackedOctets::new(&octets);
        for number in numbers {
            assert_eq!(
                (packed.number(), packed.text(), packed.text()),
                (Some(number), Some(Some("é")), Some(None))
            );
        }
        assert_eq!((packed.number(), packed.text()), (None, None));
    }
}
