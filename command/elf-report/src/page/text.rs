//! Text of a file in a page.

use crate::sanitise;
use maud::Render;

/// Text that may come from a file, as text or as the value of an attribute.
///
/// Every text of a file goes through this type: `maud` escapes the characters of markup, and characters that
/// are invisible or reorder others are replaced first.
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

#[cfg(test)]
mod tests {
    use super::*;
    use maud::html;
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
}
