//! The one writer of markup: whatever comes from a file becomes text.

use crate::sanitise;
use std::io::{self, Write};

/// Writes elements that are closed in the order in which they were opened, and text between them.
///
/// Names of elements and attributes are those of this program. Texts and values of attributes may come from
/// a file: characters that markup is made of are escaped, and those that are not seen, or that turn the order
/// of others around, are replaced by ones that stand for them.
pub(crate) struct Markup<'o> {
    out: &'o mut dyn Write,
    open: Vec<&'static str>,
}

/// An attribute and its value.
pub(crate) type Attribute<'a> = (&'static str, &'a str);

impl<'o> Markup<'o> {
    /// Makes a writer of a piece of a page.
    pub(crate) fn new(out: &'o mut dyn Write) -> Markup<'o> {
        Markup { out, open: Vec::new() }
    }

    /// Makes a writer that goes on inside elements that another one opened.
    pub(crate) fn inside(out: &'o mut dyn Write, open: &[&'static str]) -> Markup<'o> {
        Markup { out, open: open.to_vec() }
    }

    /// Opens an element.
    pub(crate) fn open(&mut self, name: &'static str, attributes: &[Attribute<'_>]) -> io::Result<()> {
        self.tag(name, attributes)?;
        self.open.push(name);
        Ok(())
    }

    /// Closes the element that was opened last.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        let name = self.open.pop();
        debug_assert!(name.is_some(), "more is closed than was opened");
        match name {
            Some(name) => write!(self.out, "</{name}>"),
            None => Ok(()),
        }
    }

    /// Closes the element that was opened last, and ends the line.
    pub(crate) fn close_line(&mut self) -> io::Result<()> {
        self.close()?;
        self.out.write_all(b"\n")
    }

    /// Writes an element that has no content and no end.
    pub(crate) fn void(&mut self, name: &'static str, attributes: &[Attribute<'_>]) -> io::Result<()> {
        self.tag(name, attributes)
    }

    /// Writes an element with text in it.
    pub(crate) fn element(
        &mut self,
        name: &'static str,
        attributes: &[Attribute<'_>],
        text: &str,
    ) -> io::Result<()> {
        self.tag(name, attributes)?;
        self.text(text)?;
        write!(self.out, "</{name}>")
    }

    /// Writes text, from a file or not.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        let text = sanitise(text);
        let mut rest = &*text;
        let found = |rest: &str| rest.char_indices().find_map(|(at, c)| Some((at, c.len_utf8(), escape(c)?)));
        while let Some((at, length, escape)) = found(rest) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            self.out.write_all(before.as_bytes())?;
            self.out.write_all(escape.as_bytes())?;
            rest = from.get(length..).unwrap_or_default();
        }
        self.out.write_all(rest.as_bytes())
    }

    /// Writes what this program has as it is: style and script, in which nothing comes from a file.
    pub(crate) fn verbatim(&mut self, text: &'static str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    fn tag(&mut self, name: &'static str, attributes: &[Attribute<'_>]) -> io::Result<()> {
        write!(self.out, "<{name}")?;
        for (name, value) in attributes {
            write!(self.out, " {name}=\"")?;
            self.text(value)?;
            self.out.write_all(b"\"")?;
        }
        self.out.write_all(b">")
    }
}

/// The escape of a character that means something in HTML, between tags or in the value of an attribute; or
/// that may not stand there, which the last two of each plane may not, being no characters.
const fn escape(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        _ if c as u32 & 0xFFFE == 0xFFFE || matches!(c, '\u{fdd0}'..='\u{fdef}') => Some("\u{fffd}"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let mut out = Vec::new();
        let mut markup = Markup::new(&mut out);
        markup.open("p", &[("title", text)]).expect("memory");
        markup.text(text).expect("memory");
        markup.close().expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        for (text, expected) in [
            ("Ada King", "Ada King"),
            ("<script>", "&lt;script&gt;"),
            ("\" onload='x' &lt;", "&quot; onload=&#39;x&#39; &amp;lt;"),
            ("]]>-->", "]]&gt;--&gt;"),
            ("a\u{2028}b\u{202e}c\0\r\n", "a\u{fffd}b\u{fffd}c␀␍␊"),
            ("a\u{fffe}b\u{ffff}c\u{10ffff}d\u{fdd0}e", "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e"),
            ("Ёлка 山田 א👪\t", "Ёлка 山田 א👪\t"),
        ] {
            assert_eq!(written(text), format!("<p title=\"{expected}\">{expected}</p>"));
        }
    }

    proptest! {
        #[test]
        fn no_text_ends_what_it_stands_in(text in any::<String>()) {
            let html = written(&text);
            prop_assert_eq!(html.matches(['<', '>']).count(), 4);
            prop_assert_eq!(html.matches(['"', '\'']).count(), 2);
            let is_hidden = |c: char| c.is_control() && c != '\t';
            prop_assert!(!html.contains(is_hidden));
        }
    }
}
