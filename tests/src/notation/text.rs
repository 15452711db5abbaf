//! Quoted strings and the escapes in them.

/// Parses a string in quotation marks at the start of `text`. Returns its content, still escaped, and the rest.
///
/// # Errors
///
/// `text` does not start with a quotation mark, or the closing one is missing.
pub fn parse_quoted(text: &str) -> Result<(&str, &str), String> {
    let inner =
        text.strip_prefix('"').ok_or_else(|| format!("expected a quotation mark, but found {text:?}"))?;
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Ok((&inner[..at], &inner[at + 1..])),
            _ => {}
        }
    }
    Err(format!("expected a closing quotation mark after {inner:?}"))
}

/// Decodes an escaped string to bytes: `\n`, `\r`, `\t`, `\\`, `\"`, `\xNN` (one byte), `\u{H}` and `\uHHHH` (one
/// character, in UTF-8). Everything else stands for itself, in UTF-8.
///
/// # Errors
///
/// An unknown escape.
pub fn decode_octets(escaped: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let wrong = || format!("expected an escape, but found {:?}", &rest[at..]);
        let mut characters = rest[at + 1..].chars();
        let kind = characters.next().ok_or_else(wrong)?;
        let after = characters.as_str();
        rest = match kind {
            'n' | 'r' | 't' | '\\' | '"' => {
                let octet = match kind {
                    'n' => b'\n',
                    'r' => b'\r',
                    't' => b'\t',
                    '"' => b'"',
                    _ => b'\\',
                };
                out.push(octet);
                after
            }
            'x' => {
                let digits = after.get(..2).ok_or_else(wrong)?;
                out.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
                &after[2..]
            }
            'u' => {
                let (digits, after) = match after.strip_prefix('{') {
                    Some(braced) => braced.split_once('}').ok_or_else(wrong)?,
                    None => after.split_at_checked(4).ok_or_else(wrong)?,
                };
                let number = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
                let character = char::from_u32(number).ok_or_else(wrong)?;
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                after
            }
            _ => return Err(wrong()),
        };
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

/// Decodes an escaped string to text, as [`octets`] does.
///
/// # Errors
///
/// Those of [`octets`], or bytes that are not UTF-8.
pub fn decode_text(escaped: &str) -> Result<String, String> {
    String::from_utf8(decode_octets(escaped)?).map_err(|_| format!("expected UTF-8 in {escaped:?}"))
}

/// Decodes a string of the January table, which also has `<space>` and `<U+H>`.
///
/// # Errors
///
/// Those of [`characters`].
pub fn decode_bracketed(escaped: &str) -> Result<String, String> {
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let after = &rest[at..];
        if let Some(after) = after.strip_prefix("<space>") {
            out.push(' ');
            rest = after;
        } else if let Some((digits, after)) = after.strip_prefix("<U+").and_then(|rest| rest.split_once('>'))
        {
            out.push_str("\\u{");
            out.push_str(digits);
            out.push('}');
            rest = after;
        } else {
            out.push('<');
            rest = &after[1..];
        }
    }
    out.push_str(rest);
    decode_text(&out)
}

/// Writes a text on one line, as the tables do: line breaks, tabs, quotation marks, backslashes and invisible
/// characters are escaped.
pub fn escape_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() || is_invisible(c) => out.push_str(&format!("\\u{{{:X}}}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// Spaces other than U+0020, combining marks, direction marks, and private use.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{E000}'..='\u{F8FF}' | '\u{FE20}'..='\u{FE2F}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Splits at `separator`, except within quotation marks and closed round brackets.
pub fn split_outside<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut quoted = false;
    let mut depth = 0_usize;
    while at < text.len() {
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { break };
        match c {
            '\\' if quoted => {
                at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            '"' => quoted = !quoted,
            '(' if !quoted && rest.contains(')') => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ if !quoted && depth == 0 && rest.starts_with(separator) => {
                parts.push(&text[start..at]);
                at += separator.len();
                start = at;
                continue;
            }
            _ => {}
        }
        at += c.len_utf8();
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_octets() {
        assert_eq!(
            decode_octets(r#"a\n\xFF\u{e9}\u00E9\"\\é"#),
            Ok(b"a\n\xFF\xC3\xA9\xC3\xA9\"\\\xC3\xA9".to_vec())
        );
        assert!(decode_octets(r"\q").is_err());
        assert!(decode_octets(r"\uD800").is_err());
        assert!(decode_text(r"\xFF").is_err());
    }

    #[test]
    fn a_quoted_string_ends_at_its_mark() {
        assert_eq!(parse_quoted(r#""a\"b" rest"#), Ok((r#"a\"b"#, " rest")));
        assert!(parse_quoted("a").is_err());
        assert!(parse_quoted("\"a").is_err());
    }

    #[test]
    fn brackets_name_characters() {
        assert_eq!(decode_bracketed(r"a<space><U+E9><b>\n"), Ok("a é<b>\n".to_owned()));
    }

    #[test]
    fn escaping_is_undone_by_reading() {
        for text in ["a\nb\r\t\"\\", "e\u{301}\u{7F}\u{FEFF}", "plain"] {
            assert_eq!(decode_text(&escape_text(text)).as_deref(), Ok(text));
        }
    }

    #[test]
    fn separators_in_strings_and_brackets_do_not_split() {
        assert_eq!(split_outside(r#"a " ; " (x ; y) ; b"#, " ; "), [r#"a " ; " (x ; y)"#, "b"]);
        assert_eq!(split_outside("a) ; b", " ; "), ["a)", "b"]);
    }
}
