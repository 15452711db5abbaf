//! Escapes of January 2019 (J19 §5.2 to §5.4).

/// A payload without its escapes.
pub(super) struct Unescaped {
    /// The string.
    pub(super) text: String,
    /// True if the draft does not say what a Unicode escape stands for.
    pub(super) is_unspecified: bool,
}

/// Unescapes a payload "in an earliest-match-first order" (J19 §5). `preserves` decides about escape types other than
/// U.
pub(super) fn unescape(payload: &str, preserves: impl Fn(char) -> bool) -> Unescaped {
    let mut unescaped = Unescaped { text: String::new(), is_unspecified: false };
    let mut rest = payload;
    while let Some(character) = rest.chars().next() {
        let length = if rest.starts_with("@@") {
            // §5.4: "each consecutive pair of U+0040 shall be parsed as a single U+0040"
            unescaped.text.push('@');
            2
        } else if let Some((escape, kind)) = escape(rest) {
            if kind == 'U' {
                match unicode_escape(escape) {
                    Some(character) => unescaped.text.push(character),
                    None => unescaped.is_unspecified = true,
                }
            } else if preserves(kind) {
                unescaped.text.push_str(escape);
            }
            escape.len()
        } else {
            // §5.4: "a lone U+0040 is left unmodified"
            unescaped.text.push(character);
            character.len_utf8()
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    unescaped
}

/// `Escape ::= "@#" EscType EscText "@ "`, `EscType ::= [A-Z]`, `EscText ::= [^#xA#xD#x40]*` (J19 §5.2).
fn escape(text: &str) -> Option<(&str, char)> {
    let (inner, behind) = text.strip_prefix("@#")?.split_once('@')?;
    let kind = inner.chars().next().filter(char::is_ascii_uppercase)?;
    if !behind.starts_with(' ') || inner.contains(['\r', '\n']) {
        return None;
    }
    Some((text.get(.."@#".len() + inner.len() + "@ ".len())?, kind))
}

/// "A hexadecimal encoding of the character's code point" (J19 §5.3).
fn unicode_escape(escape: &str) -> Option<char> {
    let digits = escape.strip_prefix("@#U")?.strip_suffix("@ ")?;
    if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    char::from_u32(code).filter(|character| super::characters::is_character(*character))
}
