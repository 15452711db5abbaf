//! The supported encodings and their names.

use elf_base::UnknownName;
use std::fmt;
use std::str::FromStr;

/// A character encoding that can be read and written.
///
/// The standard names four encodings (J19 §4.1, D19 *Character encoding names*): [`Ascii`](Encoding::Ascii),
/// [`Ansel`](Encoding::Ansel), [`Utf8`](Encoding::Utf8) and UTF-16 in either byte order. Programs also write files in
/// the other encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// US ASCII: the octets 00 to 7F.
    Ascii,
    /// ANSI Z39.47 with the extensions of GEDCOM and MARC 21: combining marks come before their letter.
    Ansel,
    /// UTF-8.
    Utf8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// windows-1250, Central European.
    Windows1250,
    /// windows-1251, Cyrillic.
    Windows1251,
    /// windows-1252, Western European. This is the usual meaning of `CHAR ANSI`.
    Windows1252,
    /// windows-1253, Greek.
    Windows1253,
    /// windows-1254, Turkish.
    Windows1254,
    /// windows-1255, Hebrew.
    Windows1255,
    /// windows-1256, Arabic.
    Windows1256,
    /// windows-1257, Baltic.
    Windows1257,
    /// windows-1258, Vietnamese.
    Windows1258,
    /// ISO 8859-1, Latin-1.
    Iso8859_1,
    /// ISO 8859-2, Latin-2.
    Iso8859_2,
    /// ISO 8859-5, Cyrillic.
    Iso8859_5,
    /// ISO 8859-15, Latin-9.
    Iso8859_15,
    /// Code page 437 of the first IBM PC. This is the usual meaning of `CHAR IBMPC`.
    Cp437,
    /// Code page 850 of the IBM PC, Western European.
    Cp850,
    /// Code page 852 of the IBM PC, Central European.
    Cp852,
    /// Code page 866 of the IBM PC, Cyrillic.
    Cp866,
    /// KOI8-R, Russian.
    Koi8R,
    /// Mac OS Roman.
    Macintosh,
}

/// An algorithm for encoding and decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// ASCII, which has the octets 00 to 7F.
    Ascii,
    /// ANSEL, which is like ASCII, but has combining marks before their letter.
    Ansel,
    /// UTF-8, with one to four bytes for a character.
    Utf8,
    /// UTF-16 in little-endian order, with two bytes for a unit.
    Utf16Le,
    /// UTF-16 in big-endian order, with two bytes for a unit.
    Utf16Be,
    /// A single-byte encoding, which a table decodes.
    Page,
}

