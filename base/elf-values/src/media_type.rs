//! Media types, which name formats of files (RFC 6838 §4.2, RFC 2045 §5.1; GEDCOM 7 `FORM`).
//!
//! ```text
//! MediaType ::= Name "/" Name ( OWS ";" OWS Token "=" ( Token | Quoted ) )*
//! Name      ::= [A-Za-z0-9] [A-Za-z0-9!#$&^_.+-]*
//! ```

use crate::problem::Malformed;
use crate::scan::Cursor;

/// A media type, such as `image/jpeg`.
///
/// ```
/// use elf_values::MediaType;
///
/// let found = MediaType::parse("text/plain; charset=UTF-8")?;
/// assert_eq!((found.kind(), found.subtype(), found.parameters()), ("text", "plain", "; charset=UTF-8"));
/// assert!(MediaType::parse("jpg").is_err());
/// # Ok::<(), elf_values::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MediaType<'t> {
    kind: &'t str,
    subtype: &'t str,
    parameters: &'t str,
}

/// The length of the longest name (RFC 6838 §4.2).
const LONGEST: usize = 127;

impl<'t> MediaType<'t> {
    /// Parses a payload.
    ///
    /// # Errors
    ///
    /// Returns [`Malformed`] with the first place that does not match the grammar.
    pub fn parse(text: &'t str) -> Result<MediaType<'t>, Malformed> {
        let mut cursor = Cursor::new(text);
        let kind = read_name(text, &mut cursor, "a type such as `image`")?;
        if !cursor.skip_literal("/") {
            return Err(unexpected_text(text, &cursor, "`/` and a subtype"));
        }
        let subtype = read_name(text, &mut cursor, "a subtype such as `jpeg`")?;
        let parameters = cursor.rest();
        while !cursor.is_done() {
            read_parameter(text, &mut cursor)?;
        }
        Ok(MediaType { kind, subtype, parameters })
    }

    /// Returns the type before the slash as written. Case is not significant.
    pub const fn kind(self) -> &'t str {
        self.kind
    }

    /// Returns the subtype after the slash as written. Case is not significant.
    pub const fn subtype(self) -> &'t str {
        self.subtype
    }

    /// Returns the parameters with their semicolons; empty if there are none.
    pub const fn parameters(self) -> &'t str {
        self.parameters
    }
}

fn read_name<'t>(
    text: &'t str,
    cursor: &mut Cursor<'t>,
    expected: &'static str,
) -> Result<&'t str, Malformed> {
    let start = *cursor;
    let name = cursor.read_while(|c| c.is_ascii_alphanumeric() || "!#$&^_.+-".contains(c));
    let fits = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.len() <= LONGEST;
    if fits { Ok(name) } else { Err(unexpected_text(text, &start, expected)) }
}

/// Reads a parameter, `OWS ";" OWS Token "=" ( Token | Quoted )`.
fn read_parameter(text: &str, cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
    let is_token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?=".contains(c);
    cursor.skip_space();
    if !cursor.skip_literal(";") {
        return Err(unexpected_text(text, cursor, "`;` and a parameter"));
    }
    cursor.skip_space();
    if cursor.read_while(is_token).is_empty() || !cursor.skip_literal("=") {
        return Err(unexpected_text(text, cursor, "a parameter such as `charset=UTF-8`"));
    }
    if !cursor.skip_literal("\"") {
        let value = cursor.read_while(is_token);
        return if value.is_empty() { Err(unexpected_text(text, cursor, "a value")) } else { Ok(()) };
    }
    loop {
        cursor.read_while(|c| !matches!(c, '"' | '\\'));
        if cursor.skip_literal("\"") {
            return Ok(());
        }
        // A backslash escapes the character after it.
        let is_quoted = cursor.skip_literal("\\\\") || cursor.skip_literal("\\\"");
        let other = !is_quoted && cursor.skip_literal("\\");
        if !is_quoted && !other {
            return Err(unexpected_text(text, cursor, "`\"` at the end of the value"));
        }
    }
}

fn unexpected_text(text: &str, cursor: &Cursor<'_>, expected: &'static str) -> Malformed {
    let mut ahead = *cursor;
    let start = ahead.position();
    ahead.read_word();
    Malformed::new(text, ahead.span_from(start), expected)
}
