//! Text from a file in an HTML page.

use crate::sanitise;
use maud::{Markup, Render, html};

/// Text that may come from a file. Use it as text or as the value of an attribute.
///
/// All text from files must be written with this type. It replaces characters that are invisible or reorder others;
/// then `maud` escapes the characters of markup.
pub(crate) struct Text<T>(pub(crate) T);

impl<T: AsRef<str>> Render for Text<T> {
    fn render_to(&self, page: &mut String) {
        let text = sanitise(self.0.as_ref());
        if text.contains(is_noncharacter) {
            text.replace(is_noncharacter, "\u{fffd}").render_to(page);
        } else {
            text.render_to(page);
        }
    }
}

/// Returns whether `char` is one of the noncharacters of Unicode, which HTML does not allow.
const fn is_noncharacter(char: char) -> bool {
    char as u32 & 0xFFFE == 0xFFFE || matches!(char, '\u{fdd0}'..='\u{fdef}')
}

/// Renders a text, with the parts between backticks as code.
pub(crate) fn render_with_code(text: &str) -> Markup {
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without a closing one is ordinary text.
    if parts.len().is_multiple_of(2) {
        return html! { (Text(text)) };
    }
    html! {
        @for (at, part) in parts.into_iter().enumerate() {
            @if at % 2 == 1 { code { (Text(part)) } } @else { (Text(part)) }
        }
    }
}

/// Replaces line breaks by spaces.
pub(crate) fn join_lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        html! { p title=(Text(text)) { (Text(text)) } }.into_string()
    }

    #[test]
    fn nothing_in_a_text_is_markup() {
        for (text, expected) in [
            ("Ada King", "Ada King"),
            ("<script>", "&lt;script&gt;"),
            ("\" onload='x' &lt;", "&quot; onload='x' &amp;lt;"),
            ("]]>-->", "]]&gt;--&gt;"),
            ("a\u{2028}b\u{202e}c\0\r\n", "a▯b▯c␀␍␊"),
            ("a\u{fffe}b\u{ffff}c\u{10ffff}d\u{fdd0}e", "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e"),
            ("Ёлка 山田 א👪\t", "Ёлка 山田 א👪\t"),
        ] {
            assert_eq!(written(text), format!("<p title=\"{expected}\">{expected}</p>"));
        }
    }

    proptest! {
        #[test]
        fn no_text_ends_its_element_or_attribute(text in any::<String>()) {
            let html = written(&text);
            prop_assert_eq!(html.matches(['<', '>']).count(), 4);
            prop_assert_eq!(html.matches('"').count(), 2);
            let is_hidden = |c: char| c.is_control() && c != '\t';
            prop_assert!(!html.contains(is_hidden));
        }
    }

    #[test]
    fn backticks_mark_code() {
        for (text, html) in [
            ("invalid date `1 <X>`: no", "invalid date <code>1 &lt;X&gt;</code>: no"),
            ("none", "none"),
            ("a ` alone", "a ` alone"),
            ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ] {
            assert_eq!(render_with_code(text).into_string(), html);
        }
    }
}
