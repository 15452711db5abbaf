//! At signs, escapes and Unicode escapes in string payloads. One tokeniser reads all grammars.
//!
//! | drafts | escape | Unicode escape | stage |
//! | --- | --- | --- | --- |
//! | 2017 | `@#…@`, kept, where its last at sign is not one of a pair | `@#U` hex `@` and a space if there is one | the character stream, before there are lines |
//! | declarative, January 2019 | `@#X…@␠`, kept where the tag preserves type X, else dropped | `@#U` hex `@␠` | after continuations are merged |
//! | December 2019 | `@#X…@`, kept; types other than U and D are not permitted | `@#U` hex… `@` | each line's payload, before merging |
//! | GEDCOM 5.5.1 | `@#…@`, kept | none | each line's payload, before merging |
//! | GEDCOM 7 | none; `@@` at the start is one at sign | none | each line's payload, before merging |
//!
//! Unescaping loses information: the text `@#DJULIAN@` may have been an escape, or text with doubled at signs. Tokens
//! keep this difference, so a payload can be written as it was.

use elf_base::rules::Escape;
use std::borrow::Cow;

/// A part of a string payload: text, an at sign or an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token<'t> {
    /// Text without an at sign.
    Text(&'t str),
    /// A doubled at sign, which means one at sign (D19 *Escaped at signs*).
    At,
    /// A single at sign that does not start an escape. Such an at sign is read as an at sign (D19 *Identifying
    /// escapes*).
    Bare,
    /// A single at sign before a number sign, where no escape starts. Such an at sign is read as an at sign (E0324).
    Broken,
    /// An escape of a type other than U, as written. If the space after the escape belongs to it, the space is
    /// included.
    Escape(&'t str),
    /// A Unicode escape, as written. [`unicode_characters`] decodes it.
    Unicode(&'t str),
}

impl<'t> Token<'t> {
    /// Returns the type of an escape, which is the capital letter after the number sign. Returns `None` for other
    /// tokens and, in 2017, for escapes without a capital letter.
    pub fn escape_type(&self) -> Option<char> {
        match self {
            Token::Escape(raw) | Token::Unicode(raw) => raw.chars().nth(2).filter(char::is_ascii_uppercase),
            _ => None,
        }
    }

    /// Returns the token as written in the payload.
    pub const fn raw(&self) -> &'t str {
        match self {
            Token::Text(raw) | Token::Escape(raw) | Token::Unicode(raw) => raw,
            Token::At => "@@",
            Token::Bare | Token::Broken => "@",
        }
    }
}

/// Splits a payload into tokens. Returns each token with its byte offset. Together, the tokens are the whole payload.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::escape::{Token, tokens};
///
/// let rules = Rules::DECEMBER_2019.tagged.escape;
/// let all: Vec<_> = tokens("a@@b@#DJULIAN@ 1", rules).map(|(_, token)| token).collect();
/// assert_eq!(all, [Token::Text("a"), Token::At, Token::Text("b"), Token::Escape("@#DJULIAN@"), Token::Text(" 1")]);
/// ```
pub const fn tokens(payload: &str, grammar: Escape) -> Tokens<'_> {
    Tokens { payload, at: 0, grammar }
}

/// The iterator that [`tokens`] returns.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    payload: &'t str,
    at: usize,
    grammar: Escape,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, Token<'t>);

    fn next(&mut self) -> Option<(usize, Token<'t>)> {
        let start = self.at;
        let rest = self.payload.get(start..).filter(|rest| !rest.is_empty())?;
        let token = match memchr::memchr(b'@', rest.as_bytes()) {
            Some(0) if self.grammar.is_leading() => read_leading_at_sign(rest, start),
            Some(0) => read_at_sign(rest, self.grammar),
            Some(length) => Token::Text(&rest[..length]),
            None => Token::Text(rest),
        };
        self.at += token.raw().len();
        Some((start, token))
    }
}

impl std::iter::FusedIterator for Tokens<'_> {}

/// Reads the token at the start of `rest`, which starts with an at sign (D19 *Identifying escapes*).
fn read_at_sign(rest: &str, grammar: Escape) -> Token<'_> {
    match rest.as_bytes().get(1) {
        Some(b'@') => Token::At,
        Some(b'#') => match escape_length(rest, grammar) {
            // If the last at sign belongs to a pair, the pair means one at sign, and the escape does not end there (O17
            // §5.4).
            Some(length) if grammar.is_untyped() && closes_in_pair(rest, length) => Token::Broken,
            Some(length) => {
                let raw = &rest[..length];
                match rest.as_bytes().get(2) {
                    Some(b'U') if grammar.has_characters() && !grammar.is_untyped() => Token::Unicode(raw),
                    _ => Token::Escape(raw),
                }
            }
            None => Token::Broken,
        },
        _ => Token::Bare,
    }
}

