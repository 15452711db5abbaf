//! ANSEL: ANSI Z39.47 with the extensions of GEDCOM and MARC 21.

/// The characters of the octets from A1 to CF.
pub(crate) fn letter(octet: u8) -> Option<char> {
    Some(match octet {
        0xA1 => 'Ł',
        0xA2 => 'Ø',
        0xA3 => 'Đ',
        0xA4 => 'Þ',
        0xA5 => 'Æ',
        0xA6 => 'Œ',
        0xA7 => '\u{2B9}',
        0xA8 => '·',
        0xA9 => '♭',
        0xAA => '®',
        0xAB => '±',
        0xAC => 'Ơ',
        0xAD => 'Ư',
        0xAE => '\u{2BE}',
        0xB0 => '\u{2BF}',
        0xB1 => 'ł',
        0xB2 => 'ø',
        0xB3 => 'đ',
        0xB4 => 'þ',
        0xB5 => 'æ',
        0xB6 => 'œ',
        0xB7 => '\u{2BA}',
        0xB8 => 'ı',
        0xB9 => '£',
        0xBA => 'ð',
        0xBC => 'ơ',
        0xBD => 'ư',
        0xBE => '□',
        0xBF => '■',
        0xC0 => '°',
        0xC1 => 'ℓ',
        0xC2 => '℗',
        0xC3 => '©',
        0xC4 => '♯',
        0xC5 => '¿',
        0xC6 => '¡',
        0xC7 => 'ß',
        0xC8 => '€',
        0xCD => 'e',
        0xCE => 'o',
        0xCF => 'ß',
        _ => return None,
    })
}

/// The combining mark of an octet from E0 to FE.
pub(crate) fn mark(octet: u8) -> Option<(char, Kind)> {
    use Kind::{Centre, High, Low};
    Some(match octet {
        0xE0 => ('\u{309}', High),
        0xE1 => ('\u{300}', High),
        0xE2 => ('\u{301}', High),
        0xE3 => ('\u{302}', High),
        0xE4 => ('\u{303}', High),
        0xE5 => ('\u{304}', High),
        0xE6 => ('\u{306}', High),
        0xE7 => ('\u{307}', High),
        0xE8 => ('\u{308}', High),
        0xE9 => ('\u{30C}', High),
        0xEA => ('\u{30A}', High),
        0xEB => ('\u{FE20}', High),
        0xEC => ('\u{FE21}', High),
        0xED => ('\u{315}', High),
        0xEE => ('\u{30B}', High),
        0xEF => ('\u{310}', High),
        0xF0 => ('\u{327}', Low),
        0xF1 => ('\u{328}', Low),
        0xF2 => ('\u{323}', Low),
        0xF3 => ('\u{324}', Low),
        0xF4 => ('\u{325}', Low),
        0xF5 => ('\u{333}', Low),
        0xF6 => ('\u{332}', Low),
        0xF7 => ('\u{326}', Low),
        0xF8 => ('\u{31C}', Low),
        0xF9 => ('\u{32E}', Low),
        0xFA => ('\u{FE22}', High),
        0xFB => ('\u{FE23}', High),
        0xFC => ('\u{338}', Centre),
        0xFE => ('\u{313}', High),
        _ => return None,
    })
}

/// Where a mark stands, which says in which order stacked marks are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Above: the one nearest to the letter stands last.
    High,
    /// Below: the one nearest to the letter stands first.
    Low,
    /// Through the letter: before all others.
    Centre,
}

/// Marks and the character they stand on, in the order of their octets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cluster {
    start: usize,
    /// Where the marks end and their base starts, if it has one.
    base: usize,
    /// Where it ends.
    pub(crate) end: usize,
    /// Whether the octet at its end stands for nothing.
    pub(crate) undecodable: bool,
}

impl Cluster {
    /// The cluster of `octets` that starts at `start`.
    pub(crate) fn at(octets: &[u8], start: usize) -> Cluster {
        let rest = octets.get(start..).unwrap_or_default();
        let marks = rest.iter().take_while(|octet| mark(**octet).is_some()).count();
        let base = start + marks;
        let (end, undecodable) = match octets.get(base) {
            // No mark moves across a control character, least of all a line break.
            Some(octet) if *octet < 0x20 && marks > 0 => (base, false),
            Some(octet) => match character(*octet) {
                Some(_) => (base + 1, false),
                None => (base, true),
            },
            None => (base, false),
        };
        Cluster { start, base, end, undecodable }
    }

    /// Appends its characters: base, centre marks, low marks in order, high marks in reverse.
    pub(crate) fn push(self, octets: &[u8], text: &mut String) {
        if let Some(c) =
            octets.get(self.base..self.end).and_then(|base| base.first()).and_then(|octet| character(*octet))
        {
            text.push(c);
        }
        let marks = octets.get(self.start..self.base).unwrap_or_default();
        let of = |kind: Kind| {
            marks
                .iter()
                .filter_map(move |octet| mark(*octet).filter(|(_, other)| *other == kind).map(|(c, _)| c))
        };
        text.extend(of(Kind::Centre));
        text.extend(of(Kind::Low));
        text.extend(of(Kind::High).rev());
    }
}

/// The character of an octet that is no mark.
pub(crate) fn character(octet: u8) -> Option<char> {
    if octet < 0x80 { Some(char::from(octet)) } else { letter(octet) }
}
