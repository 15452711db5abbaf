//! Text in messages and fixtures.

/// Writes text on one line: line breaks, tabs, quotation marks, backslashes and invisible characters are
/// escaped.
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

/// Spaces other than U+0020, marks that change the letter before them, marks of direction, and private use.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{E000}'..='\u{F8FF}' | '\u{FE20}'..='\u{FE2F}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_on_one_line() {
        assert_eq!(escape_text("a\nb\r\t\"\\e\u{301}\u{7F}"), r#"a\nb\r\t\"\\e\u{301}\u{7F}"#);
    }
}
