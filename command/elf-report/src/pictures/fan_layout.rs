//! The layout of a fan chart: the root person in the center, the ancestors in half rings around it, fathers to the left
//! of mothers.

use crate::pictures::drawing::{Drawing, DrawnSector, TextDirection, TextKind, TextLine};
use crate::pictures::family_tree::{Direction, FamilyTree, Slot};
use crate::pictures::text::{TextRoom, wrap_name};
use std::f64::consts::PI;

/// The maximum number of generations of ancestors in a fan chart. The sectors of a tenth generation would be narrower
/// than a line of text.
pub const FAN_GENERATIONS: u32 = 9;

/// The radius of the disc in the center.
const DISC: f64 = 62.0;
/// The margin of the drawing. It contains the marks for ancestors that are not drawn.
const MARGIN: f64 = 24.0;
/// The number of inner generations whose texts run along the ring.
const ALONG: u32 = 3;
const ALONG_WIDTH: f64 = 62.0;
/// The width of the outer rings.
const OUTWARD_WIDTH: f64 = 150.0;
/// The space between the edge of a sector and its texts.
const PADDING: f64 = 6.0;
/// The minimum length of the inner arc of a sector: one line of text.
const LEAST_ARC: f64 = 12.5;
/// The maximum number of lines of a name.
const NAME_LINES: usize = 3;

/// The position of a branch in the fan.
#[derive(Clone, Copy)]
struct Place {
    /// The index of the branch.
    branch: usize,
    generation: u32,
    angles: [f64; 2],
}

/// Lays out the ancestors of a tree. If a person has several families of parents, only the first is drawn.
pub(crate) fn lay_out(tree: &FamilyTree) -> Drawing {
    let places = find_places(tree);
    let generations = places.iter().map(|place| place.generation).max().unwrap_or(0);
    let rings = compute_rings(generations);
    let outer = rings.last().map_or(DISC, |ring| ring[1]);
    let center = (outer + MARGIN, outer + MARGIN);
    let sector =
        |place: &Place| DrawnSector { center, ..make_sector(tree, place, rings[place.generation as usize]) };
    Drawing {
        sectors: places.iter().map(sector).collect(),
        width: 2.0 * (outer + MARGIN),
        height: outer + DISC + 2.0 * MARGIN,
        ..Drawing::default()
    }
}

/// Returns the position of each person, generation by generation.
fn find_places(tree: &FamilyTree) -> Vec<Place> {
    let mut places = vec![Place { branch: 0, generation: 0, angles: [0.0, PI] }];
    let mut next = 0;
    while let Some(&Place { branch, generation, angles: [start, end] }) = places.get(next) {
        next += 1;
        if generation == FAN_GENERATIONS {
            continue;
        }
        let middle = f64::midpoint(start, end);
        let parents = tree.up[branch].next.clone().filter(|at| tree.up[*at].family == 0).take(2);
        places.extend(parents.zip([[start, middle], [middle, end]]).map(|(branch, angles)| Place {
            branch,
            generation: generation + 1,
            angles,
        }));
    }
    places
}

/// Returns the inner and outer radius of the ring of each generation, starting with the disc.
fn compute_rings(generations: u32) -> Vec<[f64; 2]> {
    let mut rings = vec![[0.0, DISC]];
    let mut outer = DISC;
    for generation in 1..=generations {
        let sectors = 2_f64.powi(generation.cast_signed());
        let inner = f64::max(outer, LEAST_ARC * sectors / PI);
        outer = inner + if generation <= ALONG { ALONG_WIDTH } else { OUTWARD_WIDTH };
        rings.push([inner, outer]);
    }
    rings
}