/// The error for a character that an encoding does not have. The caller may write an escape instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unencodable {
    /// The character that cannot be encoded.
    pub character: char,
    /// The offset of the character in the text, in bytes of UTF-8.
    pub offset: usize,
    /// The encoding that does not have the character.
    pub encoding: Encoding,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 24] = [
        Encoding::Ascii,
        Encoding::Ansel,
        Encoding::Utf8,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Windows1250,
        Encoding::Windows1251,
        Encoding::Windows1252,
        Encoding::Windows1253,
        Encoding::Windows1254,
        Encoding::Windows1255,
        Encoding::Windows1256,
        Encoding::Windows1257,
        Encoding::Windows1258,
        Encoding::Iso8859_1,
        Encoding::Iso8859_2,
        Encoding::Iso8859_5,
        Encoding::Iso8859_15,
        Encoding::Cp437,
        Encoding::Cp850,
        Encoding::Cp852,
        Encoding::Cp866,
        Encoding::Koi8R,
        Encoding::Macintosh,
    ];

    /// Returns the name that the `elf` command prints and accepts.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Ascii => "ASCII",
            Encoding::Ansel => "ANSEL",
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Windows1250 => "windows-1250",
            Encoding::Windows1251 => "windows-1251",
            Encoding::Windows1252 => "windows-1252",
            Encoding::Windows1253 => "windows-1253",
            Encoding::Windows1254 => "windows-1254",
            Encoding::Windows1255 => "windows-1255",
            Encoding::Windows1256 => "windows-1256",
            Encoding::Windows1257 => "windows-1257",
            Encoding::Windows1258 => "windows-1258",
            Encoding::Iso8859_1 => "ISO-8859-1",
            Encoding::Iso8859_2 => "ISO-8859-2",
            Encoding::Iso8859_5 => "ISO-8859-5",
            Encoding::Iso8859_15 => "ISO-8859-15",
            Encoding::Cp437 => "CP437",
            Encoding::Cp850 => "CP850",
            Encoding::Cp852 => "CP852",
            Encoding::Cp866 => "CP866",
            Encoding::Koi8R => "KOI8-R",
            Encoding::Macintosh => "macintosh",
        }
    }

    /// Finds the encoding with this [`name`](Encoding::name), ignoring case.
    ///
    /// ```
    /// use elf_octets::Encoding;
    /// assert_eq!(Encoding::from_name("utf-16le"), Some(Encoding::Utf16Le));
    /// assert_eq!(Encoding::from_name("ANSI"), None); // `ANSI` is a payload of CHAR, not a name.
    /// ```
    pub fn from_name(name: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.name().eq_ignore_ascii_case(name))
    }

    /// Returns the payload that CHAR has in files in this encoding (D19 *Character encoding names*). Returns `None` if
    /// the standard has no name for the encoding.
    pub const fn char_name(self) -> Option<&'static str> {
        match self.scheme() {
            Scheme::Ascii => Some("ASCII"),
            Scheme::Ansel => Some("ANSEL"),
            Scheme::Utf8 => Some("UTF-8"),
            Scheme::Utf16Le | Scheme::Utf16Be => Some("UNICODE"),
            Scheme::Page => None,
        }
    }

    /// Returns whether this is UTF-16, whose code units have two bytes.
    pub const fn is_utf16(self) -> bool {
        matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// Returns the byte-order mark, which is U+FEFF in this encoding. Returns `None` if the encoding has no byte-order
    /// mark.
    pub const fn mark(self) -> Option<&'static [u8]> {
        match self.scheme() {
            Scheme::Utf8 => Some(b"\xEF\xBB\xBF"),
            Scheme::Utf16Le => Some(b"\xFF\xFE"),
            Scheme::Utf16Be => Some(b"\xFE\xFF"),
            Scheme::Ascii | Scheme::Ansel | Scheme::Page => None,
        }
    }

    /// Returns the algorithm that encodes and decodes.
    pub(crate) const fn scheme(self) -> Scheme {
        match self {
            Encoding::Ascii => Scheme::Ascii,
            Encoding::Ansel => Scheme::Ansel,
            Encoding::Utf8 => Scheme::Utf8,
            Encoding::Utf16Le => Scheme::Utf16Le,
            Encoding::Utf16Be => Scheme::Utf16Be,
            Encoding::Windows1250
            | Encoding::Windows1251
            | Encoding::Windows1252
            | Encoding::Windows1253
            | Encoding::Windows1254
            | Encoding::Windows1255
            | Encoding::Windows1256
            | Encoding::Windows1257
            | Encoding::Windows1258
            | Encoding::Iso8859_1
            | Encoding::Iso8859_2
            | Encoding::Iso8859_5
            | Encoding::Iso8859_15
            | Encoding::Cp437
            | Encoding::Cp850
            | Encoding::Cp852
            | Encoding::Cp866
            | Encoding::Koi8R
            | Encoding::Macintosh => Scheme::Page,
        }
    }
}

/// Finds an encoding by its name, as [`Encoding::from_name`] does.
///
/// ```
/// use elf_octets::Encoding;
/// assert_eq!("ansel".parse::<Encoding>(), Ok(Encoding::Ansel));
/// assert!("latin1".parse::<Encoding>().is_err());
/// ```
impl FromStr for Encoding {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Encoding, UnknownName> {
        Encoding::from_name(name).ok_or_else(|| UnknownName::among(Encoding::ALL.map(Encoding::name), name))
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X} cannot be written in {}", u32::from(self.character), self.encoding)
    }
}

impl std::error::Error for Unencodable {}
