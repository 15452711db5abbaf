//! The layout of a family tree. Each generation is a column, with older generations on the left. Each person is
//! vertically centered between the parents and between the children.

use crate::pictures::drawing::{Drawing, DrawnBox, DrawnLine, LineStyle, PADDING, TextKind, TextLine};
use crate::pictures::family_tree::{Branch, Direction, FamilyTree, Slot, TreePerson, Union};
use crate::pictures::text::{TextRoom, estimate_width, wrap_name};
use crate::pictures::tidy_tree::TidyTree;
use elf_lineage::Tie;

/// The space between two columns, for the lines.
const GUTTER: f64 = 36.0;
/// The space between two boxes of a column.
const GAP: f64 = 8.0;
/// The space between a person and the partners.
const PARTNER_GAP: f64 = 3.0;
/// The distance by which the boxes of partners are indented.
const INDENT: f64 = 14.0;
/// The margin of the drawing. It contains the marks for relatives that are not drawn.
const MARGIN: f64 = 20.0;
/// The minimum and maximum width of a box.
const WIDTHS: [f64; 2] = [90.0, 220.0];
/// The maximum number of lines of a name.
const NAME_LINES: usize = 3;

/// The ancestors or the descendants during the layout.
struct Half<'t> {
    tree: &'t FamilyTree,
    direction: Direction,
    branches: &'t [Branch],
    /// The generation of each branch, counted from the root person.
    depths: Vec<u32>,
    box_width: f64,
}

/// The positions of branches: the boxes of each branch (the box of the person first), and the position where the branch
/// starts.
struct Placed {
    blocks: Vec<Vec<DrawnBox>>,
    starts: Vec<f64>,
}

/// Lays out a tree in `width` units. Without a width, the boxes are as wide as the names need.
pub(crate) fn lay_out(tree: &FamilyTree, width: Option<f64>) -> Drawing {
    let (depths_up, depths_down) = (compute_depths(&tree.up), compute_depths(&tree.down));
    let above = depths_up.iter().copied().max().unwrap_or(0);
    let below = depths_down.iter().copied().max().unwrap_or(0);
    let columns = f64::from(above) + f64::from(below) + 1.0;
    let box_width = match width {
        Some(width) => (width - 2.0 * MARGIN + GUTTER) / columns - GUTTER,
        None => compute_natural_width(tree),
    };
    let box_width = box_width.floor().clamp(WIDTHS[0], WIDTHS[1]);
    let pitch = box_width + GUTTER;
    let up = Half { tree, direction: Direction::Up, branches: &tree.up, depths: depths_up, box_width };
    let down =
        Half { tree, direction: Direction::Down, branches: &tree.down, depths: depths_down, box_width };
    let (placed_up, placed_down) = (up.place_branches(), down.place_branches());
    // Both halves share the box of the root person.
    let lower = placed_up.root_middle() - placed_down.root_middle();
    let mut drawing = Drawing::default();
    let left = MARGIN + pitch * f64::from(above);
    let root = 0;
    let down_firsts = down.add_boxes(placed_down, left, MARGIN + lower.max(0.0), None, &mut drawing);
    let up_firsts = up.add_boxes(placed_up, left, MARGIN - lower.min(0.0), Some(root), &mut drawing);
    down.join_partners(&down_firsts, &mut drawing);
    down.join_branches(&down_firsts, &mut drawing);
    up.join_branches(&up_firsts, &mut drawing);
    drawing.width = 2.0 * MARGIN + pitch * columns - GUTTER;
    drawing.height = drawing.boxes.iter().map(|one| one.y + one.height).fold(0.0, f64::max) + MARGIN;
    drawing
}

/// Returns the generation of each branch.
fn compute_depths(branches: &[Branch]) -> Vec<u32> {
    let mut depths = vec![0_u32; branches.len()];
    for (at, branch) in branches.iter().enumerate() {
        // A branch comes before the branches that continue it.
        let next = depths[at] + 1;
        depths[branch.next.clone()].fill(next);
    }
    depths
}

/// Returns the box width at which nine of ten names, and the name of the root person, fit on one line.
fn compute_natural_width(tree: &FamilyTree) -> f64 {
    let width = |person: &TreePerson| estimate_width(person.title(), TextKind::Name.weight());
    let mut widths: Vec<f64> = tree.persons.iter().map(width).collect();
    widths.sort_unstable_by(f64::total_cmp);
    // A tree has at least the root person.
    let root = estimate_width(tree.persons[0].title(), TextKind::RootName.weight());
    let most = widths[widths.len() * 9 / 10].max(root);
    (most * TextKind::Name.size() + 2.0 * PADDING + INDENT).clamp(120.0, 200.0)
}

