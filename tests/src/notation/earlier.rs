//! The notation of `req-old.tsv`: `input -> expected`, alternatives after `;`. Both sides are mostly words;
//! what is in quotation marks and in hexadecimal can be taken as it is.

use super::text::{decode_bracketed, decode_octets, parse_quoted, split_outside};

/// The examples of a cell, as written.
pub fn split_examples(cell: &str) -> Vec<&str> {
    split_outside(cell, "; ")
}

/// The strings in quotation marks in an example, still escaped.
pub fn quoted_strings(example: &str) -> Vec<&str> {
    let mut strings = Vec::new();
    let mut rest = example;
    while let Some(at) = rest.find('"') {
        let Ok((content, after)) = parse_quoted(&rest[at..]) else { break };
        strings.push(content);
        rest = after;
    }
    strings
}

/// Parses bytes: pairs of hexadecimal digits, strings in quotation marks and, before a string, the name of the UTF-16
/// encoding it is in. The words `octets` and `then` may join them.
///
/// # Errors
///
/// Any other word.
pub fn parse_octets(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    let mut wide = None;
    while !rest.is_empty() {
        if rest.starts_with('"') {
            let (content, after) = parse_quoted(rest)?;
            match wide.take() {
                None => out.extend(decode_octets(content)?),
                Some(little) => {
                    for unit in decode_bracketed(content)?.encode_utf16() {
                        out.extend(if little { unit.to_le_bytes() } else { unit.to_be_bytes() });
                    }
                }
            }
            rest = after.trim_start();
            continue;
        }
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "octets" | "then" => {}
            "UTF-16LE" => wide = Some(true),
            "UTF-16BE" => wide = Some(false),
            _ if word.len() == 2 => {
                let octet =
                    u8::from_str_radix(word, 16).map_err(|_| format!("expected an octet: {word:?}"))?;
                out.push(octet);
            }
            _ => return Err(format!("expected octets, but found {word:?}")),
        }
        rest = after.trim_start();
    }
    if out.is_empty() { Err("expected octets, but found none".to_owned()) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_digits_strings_and_words() {
        assert_eq!(parse_octets(r#"EF BB BF then "0\n""#), Ok(vec![0xEF, 0xBB, 0xBF, b'0', b'\n']));
        assert_eq!(parse_octets(r#"octets "a " E2 65 "b""#), Ok(b"a \xE2\x65b".to_vec()));
        assert_eq!(parse_octets(r#"FF FE then UTF-16LE "0""#), Ok(vec![0xFF, 0xFE, 0x30, 0]));
        assert!(parse_octets("30 20 with charset").is_err());
        assert!(parse_octets("").is_err());
    }

    #[test]
    fn examples_are_cut_outside_quotation_marks() {
        let cell = r#"lines "0HEAD\n", "0 @I1@INDI\n" -> not Lines; line "a; b" -> not a Line"#;
        let all = split_examples(cell);
        assert_eq!(all.len(), 2);
        assert_eq!(quoted_strings(all[0]), [r"0HEAD\n", r"0 @I1@INDI\n"]);
    }
}
