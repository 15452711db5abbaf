//! Recognises the draft for which a file was written.
//!
//! No draft defines how this is recognised, so the draft is inferred from the header. The version number does not help,
//! because it is 1.0.0 in every draft that has one.

use elf_base::{Draft, Version};

/// The draft that a header most likely follows, and the evidence for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recognition {
    /// The most likely draft. `None` if the text does not start with a header, or if the header is that of GEDCOM 7.
    pub likely: Option<Draft>,
    /// The feature of the header by which the draft was recognised.
    pub because: &'static str,
    /// Whether the header also has features of other drafts.
    pub mixed: bool,
}

/// Recognises the draft from the header of a decoded text.
///
/// ```
/// use elf_base::Draft;
/// use elf_tagged::recognise;
///
/// assert_eq!(recognise("0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n0 TRLR\n").likely, Some(Draft::December2019));
/// assert_eq!(recognise("0 HEAD\n1 SCHMA\n2 SCHMA https://e.example/\n0 TRLR\n").likely, Some(Draft::January2019));
/// assert_eq!(recognise("0 HEAD\n1 DEFN _X http://e.example/X\n0 TRLR\n").likely, Some(Draft::October2017));
/// ```
pub fn recognise(text: &str) -> Recognition {
    let mut marks = Marks::default();
    let mut parent = String::new();
    let mut records = 0;
    for line in text.split(['\n', '\r']) {
        let line = line.trim_matches([' ', '\t']);
        let mut parts = line.splitn(3, [' ', '\t']);
        let (Some(level), Some(tag)) = (parts.next(), parts.next()) else { continue };
        let payload = parts.next().unwrap_or_default().trim_matches([' ', '\t']);
        match level {
            "0" => {
                records += 1;
                if records == 2 || !tag.eq_ignore_ascii_case("HEAD") {
                    break;
                }
            }
            "1" => {
                tag.clone_into(&mut parent);
                match tag {
                    "ELF" | "PLANG" => marks.december = Some("HEAD contains ELF or PLANG"),
                    "SCHMA" if !payload.is_empty() => marks.december = Some("SCHMA under HEAD names an IRI"),
                    "SCHMA" => marks.schema = true,
                    "PRFX" | "DEFN" => marks.dictionary = true,
                    _ => {}
                }
            }
            "2" => match (&*parent, tag) {
                ("SCHMA", "SCHMA") => marks.external = true,
                ("GEDC", "ELF") => marks.elf_in_gedc = true,
                ("GEDC", "VERS") => {
                    marks.gedcom_7 |= Version::parse(payload).is_some_and(|version| version.major() == "7");
                }
                _ => {}
            },
            _ => {}
        }
    }
    if records == 0 {
        return Recognition { likely: None, because: "the file has no header", mixed: false };
    }
    marks.recognise_draft()
}

#[derive(Default)]
struct Marks {
    december: Option<&'static str>,
    schema: bool,
    external: bool,
    dictionary: bool,
    elf_in_gedc: bool,
    gedcom_7: bool,
}

impl Marks {
    fn recognise_draft(&self) -> Recognition {
        let kinds = [self.december.is_some(), self.schema, self.dictionary];
        let mixed = kinds.into_iter().filter(|&mark| mark).count() > 1;
        if self.gedcom_7 && self.december.is_none() {
            let because = "VERS under GEDC says GEDCOM 7";
            return Recognition { likely: None, because, mixed };
        }
        let (likely, because) = if let Some(because) = self.december {
            (Draft::December2019, because)
        } else if self.external {
            (Draft::January2019, "SCHMA under HEAD contains another SCHMA, an external schema")
        } else if self.schema {
            (
                Draft::January2019,
                "SCHMA under HEAD contains definitions; the declarative draft has the same form",
            )
        } else if self.dictionary {
            (Draft::October2017, "HEAD contains PRFX or DEFN; the draft of July 2017 has the same form")
        } else if self.elf_in_gedc {
            (Draft::October2017, "GEDC contains ELF, and there is no SCHMA; this is a guess")
        } else {
            (
                Draft::December2019,
                "the header does not show which draft it is: plain GEDCOM, or December 2019",
            )
        };
        Recognition { likely: Some(likely), because, mixed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_two_drafts_are_called_mixed() {
        let found = recognise("0 HEAD\n1 ELF 1.0\n1 DEFN _X http://e.example/X\n0 TRLR\n");
        assert_eq!((found.likely, found.mixed), (Some(Draft::December2019), true));
    }

    #[test]
    fn gedcom_7_is_no_draft() {
        let found = recognise("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _X https://e.example/x\n0 TRLR\n");
        assert_eq!(found.likely, None);
        assert!(found.because.contains("GEDCOM 7"));
    }

    #[test]
    fn marks_after_the_header_do_not_count() {
        let found = recognise("0 HEAD\r\n1 GEDC\r\n2 VERS 5.5.1\r\n0 @I1@ INDI\r\n1 ELF x\r\n0 TRLR\r\n");
        assert_eq!(found.likely, Some(Draft::December2019));
        assert!(found.because.starts_with("the header does not show"));
        assert_eq!(recognise("<html>").likely, None);
    }
}
