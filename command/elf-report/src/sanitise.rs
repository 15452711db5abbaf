//! Makes strings from a file safe to print.

use std::borrow::Cow;

/// Replaces every character that a terminal would obey, or that is invisible.
///
/// All text from a file passes through this function before a person sees it: messages, paths,
/// tags, identifiers, payloads and excerpts. C0 controls and U+007F become their pictures (U+2400
/// and following), so that a line ending in a payload is shown as `␊`. Other controls,
/// bidirectional overrides and isolates, zero-width and other invisible characters become `▯`.
/// U+FFFD only stands for bytes that could not be decoded. Tabs are kept. A variation selector is
/// kept after a visible character, as in `❤️`; a run of them may be a hidden text. Each character
/// is replaced by exactly one, so that columns stay correct.
pub fn sanitise(text: &str) -> Cow<'_, str> {
    if !text.contains(|char| is_unsafe(char) || is_variation_selector(char)) {
        return Cow::Borrowed(text);
    }
    let mut follows_visible = false;
    let replaced = text.chars().map(|char| {
        let is_selector = is_variation_selector(char);
        let is_hidden = is_unsafe(char) || is_selector && !follows_visible;
        follows_visible = !is_hidden && !is_selector;
        if is_hidden { picture_of_control(char) } else { char }
    });
    Cow::Owned(replaced.collect())
}

/// Returns whether `char` selects a look of the character before it, such as a picture instead of a text.
const fn is_variation_selector(char: char) -> bool {
    matches!(char, '\u{fe00}'..='\u{fe0f}')
}

/// Returns whether a terminal might obey `char`, or show nothing for it.
fn is_unsafe(char: char) -> bool {
    match char {
        '\t' => false,
        ' '..='~' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Soft hyphen, combining grapheme joiner, Arabic letter mark, Hangul fillers, Khmer inherent vowels, Mongolian separators.
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' => true,
        // Zero-width characters, directional marks, line and paragraph separators, embeddings and overrides.
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        // Invisible operators, isolates, deprecated format characters.
        '\u{2060}'..='\u{206f}' => true,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        // Musical and shorthand format controls, tags.
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

fn picture_of_control(char: char) -> char {
    match char {
        '\u{7f}' => '\u{2421}',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + char as u32).unwrap_or(INVISIBLE),
        _ => INVISIBLE,
    }
}

/// The replacement for an invisible character.
const INVISIBLE: char = '▯';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_borrowed() {
        for text in ["", "1 NAME Élise /Dupont/", "\ttabs\tstay", "Ёлка 山田 א", "e\u{301} 👪"] {
            assert!(matches!(sanitise(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn what_a_terminal_obeys_is_seen_instead() {
        assert_eq!(sanitise("\u{1b}[31mred\u{1b}[0m"), "␛[31mred␛[0m");
        assert_eq!(sanitise("a\nb\r\u{7f}\0"), "a␊b␍␡␀");
        assert_eq!(sanitise("\u{9b}31m"), "▯31m");
        assert_eq!(sanitise("\u{fffd}"), "\u{fffd}");
    }

    #[test]
    fn what_an_eye_would_not_see_is_shown() {
        for hidden in ('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}')
            .chain('\u{200b}'..='\u{200f}')
            .chain(['\u{2028}', '\u{2029}', '\u{feff}', '\u{2060}', '\u{ad}', '\u{e0041}'])
        {
            assert_eq!(sanitise(&format!("a{hidden}b")), "a▯b", "U+{:04X}", hidden as u32);
        }
    }

    #[test]
    fn only_one_variation_selector_is_kept() {
        assert_eq!(sanitise("❤\u{fe0f} a"), "❤\u{fe0f} a");
        assert_eq!(sanitise("❤\u{fe0f}\u{fe01}\u{fe02}b\u{fe00}"), "❤\u{fe0f}▯▯b\u{fe00}");
        assert_eq!(sanitise("\u{fe00}b\u{200b}\u{fe00}"), "▯b▯▯");
    }

    #[test]
    fn columns_hold() {
        let text = "1 NOTE \u{1b}]0;title\u{7}\u{202e}é";
        assert_eq!(sanitise(text).chars().count(), text.chars().count());
    }
}
