//! ANSEL, by the table of `ansel-to-unicode.md` and the order of marks in its addendum.

use super::decode::Decoded;
use std::sync::LazyLock;

/// The table of the companion for the bytes above 7F: byte, code point, kind of mark. F8, where it repeats F1, follows
/// ANSI Z39.47 instead (`docs/readings.md`, AMB-39).
const TABLE: &str = include_str!("ansel.tsv");

/// How a combining mark is stacked (addendum, second table).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stacking {
    High,
    Low,
    Center,
}

/// The code point of a byte, and the stacking if it combines with the next character.
type Entry = (char, Option<Stacking>);

static ENTRIES: LazyLock<Vec<Option<Entry>>> = LazyLock::new(|| (0..=0xFF).map(look_up).collect());

/// Looks up one octet; those up to 7F map to themselves.
fn look_up(octet: u8) -> Option<Entry> {
    if octet <= 0x7F {
        return Some((char::from(octet), None));
    }
    let row = TABLE.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
    let row = row.into_iter().find(|row| row.first() == Some(&format!("{octet:02X}").as_str()))?;
    let code = u32::from_str_radix(row.get(1)?, 16).ok()?;
    let stacking = match *row.get(2)? {
        "high" => Some(Stacking::High),
        "low" => Some(Stacking::Low),
        "center" => Some(Stacking::Center),
        _ => None,
    };
    Some((char::from_u32(code)?, stacking))
}

/// Decodes ANSEL up to the first byte that "will never appear in any valid ANSEL encoding". Marks without a character
/// stay in place: at the end of a line, and before a control character (`docs/readings.md`, AMB-39).
pub(super) fn decode(octets: &[u8]) -> Decoded {
    let mut text = String::new();
    let mut marks: Vec<(char, Stacking)> = Vec::new();
    for octet in octets {
        match ENTRIES.get(usize::from(*octet)).copied().flatten() {
            Some((mark, Some(stacking))) => marks.push((mark, stacking)),
            Some((control, None)) if control < ' ' => {
                text.extend(order_marks(&std::mem::take(&mut marks)));
                text.push(control);
            }
            Some((letter, None)) => {
                text.push(letter);
                text.extend(order_marks(&std::mem::take(&mut marks)));
            }
            None => {
                text.extend(order_marks(&marks));
                return Decoded { text, is_whole: false };
            }
        }
    }
    text.extend(order_marks(&marks));
    Decoded { text, is_whole: true }
}

/// Orders the marks of one letter: center first, then low in their order, then high in reverse (addendum). Addendum:
/// high against low "does not impact rendering; however, normalized forms prefer low-type before high".
fn order_marks(marks: &[(char, Stacking)]) -> Vec<char> {
    let of = |kind| marks.iter().filter(move |(_, stacking)| *stacking == kind).map(|(mark, _)| *mark);
    of(Stacking::Center)
        .chain(of(Stacking::Low))
        .chain(of(Stacking::High).collect::<Vec<_>>().into_iter().rev())
        .collect()
}
