//! The names of encodings in CHAR.

use crate::Encoding;
use elf_base::rules::EncodingNames;

/// The meaning of a CHAR payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharName {
    /// The payload is a name of the standard.
    Standard(Encoding),
    /// The payload is `UNICODE`, which means UTF-16 in the detected byte order.
    Unicode,
    /// The payload is a name of the standard in the wrong case.
    Misspelled(Encoding),
    /// The payload is a non-standard name of a supported encoding.
    Alias(Encoding),
    /// The payload names the code page of the computer. The encoding is the page that this usually meant.
    CodePage(Encoding),
    /// The payload is a non-standard name of UTF-16, in the detected byte order.
    UnicodeAlias,
    /// The payload names a known encoding that is not supported.
    Unsupported,
    /// The payload does not name a known encoding.
    Unknown,
}

/// A row of the table of spellings.
///
/// A row has spellings in upper case without spaces, hyphens and underscores, the meaning of these spellings, and
/// whether a page number may follow. The number is under CHAR (`2 VERS 1250`) or after the name (`ANSI 1250`).
struct Row(&'static [&'static str], Meaning, Paged);

#[derive(Clone, Copy)]
enum Meaning {
    Is(Encoding),
    Utf16,
    Unsupported,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Paged {
    Yes,
    No,
}

use Meaning::{Is, Unsupported, Utf16};

/// Spellings of encodings that occur in files, and in the sources of programs that read them.
///
/// The names `ANSI` and `IBMPC` only mean "the code page of this computer", under Windows or DOS. Most computers had
/// the pages of Western Europe.
const SPELLINGS: &[Row] = &[
    Row(&["UTF8", "UTF8BOM", "UNICODEUTF8", "UNICODE8", "UTF"], Is(Encoding::Utf8), Paged::No),
    Row(&["UTF16", "UNICODE16", "UCS2", "ISO10646UCS2", "UNICODEUTF16"], Utf16, Paged::No),
    Row(&["UTF16LE", "UCS2LE", "UNICODELE"], Utf16, Paged::No),
    Row(&["UTF16BE", "UCS2BE", "UNICODEBE"], Utf16, Paged::No),
    Row(
        &["USASCII", "ASCII7", "7BITASCII", "ISO646", "ANSIX3.4", "ANSIX3.41968"],
        Is(Encoding::Ascii),
        Paged::No,
    ),
    Row(&["ANSELZ39.47", "Z39.47", "ANSIZ39.47", "ANSIANSEL", "MARC8"], Is(Encoding::Ansel), Paged::No),
    Row(
        &["ANSI", "WINDOWS", "WINANSI", "ANSIWINDOWS", "MSWINDOWS", "IBMWINDOWS", "WIN", "WESTERN"],
        Is(Encoding::Windows1252),
        Paged::Yes,
    ),
    Row(
        &["IBMPC", "IBM", "PC", "PC8", "OEM", "DOS", "MSDOS", "IBMDOS", "OEMCP"],
        Is(Encoding::Cp437),
        Paged::Yes,
    ),
    Row(
        &["MACINTOSH", "MAC", "MACROMAN", "APPLE", "MACOSROMAN", "XMACROMAN", "MACOS"],
        Is(Encoding::Macintosh),
        Paged::No,
    ),
    Row(
        &["LATIN1", "ISOLATIN1", "L1", "ISO88591", "ISO8859", "ISO88591LATIN1", "8859", "88591"],
        Is(Encoding::Iso8859_1),
        Paged::No,
    ),
    Row(&["LATIN2", "ISOLATIN2", "L2", "ISO88592", "88592"], Is(Encoding::Iso8859_2), Paged::No),
    Row(
        &["ISO88595", "88595", "ISOLATINCYRILLIC", "CYRILLIC", "ISOIR144", "LATINCYRILLIC"],
        Is(Encoding::Iso8859_5),
        Paged::No,
    ),
    Row(&["KOI8R", "KOI8", "CSKOI8R"], Is(Encoding::Koi8R), Paged::No),
    Row(&["LATIN9", "LATIN0", "ISO885915", "885915"], Is(Encoding::Iso8859_15), Paged::No),
    Row(
        &[
            "UTF32",
            "UTF32LE",
            "UTF32BE",
            "UCS4",
            "UTF7",
            "EBCDIC",
            "SHIFTJIS",
            "SJIS",
            "EUCJP",
            "EUCKR",
            "BIG5",
            "GB2312",
            "GBK",
            "GB18030",
            "ISO2022JP",
            "KOI8U",
            "HPROMAN8",
        ],
        Unsupported,
        Paged::No,
    ),
];

/// The words that may precede the number of a code page, as in `CP1252`, `WINDOWS-1250`, `IBM850`, `ANSI 1250` and
/// `CODEPAGE 437`. The number may also be written alone.
const PAGE_PREFIXES: &[&str] = &[
    "",
    "CP",
    "WINDOWS",
    "WIN",
    "ANSI",
    "IBM",
    "IBMPC",
    "OEM",
    "DOS",
    "MSDOS",
    "PC",
    "CODEPAGE",
    "CODEPAGE:",
    "MSCP",
    "XCP",
    "WINANSI",
];

/// Looks up the payload of CHAR. `version` is the payload of `2 VERS` under CHAR.
pub(crate) fn parse_char_name(payload: &str, version: Option<&str>, names: EncodingNames) -> CharName {
    match payload {
        "ASCII" => return CharName::Standard(Encoding::Ascii),
        "ANSEL" => return CharName::Standard(Encoding::Ansel),
        "UTF-8" => return CharName::Standard(Encoding::Utf8),
        "UNICODE" => return CharName::Unicode,
        _ => {}
    }
    if !names.knows_producers() {
        // Wrong case is reported, but does not change the encoding.
        return match payload.to_ascii_uppercase().as_str() {
            "ASCII" => CharName::Misspelled(Encoding::Ascii),
            "ANSEL" => CharName::Misspelled(Encoding::Ansel),
            "UTF-8" => CharName::Misspelled(Encoding::Utf8),
            _ => CharName::Unknown,
        };
    }
    let spelling = squeeze_spelling(payload);
    match spelling.as_str() {
        "ASCII" => return CharName::Alias(Encoding::Ascii),
        "ANSEL" => return CharName::Alias(Encoding::Ansel),
        "UNICODE" => return CharName::UnicodeAlias,
        _ => {}
    }
    for Row(spellings, meaning, paged) in SPELLINGS {
        if spellings.contains(&spelling.as_str()) {
            return match meaning {
                Is(encoding) if *paged == Paged::Yes => {
                    match version.and_then(|one| page_of_number(&squeeze_spelling(one))) {
                        Some(other) => CharName::Alias(other),
                        None => CharName::CodePage(*encoding),
                    }
                }
                Is(encoding) => CharName::Alias(*encoding),
                Utf16 => CharName::UnicodeAlias,
                Unsupported => CharName::Unsupported,
            };
        }
    }
    page_of_number(&spelling).map_or(CharName::Unknown, CharName::Alias)
}

/// Returns the encoding for the number of a code page, which may have a usual prefix.
fn page_of_number(spelling: &str) -> Option<Encoding> {
    let digits = spelling.trim_start_matches(|c: char| !c.is_ascii_digit());
    let prefix = spelling.strip_suffix(digits)?;
    if !PAGE_PREFIXES.contains(&prefix) {
        return None;
    }
    match digits {
        "1250" => Some(Encoding::Windows1250),
        "1251" => Some(Encoding::Windows1251),
        "1252" => Some(Encoding::Windows1252),
        "1253" => Some(Encoding::Windows1253),
        "1254" => Some(Encoding::Windows1254),
        "1255" => Some(Encoding::Windows1255),
        "1256" => Some(Encoding::Windows1256),
        "1257" => Some(Encoding::Windows1257),
        "1258" => Some(Encoding::Windows1258),
        "437" => Some(Encoding::Cp437),
        "850" => Some(Encoding::Cp850),
        "852" => Some(Encoding::Cp852),
        "866" => Some(Encoding::Cp866),
        "10000" => Some(Encoding::Macintosh),
        "28591" => Some(Encoding::Iso8859_1),
        "28592" => Some(Encoding::Iso8859_2),
        "20866" => Some(Encoding::Koi8R),
        "28595" => Some(Encoding::Iso8859_5),
        "28605" => Some(Encoding::Iso8859_15),
        "65001" => Some(Encoding::Utf8),
        _ => None,
    }
}

/// Returns `text` in upper case, without spaces, hyphens, underscores and brackets. Spellings vary most in these.
fn squeeze_spelling(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, ' ' | '\t' | '-' | '_' | '(' | ')' | '/'))
        .map(|c| c.to_ascii_uppercase())
        .collect()
}