/// Returns whether only pairs of at signs start at the last at sign of an escape.
fn closes_in_pair(rest: &str, length: usize) -> bool {
    let run = rest.bytes().skip(length.saturating_sub(1)).take_while(|octet| *octet == b'@').count();
    run % 2 == 0
}

/// Returns whether each at sign of a payload line belongs to a pair or to an escape. The 2017 drafts require this of a
/// line (O17 §5.1 `PItem`). Reading a payload is different: two at signs between two adjacent escapes are read as one
/// at sign (P20).
pub fn is_payload_line_of_2017(line: &str) -> bool {
    let mut rest = line;
    while let Some(at) = memchr::memchr(b'@', rest.as_bytes()) {
        let here = &rest[at..];
        let length = match here.as_bytes().get(1) {
            Some(b'@') => Some(2),
            Some(b'#') => escape_length(here, Escape::Untyped),
            _ => None,
        };
        let Some(behind) = length.and_then(|length| here.get(length..)) else { return false };
        rest = behind;
    }
    true
}

/// Reads the token at `offset` of a payload line, where `rest` starts with an at sign.
///
/// Two at signs at the start of the line mean one at sign. All other at signs are text (GEDCOM 7.0 §1.2, `lineStr`).
fn read_leading_at_sign(rest: &str, offset: usize) -> Token<'_> {
    match (offset, rest.as_bytes().get(1)) {
        (0, Some(b'@')) => Token::At,
        (0, _) => Token::Bare,
        _ => Token::Text(rest),
    }
}

/// Returns the length in bytes of the escape at the start of `rest`, if there is one.
///
/// ```text
/// 2017, GEDCOM 5.5.1  Escape    ::= "@#" [^@#xA#xD]* "@"
/// declarative, J19    Escape    ::= "@#" [A-Z] [^@#xA#xD]* "@ "
/// D19                 EscapeSeq ::= "@#" [A-Z] [^@#xA#xD]* "@"
/// ```
fn escape_length(rest: &str, grammar: Escape) -> Option<usize> {
    let octets = rest.as_bytes();
    let inner = octets.get(2..)?;
    let length = memchr::memchr3(b'@', b'\n', b'\r', inner)?;
    if inner.get(length) != Some(&b'@') {
        return None;
    }
    let end = 2 + length + 1;
    let typed = inner.first().is_some_and(u8::is_ascii_uppercase);
    grammar.octets_behind(typed, octets.get(end) == Some(&b' ')).map(|behind| end + behind)
}

/// Returns the characters that a Unicode escape encodes. Returns `None` for an invalid escape, which is kept as
/// written.
///
/// ```text
/// 2017, declarative, J19    exactly one number, hexadecimal digits of either case
/// D19                       S? (HexNumber (S HexNumber)* S?)?   HexNumber ::= [0-9A-F]+
/// ```
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::escape::unicode_characters;
///
/// let december = Rules::DECEMBER_2019.tagged.escape;
/// assert_eq!(unicode_characters("@#U 639 632@", december).as_deref(), Some("عز"));
/// assert_eq!(unicode_characters("@#U@", december).as_deref(), Some(""));
/// assert_eq!(unicode_characters("@#U11f@", december), None);
/// assert_eq!(unicode_characters("@#UD800@", december), None);
/// ```
pub fn unicode_characters(raw: &str, grammar: Escape) -> Option<String> {
    let mut characters = String::new();
    push_characters(raw, grammar, |character| characters.push(character)).then_some(characters)
}

/// Calls `push` with each character that a Unicode escape encodes. Returns whether the escape is valid.
pub fn push_characters(raw: &str, grammar: Escape, mut push: impl FnMut(char)) -> bool {
    let value = raw.strip_prefix("@#U").unwrap_or_default();
    let value = value.strip_suffix(' ').filter(|_| !grammar.groups_characters()).unwrap_or(value);
    let Some(value) = value.strip_suffix('@') else { return false };
    if !grammar.groups_characters() {
        return parse_code_point(value).map(push).is_some();
    }
    value.split([' ', '\t']).filter(|number| !number.is_empty()).all(|number| {
        let upper = !number.bytes().any(|digit| digit.is_ascii_lowercase());
        parse_code_point(number).filter(|_| upper).map(&mut push).is_some()
    })
}

/// Returns the character with a hexadecimal number. Returns `None` if the number is not that of a character (Basic
/// Concepts, `Char`).
fn parse_code_point(number: &str) -> Option<char> {
    let code = number.bytes().try_fold(0, |code: u32, digit| {
        let code = code << 4 | char::from(digit).to_digit(16)?;
        (code <= char::MAX as u32).then_some(code)
    });
    // An empty number is read as 0, which is not the number of a character either.
    let character = char::from_u32(code?)?;
    (!matches!(character, '\0' | '\u{FFFE}' | '\u{FFFF}')).then_some(character)
}

