//! Writes XML elements and texts.

use std::fmt::Write;

/// Writes elements and texts, and escapes all text.
#[derive(Debug, Default)]
pub(super) struct Markup {
    out: String,
    open: Vec<&'static str>,
}

impl Markup {
    pub(super) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
        self.open.push(name);
    }

    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = write!(self.out, "</{name}>");
        }
    }

    pub(super) fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>");
    }

    /// Writes an element with a text.
    pub(super) fn leaf(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.text(text);
        self.close();
    }

    pub(super) fn line_break(&mut self) {
        self.out.push('\n');
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        let _ = write!(self.out, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push_str(end);
    }

    pub(super) fn text(&mut self, text: &str) {
        for char in text.chars() {
            match char {
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '&' => self.out.push_str("&amp;"),
                '"' => self.out.push_str("&quot;"),
                '\n' => self.out.push('\n'),
                // XML 1.0 allows no other control characters, and neither U+FFFE nor U+FFFF.
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
                _ => self.out.push(char),
            }
        }
    }
}

/// Formats a number with at most one decimal.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
