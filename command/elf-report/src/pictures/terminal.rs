//! Family trees as text for terminals. First the ancestors, with the father above and the mother below each person.
//! Then the descendants, with children below their parents.

use crate::pictures::family_tree::{Branch, Direction, FamilyTree, Slot};
use crate::pictures::text::{clean_text, columns, has_right_to_left, shorten_to_columns};
use std::collections::VecDeque;

/// The maximum number of nested generations. Deeper generations start at the left margin again, so that lines do not
/// become too long.
const DEEP: usize = 30;

/// The minimum number of columns of a name, even in a narrow terminal.
const NAME: usize = 8;

/// A part of the text that is still to be written.
enum Step {
    /// A person and all relatives on that side.
    Person { at: usize, depth: usize, lead: LinePrefixes },
    /// The line of a person, and the number of the place where the drawing continues.
    Line { at: usize, own: String, goes_on: Option<usize> },
    /// The line of a partner. `union` is the index of the family.
    Partner { union: usize, own: String },
}

/// The prefixes of the lines of a person: of the lines above, of the person's own line, and of the lines below.
#[derive(Clone, Default)]
struct LinePrefixes {
    above: String,
    own: String,
    beneath: String,
}

/// The ancestors or the descendants while they are written.
struct TextHalf<'t> {
    tree: &'t FamilyTree,
    direction: Direction,
    branches: &'t [Branch],
    width: Option<usize>,
    out: String,
    /// The branches that continue at the left margin, with their numbers.
    later: VecDeque<(usize, usize)>,
}

impl FamilyTree {
    /// Returns the tree as text with one person per line: first the ancestors, then the descendants with their
    /// partners. If a line has more columns than `width`, the name in it is shortened.
    ///
    /// Right-to-left names are isolated, so that the text around them keeps its order.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let mut out = String::new();
        let mut next_number = self.persons.iter().filter_map(|person| person.number).max().unwrap_or(0) + 1;
        for (direction, branches) in [(Direction::Up, &self.up), (Direction::Down, &self.down)] {
            let is_alone = branches.len() < 2 && (direction == Direction::Up || self.unions.is_empty());
            if is_alone && (direction == Direction::Up || !out.is_empty()) {
                continue;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            if !is_alone {
                out.push_str(if direction == Direction::Up { "Ancestors of " } else { "Descendants of " });
                out.push_str(&isolate(&self.title()));
                out.push_str("\n\n");
            }
            let mut half = TextHalf { tree: self, direction, branches, width, out, later: VecDeque::new() };
            next_number = half.write(next_number);
            out = half.out;
        }
        let note = self.note();
        if !note.is_empty() {
            out.push('\n');
            out.push_str(&note);
            out.push('\n');
        }
        out
    }
}

/// Adds isolation characters to a right-to-left name.
fn isolate(name: &str) -> String {
    if has_right_to_left(name) { format!("\u{2068}{name}\u{2069}") } else { name.to_owned() }
}