/// Returns the string that a payload encodes. Doubled at signs become single, and Unicode escapes become characters.
/// Other escapes are kept if `preserved` contains their type or if the grammar keeps all escapes; otherwise they are
/// dropped. The result borrows the payload if nothing changes.
///
/// In 2017, payloads have no Unicode escapes, because they are replaced before the text is split into lines.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::escape::{EscapeTypes, unescape};
///
/// let [january, december] = [Rules::JANUARY_2019.tagged.escape, Rules::DECEMBER_2019.tagged.escape];
/// assert_eq!(unescape("ABT @#DJULIAN@ 1540", december, EscapeTypes::NONE), "ABT @#DJULIAN@ 1540");
/// assert_eq!(unescape("ABT @#DJULIAN@ 1540", january, EscapeTypes::NONE), "ABT 1540");
/// assert_eq!(unescape("Jo@#UE3@o a@@b", december, EscapeTypes::NONE), "João a@b");
/// ```
pub fn unescape(payload: &str, grammar: Escape, preserved: EscapeTypes) -> Cow<'_, str> {
    if memchr::memchr(b'@', payload.as_bytes()).is_none() {
        return Cow::Borrowed(payload);
    }
    if tokens(payload, grammar).all(|(_, token)| stands_for_itself(token, grammar, preserved)) {
        return Cow::Borrowed(payload);
    }
    let mut out = String::with_capacity(payload.len());
    for (_, token) in tokens(payload, grammar) {
        push_meaning(&mut out, token, grammar, preserved);
    }
    Cow::Owned(out)
}

/// Returns whether the at signs of two payload lines belong only to calendar escapes, and the escapes are the same in
/// the same order. One such line can replace the other without parsing. The escape of the Gregorian calendar is
/// ignored, because that calendar is the default.
///
/// ```
/// use elf_base::Rules;
/// use elf_lines::escape::have_same_calendars;
///
/// let rules = Rules::WILD.tagged.escape;
/// assert!(have_same_calendars("@#DJULIAN@30 Jan 1648", "@#DJULIAN@ 30 JAN 1648", rules));
/// assert!(have_same_calendars("30 Jan 1648", "30 JAN 1648", rules));
/// assert!(have_same_calendars("@#DGREGORIAN@1 JAN 1900", "1 JAN 1900", rules));
/// assert!(!have_same_calendars("@#DJULIAN@ 30 JAN 1648", "30 JAN 1648", rules));
/// assert!(!have_same_calendars("@@#DJULIAN@@ 30 Jan 1648", "@#DJULIAN@ 30 JAN 1648", rules));
/// ```
pub fn have_same_calendars(one: &str, other: &str, grammar: Escape) -> bool {
    let is_calendar = |token: &Token<'_>| match token {
        Token::Text(_) => true,
        Token::Escape(_) => {
            token.escape_type() == Some('D') && stands_for_itself(*token, grammar, EscapeTypes::DATE)
        }
        Token::At | Token::Bare | Token::Broken | Token::Unicode(_) => false,
    };
    let calendars = |text| {
        let escapes = tokens(text, grammar).map(|(_, token)| token);
        escapes
            .filter(|token| matches!(token, Token::Escape(_)))
            .map(|token| token.raw().trim_end_matches(' '))
            .filter(|escape| *escape != "@#DGREGORIAN@")
    };
    let are_all = |text| tokens(text, grammar).all(|(_, token)| is_calendar(&token));
    are_all(one) && are_all(other) && calendars(one).eq(calendars(other))
}

/// Returns whether [`push_meaning`] certainly appends the token exactly as it is written.
fn stands_for_itself(token: Token<'_>, grammar: Escape, preserved: EscapeTypes) -> bool {
    match token {
        Token::Text(_) | Token::Bare | Token::Broken => true,
        Token::At | Token::Unicode(_) => false,
        Token::Escape(raw) => {
            let keep =
                !grammar.is_by_tag() || token.escape_type().is_some_and(|kind| preserved.contains(kind));
            keep && (!grammar.ends_in_space() || raw.ends_with(' '))
        }
    }
}

/// Appends the text that a token represents.
pub fn push_meaning(out: &mut String, token: Token<'_>, grammar: Escape, preserved: EscapeTypes) {
    match token {
        Token::Text(text) => out.push_str(text),
        Token::At | Token::Bare | Token::Broken => out.push('@'),
        Token::Unicode(raw) => {
            let before = out.len();
            if !push_characters(raw, grammar, |character| out.push(character)) {
                out.truncate(before);
                // The declarative draft removes unknown escapes (RDX, decoding of escapes).
                if !grammar.drops_unknown() {
                    out.push_str(raw);
                }
            }
        }
        Token::Escape(raw) => {
            let keep =
                !grammar.is_by_tag() || token.escape_type().is_some_and(|kind| preserved.contains(kind));
            if keep {
                out.push_str(raw);
                // An escape that was read without its final space gets one. Only the rules of the declarative draft
                // read such an escape.
                if grammar.ends_in_space() && !raw.ends_with(' ') {
                    out.push(' ');
                }
            }
        }
    }
}

