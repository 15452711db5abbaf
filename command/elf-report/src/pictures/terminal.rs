//! Family trees as text for terminals: ancestors sideways, the father above and the mother beneath each
//! person, then the descendants, each beneath the parents.

use crate::pictures::family_tree::{Branch, FamilyTree, Slot, Way};
use crate::pictures::text::{clean, columns, has_right_to_left, shortened_to_columns};
use std::collections::VecDeque;

/// The generations that are drawn in one go: those behind them begin at the margin again, so that a line of
/// any number of generations takes no more room than it must.
const DEEP: usize = 30;

/// The columns that a name keeps, however narrow the terminal is.
const NAME: usize = 8;

/// A piece of text that is still to be written.
enum Step {
    /// A person with everybody that belongs there.
    Person { at: usize, depth: usize, lead: Lead },
    /// The line of a person, and the number at which the drawing goes on.
    Line { at: usize, own: String, goes_on: Option<usize> },
    /// The line of a partner: the number of the family among all.
    Partner { union: usize, own: String },
}

/// The beginnings of the lines of a person: of those above, of the own, of those beneath.
#[derive(Clone, Default)]
struct Lead {
    above: String,
    own: String,
    beneath: String,
}

/// The ancestors or the descendants, as they are written.
struct TextHalf<'t> {
    tree: &'t FamilyTree,
    way: Way,
    branches: &'t [Branch],
    width: Option<usize>,
    out: String,
    /// The branches that are drawn from the margin on, with their numbers.
    later: VecDeque<(usize, usize)>,
}

impl FamilyTree {
    /// The tree as text, a person a line: ancestors sideways, then descendants with their partners. Of a line
    /// that takes more columns than `width`, the name is shortened.
    ///
    /// Names from right to left are isolated, so that what stands around them keeps its order.
    pub fn to_text(&self, width: Option<usize>) -> String {
        let mut out = String::new();
        let mut next_number = self.persons.iter().filter_map(|person| person.number).max().unwrap_or(0) + 1;
        for (way, branches) in [(Way::Up, &self.up), (Way::Down, &self.down)] {
            let is_alone = branches.len() < 2 && (way == Way::Up || self.unions.is_empty());
            if is_alone && (way == Way::Up || !out.is_empty()) {
                continue;
            }
            if !out.is_empty() {
                out.push('\n');
            }
            if !is_alone {
                out.push_str(if way == Way::Up { "Ancestors of " } else { "Descendants of " });
                out.push_str(&isolated(&self.title()));
                out.push_str("\n\n");
            }
            let mut half = TextHalf { tree: self, way, branches, width, out, later: VecDeque::new() };
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

/// A name that does not disturb the order of what stands around it.
fn isolated(name: &str) -> String {
    if has_right_to_left(name) { format!("\u{2068}{name}\u{2069}") } else { name.to_owned() }
}

impl TextHalf<'_> {
    /// Writes everything; returns the next number for those that are drawn from the margin on.
    fn write(&mut self, mut next_number: usize) -> usize {
        self.later.push_back((0, 0));
        while let Some((at, number)) = self.later.pop_front() {
            let mut lead = Lead::default();
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
                        } else if self.way == Way::Up {
                            self.ancestors(at, depth, lead, &mut steps);
                        } else {
                            self.descendants(at, depth, lead, &mut steps);
                        }
                    }
                    Step::Line { at, own, goes_on } => self.line(at, &own, goes_on),
                    Step::Partner { union, own } => self.partner(union, &own),
                }
            }
        }
        next_number
    }

    /// Puts the first half of the parents above a person, the others beneath; the last step is done first.
    fn ancestors(&self, at: usize, depth: usize, lead: Lead, steps: &mut Vec<Step>) {
        let Some(branch) = self.branches.get(at) else { return };
        let is_father = branch.next.len() == 1
            && self.branches.get(branch.next.start).is_some_and(|one| one.slot != Slot::Unknown);
        let half = branch.next.start + if is_father { 1 } else { branch.next.len() / 2 };
        let last = branch.next.end.wrapping_sub(1);
        for parent in (half..branch.next.end).rev() {
            let (corner, bar) = if parent == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let lead = Lead {
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
            let lead = Lead {
                above: format!("{}{bar}", lead.above),
                own: format!("{}{corner}", lead.above),
                beneath: format!("{}│  ", lead.above),
            };
            steps.push(Step::Person { at: parent, depth: depth + 1, lead });
        }
    }

    /// Puts the partners of a person beneath, each with the children.
    fn descendants(&self, at: usize, depth: usize, lead: Lead, steps: &mut Vec<Step>) {
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
                let lead = Lead {
                    above: String::new(),
                    own: format!("{}{corner}", lead.beneath),
                    beneath: format!("{}{bar}", lead.beneath),
                };
                steps.push(Step::Person { at: child, depth: depth + 1, lead });
            }
        }
        steps[first..].reverse();
    }

    fn line(&mut self, at: usize, own: &str, goes_on: Option<usize>) {
        let Some(branch) = self.branches.get(at) else { return };
        let person = self.tree.person(branch.slot);
        let more = person.is_some_and(|person| person.more[usize::from(self.way == Way::Down)]);
        // A person who is ancestor and descendant has a box in one half only, and goes on in both.
        let is_of =
            |way| person.is_some_and(|one| one.generation != 0 && (one.generation < 0) == (way == Way::Up));
        let is_here = match branch.slot {
            Slot::Person(_) => true,
            Slot::Reference(_) => person.is_some_and(|one| one.generation != 0) && !is_of(self.way),
            Slot::LeftOut | Slot::Unknown => false,
        };
        let mut behind = String::new();
        if let Some(tie) = self.way.tie_word(branch.tie) {
            behind = format!(", {tie}");
        }
        if let Some(number) = goes_on {
            behind.push_str(&format!(" → {number}"));
        } else if is_here && more {
            behind.push_str(" …");
        }
        self.name(own, branch.slot, &behind);
    }

    fn partner(&mut self, union: usize, own: &str) {
        let Some(union) = self.tree.unions.get(union) else { return };
        let own = format!("{own}{} ", if union.marriage.is_empty() { "⚭" } else { &union.marriage });
        match union.partner {
            Some(slot) => self.name(&own, slot, ""),
            None => {
                self.out.push_str(own.trim_end());
                self.out.push('\n');
            }
        }
    }

    /// Writes the line of a person: the number by which others refer to it, name, years, identifier.
    fn name(&mut self, own: &str, slot: Slot, behind: &str) {
        let person = self.tree.person(slot);
        let number = person.and_then(|person| person.number);
        let mut end = String::new();
        let mut start = own.to_owned();
        if let Some(person) = person {
            if !person.years.is_empty() {
                end = format!(" ({})", person.years);
            }
            if let Some(identifier) = &person.identifier {
                end.push_str(&format!(" @{}@", clean(identifier)));
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
                shortened_to_columns(&name, room)
            }
            None => name,
        };
        let name = isolated(&name);
        self.out.push_str(&format!("{start}{name}{end}"));
        self.out.push('\n');
    }
}
