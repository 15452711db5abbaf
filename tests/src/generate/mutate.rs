//! Damages lines and bytes like accidents do.

use super::{Random, Sort};

/// Malformed or misplaced lines.
const JUNK: [&str; 14] = [
    "junk",
    "",
    "   ",
    "1",
    "0",
    "x 1 NOTE",
    "2 CONT more",
    "1 CONC tail",
    "0 HEAD",
    "0 TRLR",
    "01 NOTE x",
    "99999999999999999999 NOTE x",
    "1 @I1@",
    "0@I1@INDI",
];

/// Damages some lines.
pub fn damage_lines(random: &mut Random, sort: Sort, lines: &mut Vec<String>) {
    if !random.chance(sort.faults * 2) {
        return;
    }
    for _ in 0..=random.below(2) {
        let at = random.below(lines.len());
        match random.below(9) {
            0 if !lines.is_empty() => {
                lines.remove(at);
            }
            1 => lines.insert(at, random.pick_word(&JUNK).to_owned()),
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let copy = lines.get(at).cloned().unwrap_or_default();
                lines.insert(at, copy);
            }
            4 => change_level(random, lines, at),
            5 => change_line(lines, at, |line| line.insert(0, ' ')),
            6 => change_line(lines, at, |line| line.push(' ')),
            7 => {
                let inserted = random.pick_word(&[
                    "@", " ", "#", "\t", "\u{0}", "\u{FFFE}", "\u{1}", "\u{A0}", "é", "@@", "0",
                ]);
                change_line(lines, at, |line| {
                    let places: Vec<usize> = line.char_indices().map(|(place, _)| place).collect();
                    let place = places.get(random.below(places.len())).copied().unwrap_or_default();
                    line.insert_str(place, inserted);
                });
            }
            _ => change_line(lines, at, |line| {
                let length = line.chars().count();
                let left = random.below(length);
                *line = line
                    .chars()
                    .enumerate()
                    .filter(|(place, _)| *place != left)
                    .map(|(_, character)| character)
                    .collect();
            }),
        }
    }
}

/// Changes one line, if there is one.
fn change_line(lines: &mut [String], at: usize, change: impl FnOnce(&mut String)) {
    if let Some(line) = lines.get_mut(at) {
        change(line);
    }
}

/// Changes the level of a line.
fn change_level(random: &mut Random, lines: &mut [String], at: usize) {
    let level = random.pick_word(&["0", "1", "2", "3", "4", "7", "00", "+1"]);
    change_line(lines, at, |line| {
        let rest = line.trim_start_matches(|digit: char| digit.is_ascii_digit()).to_owned();
        *line = format!("{level}{rest}");
    });
}

/// Changes single bytes.
pub fn damage_octets(random: &mut Random, sort: Sort, octets: &mut Vec<u8>) {
    if !random.chance(sort.faults / 2) {
        return;
    }
    let at = random.below(octets.len());
    let octet = u8::try_from(random.below(256)).unwrap_or_default();
    match random.below(3) {
        0 if !octets.is_empty() => {
            octets.remove(at);
        }
        1 => octets.insert(at, octet),
        _ => {
            if let Some(changed) = octets.get_mut(at) {
                *changed = octet;
            }
        }
    }
}