/// A set of escape types. Every capital letter except U is a type (J19 *Escape preservation*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EscapeTypes(u32);

impl EscapeTypes {
    /// The empty set.
    pub const NONE: EscapeTypes = EscapeTypes(0);

    /// The set that contains only the type D, which is the type of calendar escapes in dates (D19 *Permitted escapes*).
    pub const DATE: EscapeTypes = EscapeTypes(1 << (b'D' - b'A'));

    /// The set of all types.
    pub const ALL: EscapeTypes = EscapeTypes(((1 << 26) - 1) & !(1 << (b'U' - b'A')));

    /// Returns the types that are in both sets.
    #[must_use]
    pub const fn and(self, other: EscapeTypes) -> EscapeTypes {
        EscapeTypes(self.0 & other.0)
    }

    /// Creates the set of the types in `letters`. Returns `None` if a character is not in `[A-TV-Z]`.
    ///
    /// ```
    /// use elf_lines::escape::EscapeTypes;
    /// assert!(EscapeTypes::of("QG") == EscapeTypes::of("GQQ"));
    /// assert!(EscapeTypes::of("DU").is_none());
    /// ```
    pub fn of(letters: &str) -> Option<EscapeTypes> {
        let mut types = 0;
        for letter in letters.bytes() {
            if !letter.is_ascii_uppercase() || letter == b'U' {
                return None;
            }
            types |= 1 << (letter - b'A');
        }
        Some(EscapeTypes(types))
    }

    /// Returns whether the set contains this type.
    pub const fn contains(self, letter: char) -> bool {
        letter.is_ascii_uppercase() && self.0 & (1 << (letter as u32 - 'A' as u32)) != 0
    }

    /// Returns the types of the set in alphabetical order.
    pub fn letters(self) -> impl Iterator<Item = char> {
        ('A'..='Z').filter(move |&letter| self.contains(letter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Rules;

    fn raw(payload: &str, rules: &Rules) -> Vec<String> {
        tokens(payload, rules.tagged.escape).map(|(_, token)| token.raw().to_owned()).collect()
    }

    #[test]
    fn runs_of_at_signs_are_paired_from_the_left() {
        let d = &Rules::DECEMBER_2019;
        assert_eq!(raw("name@@@example.com", d), ["name", "@@", "@", "example.com"]);
        assert_eq!(raw("some@@#XYZ@thing", d), ["some", "@@", "#XYZ", "@", "thing"]);
        assert_eq!(raw("@#XA@@#YB@", d), ["@#XA@", "@#YB@"]);
        assert_eq!(raw("some@@@#XYZ@ thing", &Rules::JANUARY_2019), ["some", "@@", "@#XYZ@ ", "thing"]);
    }

    #[test]
    fn the_probe_that_separates_the_drafts_at_the_final_space() {
        let read =
            |payload, rules: &Rules| unescape(payload, rules.tagged.escape, EscapeTypes::NONE).into_owned();
        assert_eq!(read("Jo@#UE3@ o", &Rules::JANUARY_2019), "João");
        assert_eq!(read("Jo@#UE3@ o", &Rules::DECLARATIVE), "João");
        assert_eq!(read("Jo@#UE3@ o", &Rules::DECEMBER_2019), "Joã o");
        assert_eq!(read("Jo@#UE3@o", &Rules::DECLARATIVE), "João");
        assert_eq!(read("Jo@#UE3@o", &Rules::JANUARY_2019), "Jo@#UE3@o");
        assert_eq!(read("some@#XYZ@thing", &Rules::DECLARATIVE), "something");
    }

    #[test]
    fn the_pairs_of_2017_are_found_before_its_escapes() {
        let read =
            |payload| unescape(payload, Rules::OCTOBER_2017.tagged.escape, EscapeTypes::NONE).into_owned();
        for spelling in ["@@#x@@", "@@#x@", "@#x@@", "@#x@"] {
            assert_eq!(read(spelling), "@#x@", "{spelling}");
        }
        assert_eq!(read("@#a@@#b@"), "@#a@#b@");
        for (line, conforms) in [("@#a@@#b@", true), ("@#a@@@#b@", false), ("a@@@#@", true), ("@#a@@", false)]
        {
            assert_eq!(is_payload_line_of_2017(line), conforms, "{line}");
        }
        assert_eq!(read("@#a@@@"), "@#a@@");
        assert_eq!(raw("a@@@#b@", &Rules::OCTOBER_2017), ["a", "@@", "@#b@"]);
    }
}
