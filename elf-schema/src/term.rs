//! Terms: the IRIs that name structure types (J19 §2.4; Basic Concepts §4.1).
//!
//! Terms are compared character by character, without normalisation. Prefixes must be expanded *before* a text is
//! treated as an IRI: `elf:BIRTH`, for example, is itself a well-formed IRI with the scheme `elf`.

/// The namespace of the terms of ELF (J19 §1). The drafts of 2017 have the same with the `http` scheme.
pub const NAMESPACE: &str = "https://terms.fhiso.org/elf/";

/// The namespace of the terms of ELF in the drafts of 2017 (O17 §6.2).
pub const NAMESPACE_2017: &str = "http://terms.fhiso.org/elf/";

/// The type of undefined structures with the tag UNDEF (J19 §3.3).
pub const UNDEFINED: &str = "https://terms.fhiso.org/elf/Undefined";

/// Returns whether `text` is an absolute IRI (RFC 3987 §2.2).
///
/// ```
/// use elf_schema::term::is_iri;
///
/// assert!(is_iri("https://e.example/Straße") && is_iri("elf:BIRTH"));
/// assert!(!is_iri("BIRTH") && !is_iri("https://e.example/a b"));
/// ```
pub fn is_iri(text: &str) -> bool {
    oxiri::Iri::parse(text).is_ok()
}

/// Returns the undefined tag identifier of `tag` (J19 §2.4, §3.3): `elf:Undefined` for UNDEF, `elf:Undefined#TAG` for
/// other tags.
///
/// ```
/// assert_eq!(elf_schema::term::undefined("_UID"), "https://terms.fhiso.org/elf/Undefined#_UID");
/// ```
pub fn undefined(tag: &str) -> String {
    if tag == "UNDEF" { UNDEFINED.to_owned() } else { format!("{UNDEFINED}#{tag}") }
}

/// Returns the tag of an undefined tag identifier (`UNDEF` for `elf:Undefined`), or `None` for other types.
///
/// ```
/// use elf_schema::term::{undefined, undefined_tag};
///
/// assert_eq!(undefined_tag(&undefined("_UID")), Some("_UID"));
/// assert_eq!(undefined_tag("https://terms.fhiso.org/elf/BIRTH"), None);
/// ```
pub fn undefined_tag(iri: &str) -> Option<&str> {
    match iri.strip_prefix(UNDEFINED)? {
        "" => Some("UNDEF"),
        rest => rest.strip_prefix('#').filter(|tag| elf_tagged::elf_lines::is_tag(tag)),
    }
}

/// Returns whether an IRI can be a term: it must stay the same if it is converted to a URI (RFC 3987 §3.1) and back
/// (§3.2; Basic Concepts §4.1). `iri` must be an IRI.
///
/// ```
/// use elf_schema::term::survives_uri;
///
/// assert!(survives_uri("https://e.example/é") && survives_uri("https://e.example/a%20b"));
/// // Comes back as `é` and as `A`.
/// assert!(!survives_uri("https://e.example/%C3%A9") && !survives_uri("https://e.example/%41"));
/// ```
pub fn survives_uri(iri: &str) -> bool {
    // Conversion changes nothing else.
    if iri.is_ascii() && !iri.contains('%') {
        return true;
    }
    let mut query = false;
    let mut fragment = false;
    let mut at = 0;
    while let Some(c) = iri.get(at..).and_then(|rest| rest.chars().next()) {
        match c {
            '%' => {
                let run = parse_percent_run(iri, at);
                if !run_survives(&run, query && !fragment) {
                    return false;
                }
                at += 3 * run.len().max(1);
                continue;
            }
            '?' if !fragment => query = true,
            '#' => fragment = true,
            // Conversion percent-encodes the character; only characters that are allowed in an IRI are decoded again.
            c if !c.is_ascii() && !is_decoded(c, query && !fragment) => return false,
            _ => {}
        }
        at += c.len_utf8();
    }
    true
}

/// Returns the bytes of the percent-encodings that start at `at`, each with its spelling.
fn parse_percent_run(iri: &str, mut at: usize) -> Vec<(u8, &str)> {
    let mut run = Vec::new();
    while let Some(spelling) = iri.get(at..at + 3).filter(|text| text.starts_with('%')) {
        let Some(octet) = spelling.get(1..).and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            break;
        };
        run.push((octet, spelling));
        at += 3;
    }
    run
}

/// Returns whether decoding and encoding a run of percent-encodings returns the same text (RFC 3987 §3.2, steps 2 to
/// 4).
fn run_survives(run: &[(u8, &str)], query: bool) -> bool {
    let octets: Vec<u8> = run.iter().map(|(octet, _)| *octet).collect();
    let mut at = 0;
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            let spelled = run.get(at..at + c.len_utf8()).unwrap_or_default();
            let survives = if c.is_ascii() {
                // Only unreserved characters are decoded; others are left unchanged, including the case of their
                // digits.
                !(c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~'))
            } else {
                !is_decoded(c, query) && spelled.iter().all(|(_, spelling)| is_upper(spelling))
            };
            if !survives {
                return false;
            }
            at += c.len_utf8();
        }
        // Bytes that are not UTF-8 are encoded again, in upper case.
        let end = at + chunk.invalid().len();
        if !run.get(at..end).unwrap_or_default().iter().all(|(_, spelling)| is_upper(spelling)) {
            return false;
        }
        at = end;
    }
    true
}

fn is_upper(spelling: &str) -> bool {
    !spelling.contains(|c: char| c.is_ascii_lowercase())
}

/// Returns whether a percent-encoded non-ASCII character is decoded: if an IRI may contain it (RFC 3987 §2.2), except
/// marks of writing direction (§4.1).
fn is_decoded(c: char, query: bool) -> bool {
    match c {
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' => false,
        '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}' => true,
        '\u{10000}'..='\u{EFFFF}' => {
            let low = u32::from(c) & 0xFFFF;
            low < 0xFFFE && !('\u{E0000}'..='\u{E0FFF}').contains(&c)
        }
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}' => query,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_as_it_was_is_a_term() {
        for iri in [
            "https://terms.fhiso.org/elf/CENSUS#Family",
            "https://e.example/%2F?a%25b",
            "https://e.example/%2f",
            "https://e.example/%FF",
            "https://e.example/%E2%80%AE",
            "https://e.example/?q=\u{E000}",
        ] {
            assert!(is_iri(iri) && survives_uri(iri), "{iri}");
        }
    }

    #[test]
    fn what_comes_back_otherwise_is_none() {
        for iri in [
            "https://e.example/%C3%A9",
            "https://e.example/%7E",
            "https://e.example/%ff",
            "https://e.example/%e2%80%ae",
            "https://e.example/a\u{200E}b",
            "https://e.example/?q=%EE%80%80",
        ] {
            assert!(!survives_uri(iri), "{iri}");
        }
    }

    #[test]
    fn undefined_identifiers_and_their_tags() {
        assert_eq!(undefined("UNDEF"), UNDEFINED);
        assert_eq!(undefined_tag(UNDEFINED), Some("UNDEF"));
        assert_eq!(undefined_tag("https://terms.fhiso.org/elf/Undefined#A-B"), None);
        assert_eq!(undefined_tag("https://terms.fhiso.org/elf/UndefinedX"), None);
    }
}