impl Placed {
    /// Returns the vertical center of the root person's box.
    fn root_middle(&self) -> f64 {
        // The first branch belongs to the root person, whose box is the first of its block.
        self.starts[0] + self.blocks[0][0].middle()
    }
}

impl Half<'_> {
    /// Creates the boxes of each branch, and computes its position.
    fn place_branches(&self) -> Placed {
        let blocks: Vec<Vec<DrawnBox>> = self.branches.iter().map(|branch| self.make_block(branch)).collect();
        let mut tree = TidyTree::default();
        for (block, branch) in blocks.iter().zip(self.branches) {
            let height = block.last().map_or(0.0, |last| last.y + last.height);
            tree.add(height + GAP, branch.next.clone());
        }
        Placed { blocks, starts: tree.compute_places() }
    }

    /// Creates the boxes of a person and the partners, one below the other.
    fn make_block(&self, branch: &Branch) -> Vec<DrawnBox> {
        let mut boxes = vec![self.make_person_box(branch.slot, branch.tie, "", self.box_width)];
        for union in self.unions_of(branch) {
            let Some(partner) = union.partner else { continue };
            let mut beneath =
                self.make_person_box(partner, Tie::Unknown, &union.marriage, self.box_width - INDENT);
            beneath.x = INDENT;
            beneath.y = boxes.last().map_or(0.0, |last| last.y + last.height) + PARTNER_GAP;
            boxes.push(beneath);
        }
        boxes
    }

    fn unions_of(&self, branch: &Branch) -> &[Union] {
        &self.tree.unions[branch.unions.clone()]
    }

    /// Creates the box of a person. It contains the marriage (for a partner), the name, the years and the relationship.
    fn make_person_box(&self, slot: Slot, tie: Tie, marriage: &str, width: f64) -> DrawnBox {
        let person = self.tree.person(slot);
        let name = self.tree.name(slot);
        let years = person.map_or("", |person| &person.years);
        let is_reference = matches!(slot, Slot::Reference(_));
        let mut texts = Vec::new();
        let mut add = |kind, text: &str| {
            if !text.is_empty() {
                texts.push(TextLine { kind, text: text.to_owned() });
            }
        };
        add(TextKind::Small, marriage);
        let kind = if slot == Slot::Person(0) { TextKind::RootName } else { TextKind::Name };
        let room = (width - 2.0 * PADDING) / kind.size();
        for line in wrap_name(&name, TextRoom { width: room, lines: NAME_LINES, weight: kind.weight() }) {
            add(kind, &line);
        }
        match person.and_then(|person| person.number).filter(|_| is_reference) {
            Some(number) => add(TextKind::Small, &format!("→ {number}")),
            None => add(TextKind::Small, years),
        }
        let tie = self.direction.tie_word(tie).unwrap_or("");
        add(TextKind::Small, tie);
        let title = self.tree.box_title(slot, [marriage, &name, years, tie]);
        let class = self.tree.box_class(slot);
        let shown = person.filter(|_| !is_reference);
        DrawnBox {
            class,
            title,
            number: shown.and_then(|person| person.number),
            more: shown.map_or([false; 2], |person| person.more),
            person: person.map(|person| person.id),
            ..DrawnBox::around(texts, width)
        }
    }

    /// Adds the boxes to the drawing, with the root person's box at `left`. Returns the index of the first box of each
    /// branch. If the drawing already contains the box of the root person, `root` is its index.
    fn add_boxes(
        &self,
        placed: Placed,
        left: f64,
        top: f64,
        root: Option<usize>,
        drawing: &mut Drawing,
    ) -> Vec<usize> {
        let pitch = self.box_width + GUTTER;
        let mut firsts = Vec::with_capacity(placed.blocks.len());
        for ((block, start), depth) in placed.blocks.into_iter().zip(placed.starts).zip(&self.depths) {
            if let Some(root) = root.filter(|_| firsts.is_empty()) {
                firsts.push(root);
                continue;
            }
            firsts.push(drawing.boxes.len());
            let across = match self.direction {
                Direction::Up => -pitch * f64::from(*depth),
                Direction::Down => pitch * f64::from(*depth),
            };
            drawing.boxes.extend(block.into_iter().map(|one| DrawnBox {
                x: one.x + left + across,
                y: one.y + top + start,
                ..one
            }));
        }
        firsts
    }

    /// Draws a line between each descendant and the partners.
    fn join_partners(&self, firsts: &[usize], drawing: &mut Drawing) {
        for (branch, &first) in self.branches.iter().zip(firsts) {
            let partners = self.unions_of(branch).iter().filter(|union| union.partner.is_some());
            for to in (first + 1..).take(partners.count()) {
                let (person, partner) = (&drawing.boxes[first], &drawing.boxes[to]);
                let x = person.x + INDENT / 2.0;
                let points =
                    vec![(x, person.y + person.height), (x, partner.middle()), (partner.x, partner.middle())];
                drawing.lines.push(DrawnLine { points, style: LineStyle::Plain });
            }
        }
    }

    /// Draws the lines from each branch to the next ones: one bracket per family, placed so that no two brackets cross.
    fn join_branches(&self, firsts: &[usize], drawing: &mut Drawing) {
        for (branch, &first) in self.branches.iter().zip(firsts) {
            let next: Vec<(&Branch, usize)> = self.branches[branch.next.clone()]
                .iter()
                .zip(firsts[branch.next.clone()].iter().copied())
                .collect();
            let Some((last, _)) = next.last() else { continue };
            let families = last.family + 1;
            let joints = self.find_joints(branch, first);
            for next in next.chunk_by(|(one, _), (other, _)| one.family == other.family) {
                let family = next[0].0.family;
                // Ancestors have no unions, so their brackets start at the person.
                let joint = joints.get(family).copied().unwrap_or(first);
                drawing.lines.extend(
                    self.draw_bracket(&Bracket { first, joint, family, families, next }, &drawing.boxes),
                );
            }
        }
    }

    /// Returns the boxes at which the brackets of families start: the box of the partner, or that of the person if
    /// there is no partner.
    fn find_joints(&self, branch: &Branch, first: usize) -> Vec<usize> {
        let mut last = first;
        let joint = |union: &Union| {
            last += usize::from(union.partner.is_some());
            if union.partner.is_some() { last } else { first }
        };
        self.unions_of(branch).iter().map(joint).collect()
    }

    /// Creates the lines of a bracket.
    fn draw_bracket(&self, bracket: &Bracket<'_>, boxes: &[DrawnBox]) -> Vec<DrawnLine> {
        let joint = &boxes[bracket.joint];
        let (count, number) = (bracket.families as f64, bracket.family as f64);
        let (start, edge) = match self.direction {
            // Brackets of different families end at different heights of the child's box.
            Direction::Up => {
                let step = (joint.height / (count + 1.0)).min(6.0);
                ((joint.x, joint.middle() + step * (number - (count - 1.0) / 2.0)), joint.x)
            }
            Direction::Down => ((joint.right(), joint.middle()), boxes[bracket.first].right()),
        };
        let middles = bracket.next.iter().map(|(_, to)| boxes[*to].middle());
        let mean = middles.sum::<f64>() / bracket.next.len() as f64;
        // Use the lane nearest to the start for the family whose bracket would otherwise cross others.
        let order = if mean >= start.1 { count - 1.0 - number } else { number };
        let away = (order + 1.0) * GUTTER / (count + 1.0);
        let turn = if self.direction == Direction::Up { edge - away } else { edge + away };
        let lines = bracket.next.iter().map(|(one, to)| {
            let target = &boxes[*to];
            let end_x = if self.direction == Direction::Up { target.right() } else { target.x };
            let end = (end_x, target.middle());
            let points = match self.direction {
                Direction::Down if (end.1 - start.1).abs() < 0.05 => vec![start, end],
                _ => vec![start, (turn, start.1), (turn, end.1), end],
            };
            let style = match one.tie {
                Tie::Unknown | Tie::Birth => LineStyle::Plain,
                Tie::Adopted => LineStyle::Dashed,
                Tie::Uncertain | Tie::Foster | Tie::Other | Tie::Disproven => LineStyle::Dotted,
            };
            DrawnLine { points, style }
        });
        lines.collect()
    }
}

