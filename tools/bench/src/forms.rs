//! Bench data in other encodings and formats.

use crate::data;
#[cfg(feature = "peers")]
use crate::foreign;
use elf_octets::Encoding;
use elf_octets::elf_base::Rules;
use xtask::generate::Plan;

/// The encoding and format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// GEDCOM in UTF-8, as generated.
    Gedcom,
    /// GEDCOM in UTF-8 with CR LF for line breaks.
    CrLf,
    /// GEDCOM in UTF-8 with accents on a tenth of all characters.
    Accented,
    /// GEDCOM in ANSEL.
    Ansel,
    /// The accented file in ANSEL.
    AccentedAnsel,
    /// The payloads of all dates of the GEDCOM file, one a line.
    Dates,
    /// GEDCOM in UTF-16LE.
    Utf16Le,
    /// The accented file in UTF-16LE.
    AccentedUtf16Le,
    /// GEDCOM in UTF-8 with the header that GEDCOM 5.5.5 demands, byte-order mark included: the form that
    /// `gedcom-core` reads.
    #[cfg(feature = "peers")]
    Gedcom555,
    /// An element for each structure, `xref` as an attribute, the payload as text.
    #[cfg(feature = "peers")]
    Xml,
    /// An object for each structure: `tag`, `xref`, `payload`, `substructures`.
    #[cfg(feature = "peers")]
    Json,
}

impl Form {
    /// The name, as the table prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Gedcom => "GEDCOM",
            Form::CrLf => "GEDCOM, CR LF",
            Form::Accented => "GEDCOM, accented",
            Form::Ansel => "ANSEL",
            Form::AccentedAnsel => "ANSEL, accented",
            Form::Dates => "dates",
            Form::Utf16Le => "UTF-16LE",
            Form::AccentedUtf16Le => "UTF-16LE, accented",
            #[cfg(feature = "peers")]
            Form::Gedcom555 => "GEDCOM 5.5.5",
            #[cfg(feature = "peers")]
            Form::Xml => "XML",
            #[cfg(feature = "peers")]
            Form::Json => "JSON",
        }
    }

    /// The file of `plan` in this form.
    pub fn of(self, plan: &Plan) -> Vec<u8> {
        match self {
            Form::Gedcom => data::file(plan),
            Form::CrLf => data::file(&plan.line_break("\r\n")),
            Form::Accented => accented(plan, Encoding::Utf8),
            Form::Ansel => data::file(&plan.encoding(Encoding::Ansel)),
            Form::AccentedAnsel => accented(plan, Encoding::Ansel),
            Form::Dates => dates(&data::text(plan)),
            Form::Utf16Le => data::file(&plan.encoding(Encoding::Utf16Le)),
            Form::AccentedUtf16Le => accented(plan, Encoding::Utf16Le),
            #[cfg(feature = "peers")]
            Form::Gedcom555 => foreign::gedcom_555(&data::text(plan)).into_bytes(),
            #[cfg(feature = "peers")]
            Form::Xml => foreign::xml(&data::text(plan)).into_bytes(),
            #[cfg(feature = "peers")]
            Form::Json => foreign::json(&data::text(plan)).into_bytes(),
        }
    }
}

/// The payloads of all lines tagged DATE.
fn dates(text: &str) -> Vec<u8> {
    let dates = text.lines().filter_map(|line| line.split_once(" DATE ").map(|(_, payload)| payload));
    dates.flat_map(|payload| [payload, "\n"]).collect::<String>().into_bytes()
}

/// The file with an accent on every other small letter that takes one: about a tenth of all characters.
fn accented(plan: &Plan, encoding: Encoding) -> Vec<u8> {
    let file = data::file(&plan.encoding(encoding));
    let mark = encoding.mark().filter(|mark| file.starts_with(mark)).unwrap_or_default();
    let text = elf_octets::decode(&file[mark.len()..], encoding, &Rules::WILD.octets).text;
    let mut turn = false;
    let accented: String = text
        .chars()
        .map(|character| {
            let with_accent = match character {
                'a' => 'á',
                'e' => 'è',
                'i' => 'î',
                'o' => 'ö',
                'u' => 'ü',
                'n' => 'ñ',
                'r' => 'ř',
                _ => return character,
            };
            turn = !turn;
            if turn { with_accent } else { character }
        })
        .collect();
    let mut octets = mark.to_vec();
    encoding.encode_into(&accented, &mut octets).expect("letters that every measured encoding has");
    octets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_a_tenth_of_the_accented_file_is_not_ascii() {
        let plan = data::plan(200_000);
        let text = String::from_utf8(Form::Accented.of(&plan)).unwrap();
        let (all, marked) = (text.chars().count(), text.chars().filter(|c| !c.is_ascii()).count());
        assert!((all / 14..all / 7).contains(&marked), "{marked} of {all}");
    }
}