impl TextHalf<'_> {
    /// Writes everything. Returns the next free number for branches that continue at the left margin.
    fn write(&mut self, mut next_number: usize) -> usize {
        self.later.push_back((0, 0));
        while let Some((at, number)) = self.later.pop_front() {
            let mut lead = LinePrefixes::default();
            if number > 0 {
                self.out.push('\n');
                lead.own = format!("[{number}] ");
            }
            let mut steps = vec![Step::Person { at, depth: 0, lead }];
            while let Some(step) = steps.pop() {
                match step {
                    Step::Person { at, depth, lead } => {
                        let has_next = self.branches.get(at).is_some_and(|branch| !branch.next.is_empty());
                        let goes_on = (depth == DEEP && has_next).then_some(next_number);
                        if goes_on.is_some() {
                            self.later.push_back((at, next_number));
                            next_number += 1;
                            steps.push(Step::Line { at, own: lead.own, goes_on });
                        } else if self.direction == Direction::Up {
                            self.push_ancestors(at, depth, lead, &mut steps);
                        } else {
                            self.push_descendants(at, depth, lead, &mut steps);
                        }
                    }
                    Step::Line { at, own, goes_on } => self.write_person_line(at, &own, goes_on),
                    Step::Partner { union, own } => self.write_partner_line(union, &own),
                }
            }
        }
        next_number
    }

    /// Pushes the steps for a person and the parents: the first half of the parents is above the person, the others are
    /// below. The last step on the stack is processed first.
    fn push_ancestors(&self, at: usize, depth: usize, lead: LinePrefixes, steps: &mut Vec<Step>) {
        let Some(branch) = self.branches.get(at) else { return };
        let is_father = branch.next.len() == 1
            && self.branches.get(branch.next.start).is_some_and(|one| one.slot != Slot::Unknown);
        let half = branch.next.start + if is_father { 1 } else { branch.next.len() / 2 };
        let last = branch.next.end.wrapping_sub(1);
        for parent in (half..branch.next.end).rev() {
            let (corner, bar) = if parent == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let lead = LinePrefixes {
                above: format!("{}│  ", lead.beneath),
                own: format!("{}{corner}", lead.beneath),
                beneath: format!("{}{bar}", lead.beneath),
            };
            steps.push(Step::Person { at: parent, depth: depth + 1, lead });
        }
        steps.push(Step::Line { at, own: lead.own, goes_on: None });
        for parent in (branch.next.start..half).rev() {
            let (corner, bar) =
                if parent == branch.next.start { ("┌─ ", "   ") } else { ("├─ ", "│  ") };
            let lead = LinePrefixes {
                above: format!("{}{bar}", lead.above),
                own: format!("{}{corner}", lead.above),
                beneath: format!("{}│  ", lead.above),
            };
            steps.push(Step::Person { at: parent, depth: depth + 1, lead });
        }
    }

    /// Pushes the steps for the partners of a person, each with the children.
    fn push_descendants(&self, at: usize, depth: usize, lead: LinePrefixes, steps: &mut Vec<Step>) {
        let Some(branch) = self.branches.get(at) else { return };
        let first = steps.len();
        steps.push(Step::Line { at, own: lead.own, goes_on: None });
        let mut children = branch.next.clone().peekable();
        for (family, union) in branch.unions.clone().enumerate() {
            steps.push(Step::Partner { union, own: lead.beneath.clone() });
            let is_of_family =
                |child: &usize| self.branches.get(*child).is_some_and(|one| one.family == family);
            while let Some(child) = children.next_if(is_of_family) {
                let is_last = !children.peek().is_some_and(is_of_family);
                let (corner, bar) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                let lead = LinePrefixes {
                    above: String::new(),
                    own: format!("{}{corner}", lead.beneath),
                    beneath: format!("{}{bar}", lead.beneath),
                };
                steps.push(Step::Person { at: child, depth: depth + 1, lead });
            }
        }
        steps[first..].reverse();
    }

    fn write_person_line(&mut self, at: usize, own: &str, goes_on: Option<usize>) {
        let Some(branch) = self.branches.get(at) else { return };
        let person = self.tree.person(branch.slot);
        let more = person.is_some_and(|person| person.more[usize::from(self.direction == Direction::Down)]);
        // A person who is both an ancestor and a descendant has a box in one half only, but relatives in both.
        let is_of = |direction| {
            person.is_some_and(|one| {
                one.generation != 0 && (one.generation < 0) == (direction == Direction::Up)
            })
        };
        let is_here = match branch.slot {
            Slot::Person(_) => true,
            Slot::Reference(_) => person.is_some_and(|one| one.generation != 0) && !is_of(self.direction),
            Slot::LeftOut | Slot::Unknown => false,
        };
        let mut behind = String::new();
        if let Some(tie) = self.direction.tie_word(branch.tie) {
            behind = format!(", {tie}");
        }
        if let Some(number) = goes_on {
            behind.push_str(&format!(" → {number}"));
        } else if is_here && more {
            behind.push_str(" …");
        }
        self.write_name(own, branch.slot, &behind);
    }

    fn write_partner_line(&mut self, union: usize, own: &str) {
        let Some(union) = self.tree.unions.get(union) else { return };
        let own = format!("{own}{} ", if union.marriage.is_empty() { "⚭" } else { &union.marriage });
        match union.partner {
            Some(slot) => self.write_name(&own, slot, ""),
            None => {
                self.out.push_str(own.trim_end());
                self.out.push('\n');
            }
        }
    }

    /// Writes the line of a person: the number by which other lines refer to it, the name, the years and the
    /// identifier.
    fn write_name(&mut self, own: &str, slot: Slot, behind: &str) {
        let person = self.tree.person(slot);
        let number = person.and_then(|person| person.number);
        let mut end = String::new();
        let mut start = own.to_owned();
        if let Some(person) = person {
            if !person.years.is_empty() {
                end = format!(" ({})", person.years);
            }
            if let Some(identifier) = &person.identifier {
                end.push_str(&format!(" @{}@", clean_text(identifier)));
            }
        }
        match (slot, number) {
            (Slot::Reference(_), Some(number)) => end.push_str(&format!(" → {number}")),
            (Slot::Person(_), Some(number)) => start.push_str(&format!("[{number}] ")),
            _ => {}
        }
        end.push_str(behind);
        let name = self.tree.name(slot);
        let name = match self.width {
            Some(width) => {
                let room = width.saturating_sub(columns(&start) + columns(&end)).max(NAME);
                shorten_to_columns(&name, room)
            }
            None => name,
        };
        let name = isolate(&name);
        self.out.push_str(&format!("{start}{name}{end}"));
        self.out.push('\n');
    }
}