/// Creates the sector of a person with its texts.
fn make_sector(tree: &FamilyTree, place: &Place, [inner, outer]: [f64; 2]) -> DrawnSector {
    let branch = &tree.up[place.branch];
    let person = tree.person(branch.slot);
    let is_reference = matches!(branch.slot, Slot::Reference(_));
    let years = person.map_or("", |person| &person.years);
    let tie = Direction::Up.tie_word(branch.tie).unwrap_or("");
    let name = tree.name(branch.slot);
    let arc = (place.angles[1] - place.angles[0]) * f64::max(inner, 1.0);
    let (direction, length, height) = match place.generation {
        0 => (TextDirection::Level, 2.0 * DISC - 4.0 * PADDING, DISC),
        1..=ALONG => (TextDirection::Along, arc + PADDING, ALONG_WIDTH),
        _ => (TextDirection::Outward, outer - inner - 2.0 * PADDING, arc),
    };
    let reference = match person.and_then(|person| person.number).filter(|_| is_reference) {
        Some(number) => format!("→ {number}"),
        None => years.to_owned(),
    };
    let kind = match place.generation {
        0 => TextKind::RootName,
        _ => TextKind::Name,
    };
    let texts = make_texts(&Sector { name: &name, kind, small: [&reference, tie], length, height });
    let shown = person.filter(|_| !is_reference);
    DrawnSector {
        center: (0.0, 0.0),
        radii: [inner, outer],
        angles: place.angles,
        texts,
        direction,
        class: tree.box_class(branch.slot),
        title: tree.box_title(branch.slot, [&name, years, tie, ""]),
        number: shown.and_then(|person| person.number),
        has_more: shown.is_some_and(|person| person.more[0])
            || place.generation == FAN_GENERATIONS && !branch.next.is_empty(),
    }
}

/// The words for a sector, and the space for them.
struct Sector<'s> {
    name: &'s str,
    kind: TextKind,
    /// The years or a reference, and the relationship. Both may be empty.
    small: [&'s str; 2],
    length: f64,
    height: f64,
}

/// Returns the lines of a sector, the name first. Lines for which there is no space are left out.
fn make_texts(sector: &Sector<'_>) -> Vec<TextLine> {
    let small: Vec<&str> = sector.small.into_iter().filter(|text| !text.is_empty()).collect();
    let small_height = TextKind::Small.height();
    // If there is space for one line only, it contains everything. Lines may be slightly closer to the edge than
    // elsewhere.
    let room_for = |height: f64| height * 0.93 <= sector.height;
    if !room_for(TextKind::Name.height() + small_height) {
        let kind = TextKind::Small;
        let text = [&[sector.name], &small[..]].concat().join(", ");
        let room = TextRoom { width: sector.length / kind.size(), lines: 1, weight: kind.weight() };
        return wrap_name(&text, room).into_iter().map(|text| TextLine { kind, text }).collect();
    }
    let rest = small_height * small.len() as f64;
    let has_room = |lines: &usize| room_for(*lines as f64 * sector.kind.height() + rest);
    let lines = (1..=NAME_LINES).rev().find(has_room).unwrap_or(1);
    let room = TextRoom { width: sector.length / sector.kind.size(), lines, weight: sector.kind.weight() };
    let mut texts: Vec<TextLine> =
        wrap_name(sector.name, room).into_iter().map(|text| TextLine { kind: sector.kind, text }).collect();
    let mut used: f64 = texts.iter().map(|line| line.kind.height()).sum();
    for text in small {
        used += small_height;
        if room_for(used) {
            texts.push(TextLine { kind: TextKind::Small, text: text.to_owned() });
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::TreeOptions;
    use elf_lineage::Lineage;
    use elf_schema::{ReadOptions, Rules};

    /// A person with two parents, four grandparents and so on.
    fn ancestors(generations: u32) -> Lineage {
        let last = 2_usize.pow(generations + 1);
        let mut file = String::from("0 HEAD\n");
        for number in 1..last {
            file.push_str(&format!("0 @I{number}@ INDI\n1 NAME Person {number} /Name/\n"));
            if 2 * number < last {
                file.push_str(&format!(
                    "0 @F{number}@ FAM\n1 HUSB @I{}@\n1 WIFE @I{}@\n1 CHIL @I{number}@\n",
                    2 * number,
                    2 * number + 1
                ));
            }
        }
        file.push_str("0 TRLR\n");
        let read = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ());
        Lineage::of(&read.unwrap())
    }

    #[test]
    fn every_ancestor_has_a_sector_with_room_for_a_line() {
        let lineage = ancestors(11);
        let options = TreeOptions::default().with_up(u32::MAX).with_down(0).with_most(usize::MAX);
        let drawing = lay_out(&FamilyTree::of(lineage.find_person("I1").unwrap(), &options));
        assert_eq!(drawing.sectors.len(), 1023, "nine generations");
        for sector in &drawing.sectors {
            assert!(!sector.texts.is_empty(), "{sector:?}");
            let arc = (sector.angles[1] - sector.angles[0]) * sector.radii[0];
            assert!(sector.radii[0] == 0.0 || arc >= LEAST_ARC - 1e-6, "{sector:?}");
        }
        assert_eq!(drawing.sectors.iter().filter(|sector| sector.has_more).count(), 512);
    }
}
