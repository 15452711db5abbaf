//! Matches names with patterns that contain wildcards.

/// Returns whether a name matches a pattern with the wildcards `*` (any characters) and `?` (one character).
///
/// ```
/// assert!(elf_archive::is_match("*.GED", "family.ged", true));
/// ```
pub fn is_match(pattern: &str, name: &str, ignore_case: bool) -> bool {
    let fold = |text: &str| -> Vec<char> {
        if ignore_case { text.to_lowercase().chars().collect() } else { text.chars().collect() }
    };
    let (pattern, name) = (fold(pattern), fold(name));
    let (mut at, mut place) = (0, 0);
    // This is the position after the last star, and the end of the text that the star matches.
    let mut star: Option<(usize, usize)> = None;
    while let Some(character) = name.get(place) {
        match pattern.get(at) {
            Some('*') => {
                at += 1;
                star = Some((at, place));
            }
            Some(expected) if expected == character || *expected == '?' => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((behind, reach)) = star else { return false };
                star = Some((behind, reach + 1));
                (at, place) = (behind, reach + 1);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_names() {
        let fits = [("*", ""), ("*.ged", "a.ged"), ("a?c", "abc"), ("*a*b", "xaxbxb"), ("?", "é")];
        for (pattern, name) in fits {
            assert!(is_match(pattern, name, false), "{pattern} {name}");
        }
        for (pattern, name) in [("*.ged", "a.gedcom"), ("?", ""), ("a", "b"), ("*ab", "ba"), ("a*", "b")] {
            assert!(!is_match(pattern, name, false), "{pattern} {name}");
        }
    }
}
