//! Encodings of one octet a character.

use crate::Encoding;

/// The characters of the octets from 80 to FF; octets below stand for themselves.
pub(crate) struct Page {
    high: [Option<char>; 128],
    ascii_only: bool,
}

impl Page {
    /// The page of `encoding`; that of ASCII, which has no such characters, for what is no page.
    pub(crate) fn of(encoding: Encoding) -> Page {
        let library = match encoding {
            Encoding::Windows1250 => encoding_rs::WINDOWS_1250,
            Encoding::Windows1251 => encoding_rs::WINDOWS_1251,
            Encoding::Windows1252 => encoding_rs::WINDOWS_1252,
            Encoding::Windows1253 => encoding_rs::WINDOWS_1253,
            Encoding::Windows1254 => encoding_rs::WINDOWS_1254,
            Encoding::Windows1255 => encoding_rs::WINDOWS_1255,
            Encoding::Windows1256 => encoding_rs::WINDOWS_1256,
            Encoding::Windows1257 => encoding_rs::WINDOWS_1257,
            Encoding::Windows1258 => encoding_rs::WINDOWS_1258,
            Encoding::Iso8859_2 => encoding_rs::ISO_8859_2,
            Encoding::Iso8859_15 => encoding_rs::ISO_8859_15,
            Encoding::Macintosh => encoding_rs::MACINTOSH,
            Encoding::Iso8859_1 => return Page::from_chars(|octet| Some(char::from(octet))),
            Encoding::Cp437 => return Page::from_str(CP437),
            Encoding::Cp850 => return Page::from_str(CP850),
            _ => return Page { high: [None; 128], ascii_only: true },
        };
        // The library gives the C1 control of the same number for octets that Windows leaves undefined.
        let iso = matches!(encoding, Encoding::Iso8859_2 | Encoding::Iso8859_15);
        Page::from_chars(|octet| {
            let text =
                library.decode_without_bom_handling_and_without_replacement(std::slice::from_ref(&octet))?;
            text.chars().next().filter(|c| iso || !c.is_control())
        })
    }

    fn from_chars(character: impl Fn(u8) -> Option<char>) -> Page {
        let mut high = [None; 128];
        for (octet, slot) in (0x80..=0xFF).zip(&mut high) {
            *slot = character(octet);
        }
        Page { high, ascii_only: false }
    }

    fn from_str(characters: &str) -> Page {
        let mut high = [None; 128];
        for (c, slot) in characters.chars().zip(&mut high) {
            *slot = Some(c);
        }
        Page { high, ascii_only: false }
    }

    /// The character of `octet`.
    pub(crate) fn character(&self, octet: u8) -> Option<char> {
        if octet < 0x80 {
            return Some(char::from(octet));
        }
        self.high.get(usize::from(octet - 0x80)).copied().flatten()
    }

    /// The octet of `character`.
    pub(crate) fn octet(&self, character: char) -> Option<u8> {
        if character.is_ascii() {
            return u8::try_from(character).ok();
        }
        if self.ascii_only {
            return None;
        }
        (0x80..=0xFF).find(|octet| self.character(*octet) == Some(character))
    }
}

const CP437: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»\
░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

const CP850: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»\
░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";