/// The lines that connect a branch with the next branches of one family.
struct Bracket<'b> {
    /// The index of the box of the branch's person.
    first: usize,
    /// The index of the box where the bracket starts.
    joint: usize,
    /// The number of this family, from 0, and the number of families of the branch.
    family: usize,
    families: usize,
    /// The next branches of the family, with the indices of their first boxes. There is at least one.
    next: &'b [(&'b Branch, usize)],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::TreeOptions;
    use elf_lineage::Lineage;
    use elf_schema::{ReadOptions, Rules};
    use proptest::prelude::*;

    /// Persons without end of data: families with partners and children by their numbers, circles included.
    fn lineage(persons: usize, families: &[(usize, Option<usize>, Vec<usize>)]) -> Lineage {
        let mut file = String::from("0 HEAD\n");
        for number in 0..persons {
            file.push_str(&format!("0 @I{number}@ INDI\n1 NAME {}\n", "Name ".repeat(number % 7)));
        }
        for (number, (one, other, children)) in families.iter().enumerate() {
            file.push_str(&format!("0 @F{number}@ FAM\n1 HUSB @I{}@\n", one % persons));
            if let Some(other) = other {
                file.push_str(&format!("1 WIFE @I{}@\n", other % persons));
            }
            children.iter().for_each(|child| file.push_str(&format!("1 CHIL @I{}@\n", child % persons)));
        }
        file.push_str("0 TRLR\n");
        let read = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ());
        Lineage::of(&read.unwrap())
    }

    /// No two boxes overlap, each line joins the edges of two, parents stand left of their children.
    fn check(drawing: &Drawing) {
        let mut boxes: Vec<&DrawnBox> = drawing.boxes.iter().collect();
        boxes.sort_by(|one, other| one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y)));
        let columns = |one: &DrawnBox| ((one.x - MARGIN) / GUTTER).floor();
        for (at, one) in boxes.iter().enumerate() {
            assert!(one.x >= 0.0 && one.right() <= drawing.width && one.y + one.height <= drawing.height);
            for other in boxes.iter().skip(at + 1).take_while(|other| columns(other) <= columns(one) + 9.0) {
                let is_apart = one.right() <= other.x
                    || one.y + one.height <= other.y + 1e-6
                    || other.y + other.height <= one.y + 1e-6;
                assert!(is_apart, "{one:?} {other:?}");
            }
        }
        let touches = |(x, y): (f64, f64)| {
            drawing.boxes.iter().any(|one| {
                let is_beside = (x - one.x).abs() < 1e-6 || (x - one.right()).abs() < 1e-6;
                let is_below = (y - one.y - one.height).abs() < 1e-6 && x >= one.x && x <= one.right();
                is_beside && y >= one.y && y <= one.y + one.height || is_below
            })
        };
        for line in &drawing.lines {
            let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
            assert!(touches(first) && touches(last), "{line:?}");
            assert_ne!(first, last);
        }
    }

    #[test]
    fn a_hundred_thousand_generations_take_neither_stack_nor_time() {
        let families: Vec<_> = (0..100_000).map(|at| (at, None, vec![at + 1])).collect();
        let lineage = lineage(100_001, &families);
        let draw = move || {
            let all = TreeOptions::default().with_up(u32::MAX).with_down(u32::MAX).with_most(usize::MAX);
            let tree = FamilyTree::of(lineage.find_person("I50000").unwrap(), &all);
            assert_eq!(tree.person_count(), 100_001);
            let drawing = lay_out(&tree, None);
            assert_eq!(drawing.lines.len(), 150_000);
            assert!(tree.to_svg(&crate::pictures::SvgOptions::default()).len() < 100_000_000);
            let (text, dot) = (tree.to_text(None), tree.to_dot());
            assert!(text.len() < 20_000_000 && dot.len() < 20_000_000, "{} {}", text.len(), dot.len());
        };
        std::thread::Builder::new().stack_size(1 << 18).spawn(draw).unwrap().join().unwrap();
    }

    #[test]
    fn partners_of_one_marriage_stand_in_the_column() {
        let mut file = String::from("0 HEAD\n0 @I0@ INDI\n0 @F1@ FAM\n1 HUSB @I0@\n");
        (1..12).for_each(|number| file.push_str(&format!("1 WIFE @I{number}@\n")));
        (1..12).for_each(|number| file.push_str(&format!("0 @I{number}@ INDI\n")));
        let read = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ());
        let lineage = Lineage::of(&read.unwrap());
        let drawing =
            lay_out(&FamilyTree::of(lineage.find_person("I0").unwrap(), &TreeOptions::default()), None);
        assert_eq!(drawing.boxes.len(), 12);
        assert!(drawing.boxes.iter().all(|one| one.right() == drawing.boxes[0].right()));
    }

    proptest! {
        #[test]
        fn boxes_are_apart_and_lines_join_them(
            persons in 1_usize..30,
            families in proptest::collection::vec(
                (0_usize..30, proptest::option::of(0_usize..30), proptest::collection::vec(0_usize..30, 0..6)),
                0..25,
            ),
            of in 0_usize..30,
            width in proptest::option::of(100_u32..3000),
            most in 1_usize..40,
        ) {
            let lineage = lineage(persons, &families);
            let options = TreeOptions::default().with_up(6).with_down(5).with_most(most);
            let person = lineage.find_person(&format!("I{}", of % persons)).unwrap();
            let tree = FamilyTree::of(person, &options);
            prop_assert!(tree.person_count() <= most);
            let drawing = lay_out(&tree, width.map(f64::from));
            check(&drawing);
            let again = FamilyTree::of(person, &options);
            prop_assert_eq!(tree.to_text(None), again.to_text(None));
            prop_assert_eq!(tree.to_svg(&crate::pictures::SvgOptions::default()), again.to_svg(&crate::pictures::SvgOptions::default()));
        }
    }
}
