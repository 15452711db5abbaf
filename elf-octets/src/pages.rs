//! Single-byte encodings: ASCII, the code pages of Windows, DOS and the Macintosh, ISO 8859.

use crate::Encoding;
use crate::utf8_char::Utf8;
use std::sync::OnceLock;

/// The characters of the bytes from 80 to FF in a code page. The bytes below 80 are ASCII.
#[derive(Debug)]
pub(crate) struct Page {
    /// The characters of the bytes from 80 to FF. U+FFFD shows that a byte has no meaning.
    high: [char; 128],
    /// The characters of all 256 bytes in UTF-8. An entry is empty if the byte is irregular.
    utf8: [Utf8; 256],
    /// The bytes of the characters, sorted by character.
    octets: Vec<(char, u8)>,
    /// Whether the bytes from 80 to 9F are read as in a Windows page, because control characters make no sense there.
    repaired: bool,
}

impl Page {
    /// Returns the page of `encoding`. If `encoding` is not a code page, returns ASCII.
    ///
    /// With `repair`, the C1 controls of ISO 8859 are replaced by the characters of the corresponding Windows page.
    pub(crate) fn of(encoding: Encoding, repair: bool) -> &'static Page {
        static PAGES: [OnceLock<Page>; 2 * Encoding::ALL.len()] =
            [const { OnceLock::new() }; 2 * Encoding::ALL.len()];
        static ASCII: OnceLock<Page> = OnceLock::new();
        let index = Encoding::ALL.iter().position(|other| *other == encoding);
        let cell = index.and_then(|index| PAGES.get(2 * index + usize::from(repair)));
        cell.unwrap_or(&ASCII).get_or_init(|| Page::build(encoding, repair))
    }

    fn build(encoding: Encoding, repair: bool) -> Page {
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
            Encoding::Macintosh => encoding_rs::MACINTOSH,
            Encoding::Iso8859_2 => encoding_rs::ISO_8859_2,
            Encoding::Iso8859_5 => encoding_rs::ISO_8859_5,
            Encoding::Iso8859_15 => encoding_rs::ISO_8859_15,
            Encoding::Cp866 => encoding_rs::IBM866,
            Encoding::Koi8R => encoding_rs::KOI8_R,
            Encoding::Iso8859_1 => return Page::iso_page(|octet| Some(char::from(octet)), encoding, repair),
            Encoding::Cp437 => return Page::from_fn(table_from_80(CP437)),
            Encoding::Cp850 => return Page::from_fn(table_from_80(CP850)),
            Encoding::Cp852 => return Page::from_fn(table_from_80(CP852)),
            Encoding::Ascii | Encoding::Ansel | Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be => {
                return Page::from_fn(|_| None);
            }
        };
        let character = |octet: u8| {
            let text =
                library.decode_without_bom_handling_and_without_replacement(std::slice::from_ref(&octet))?;
            text.chars().next()
        };
        if matches!(encoding, Encoding::Iso8859_2 | Encoding::Iso8859_5 | Encoding::Iso8859_15) {
            return Page::iso_page(character, encoding, repair);
        }
        // The crate `encoding_rs` follows the web standards: bytes that Windows leaves undefined are decoded as
        // controls there.
        Page::from_fn(|octet| character(octet).filter(|c| !c.is_control()))
    }

    /// Makes a page of ISO 8859. The page has control characters from 80 to 9F.
    fn iso_page(character: impl Fn(u8) -> Option<char>, encoding: Encoding, repair: bool) -> Page {
        if !repair {
            return Page::from_fn(character);
        }
        let windows = Page::of(windows_page_for(encoding), false);
        let mut page = Page::from_fn(|octet| {
            if octet < 0xA0 { windows.character(octet) } else { None }.or_else(|| character(octet))
        });
        page.repaired = true;
        for octet in 0x80..0xA0 {
            if page.is_repaired(octet) {
                page.utf8[usize::from(octet)] = Utf8::NONE;
            }
        }
        page
    }

    fn from_fn(character: impl Fn(u8) -> Option<char>) -> Page {
        let mut high = [char::REPLACEMENT_CHARACTER; 128];
        let mut octets = Vec::with_capacity(128);
        for (octet, slot) in (0x80..=0xFF).zip(&mut high) {
            if let Some(c) = character(octet) {
                *slot = c;
                // Sorting them at the end would add code for one more kind of list to the module for browsers.
                let index = octets.partition_point(|known| *known < (c, octet));
                octets.insert(index, (c, octet));
            }
        }
        let mut page = Page { high, utf8: [Utf8::NONE; 256], octets, repaired: false };
        for octet in 0..=0xFF {
            if let Some(character) = page.character(octet) {
                page.utf8[usize::from(octet)] = Utf8::encode(character);
            }
        }
        page
    }

    #[inline]
    pub(crate) fn character(&self, octet: u8) -> Option<char> {
        match octet.checked_sub(0x80) {
            None => Some(char::from(octet)),
            Some(index) => Some(self.high[usize::from(index)]).filter(|c| *c != char::REPLACEMENT_CHARACTER),
        }
    }

    /// Returns the character of a byte in UTF-8, if the byte is regular.
    #[inline]
    pub(crate) fn utf8(&self, octet: u8) -> Utf8 {
        self.utf8[usize::from(octet)]
    }

    /// Returns whether a byte is a control that is read as a character of Windows.
    fn is_repaired(&self, octet: u8) -> bool {
        self.repaired && (0x80..0xA0).contains(&octet) && self.character(octet) != Some(char::from(octet))
    }

    pub(crate) fn octet(&self, character: char) -> Option<u8> {
        if character.is_ascii() {
            return u8::try_from(character).ok();
        }
        let index = self.octets.binary_search_by_key(&character, |(c, _)| *c).ok()?;
        Some(self.octets[index].1)
    }
}

/// Returns the Windows page for the same languages as a page of ISO 8859.
pub(crate) const fn windows_page_for(encoding: Encoding) -> Encoding {
    match encoding {
        Encoding::Iso8859_2 => Encoding::Windows1250,
        Encoding::Iso8859_5 => Encoding::Windows1251,
        _ => Encoding::Windows1252,
    }
}

/// Returns a function that looks up a byte in `characters`, where the first character is that of byte 80.
fn table_from_80(characters: &'static str) -> impl Fn(u8) -> Option<char> {
    move |octet| characters.chars().nth(usize::from(octet.checked_sub(0x80)?))
}

/// The bytes 80 to FF of code page 437: 48 letters and signs, 48 parts of boxes, 32 Greek letters and mathematical
/// signs.
const CP437: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»\
░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// The bytes 80 to FF of code page 850. Up to 9A they are those of page 437; after it there are more letters instead of
/// boxes and Greek.
const CP850: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»\
░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";

/// The bytes 80 to FF of code page 852, which has the letters of Central Europe.
const CP852: &str = "\
ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»\
░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀\
ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}";
