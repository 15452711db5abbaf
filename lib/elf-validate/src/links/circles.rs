//! Finds pointers that are invalid because of other pointers of their kind. These are pointers that
//! form a circle, and pointers that refer to the same record as an earlier one.

use super::index::{BearerId, BearerIndex};
use super::rules::RulesByKind;
use super::run_links::RunLinks;
use std::collections::{HashMap, HashSet};

#[derive(Debug, Default)]
pub(super) struct Circles {
    /// The number of each record's circle. Circles that share a record have the same number.
    circles: HashMap<BearerId, u32>,
}

impl Circles {
    /// Finds circles of pointers whose rules forbid circles.
    pub(super) fn of(runs: &[RunLinks], rules: &RulesByKind, index: &BearerIndex) -> Circles {
        if rules.acyclic == 0 {
            return Circles::default();
        }
        let mut graph = Graph::default();
        for (number, run) in (0..).zip(runs) {
            for (of, record) in run.bearers.iter().enumerate() {
                for pointer in run.pointers_of(of).filter_map(|at| run.get_pointer(at)) {
                    if rules.rules_about(&pointer, record) & rules.acyclic == 0 {
                        continue;
                    }
                    if let Some((target, _)) = index.find_bearer(pointer.key, runs) {
                        graph.add_pointer([BearerId::new(number, of), target]);
                    }
                }
            }
        }
        graph.find_circles()
    }

    /// Returns whether both records are on the same circle.
    pub(super) fn contain_both(&self, records: [BearerId; 2]) -> bool {
        let [one, other] = records.map(|record| self.circles.get(&record));
        one.is_some() && one == other
    }
}

/// A graph of records and the pointers between them.
#[derive(Default)]
struct Graph {
    numbers: HashMap<BearerId, usize>,
    records: Vec<BearerId>,
    /// For each record, the numbers of the records that it points to.
    targets: Vec<Vec<usize>>,
}

/// Tarjan's search for strongly connected components, with an explicit stack instead of recursion.
struct Search {
    /// Two numbers for each record: the number of its visit, from 1, and the lowest such number
    /// that the record reaches. Both are 0 before the visit.
    visits: Vec<(usize, usize)>,
    count: usize,
    /// The visited records that are not in a finished component.
    open: Vec<usize>,
    is_open: Vec<bool>,
}

impl Graph {
    fn add_pointer(&mut self, pointer: [BearerId; 2]) {
        let [from, to] = pointer.map(|record| {
            *self.numbers.entry(record).or_insert_with(|| {
                self.records.push(record);
                self.targets.push(Vec::new());
                self.records.len() - 1
            })
        });
        self.targets[from].push(to);
    }

    fn find_circles(self) -> Circles {
        let len = self.records.len();
        let mut search =
            Search { visits: vec![(0, 0); len], count: 0, open: Vec::new(), is_open: vec![false; len] };
        let mut circles = HashMap::new();
        let mut number = 0;
        for start in 0..len {
            search.visit(start, &self.targets, &mut |component| {
                // A record that points to itself is reported separately.
                if component.len() > 1 {
                    circles.extend(component.iter().map(|record| (self.records[*record], number)));
                    number += 1;
                }
            });
        }
        Circles { circles }
    }
}

impl Search {
    /// Visits a record and all records that it reaches. Passes each complete component to `take`.
    fn visit(&mut self, start: usize, targets: &[Vec<usize>], take: &mut dyn FnMut(&[usize])) {
        if self.visits[start].0 > 0 {
            return;
        }
        let mut path = vec![(start, 0)];
        self.start_visit(start);
        while let Some((record, next)) = path.last_mut() {
            let record = *record;
            if let Some(&target) = targets[record].get(*next) {
                *next += 1;
                if self.visits[target].0 == 0 {
                    self.start_visit(target);
                    path.push((target, 0));
                } else if self.is_open[target] {
                    self.visits[record].1 = self.visits[record].1.min(self.visits[target].0);
                }
                continue;
            }
            path.pop();
            let (visit, least) = self.visits[record];
            if let Some((above, _)) = path.last() {
                self.visits[*above].1 = self.visits[*above].1.min(least);
            }
            if visit == least {
                self.close_component(record, take);
            }
        }
    }

    fn start_visit(&mut self, record: usize) {
        self.count += 1;
        self.visits[record] = (self.count, self.count);
        self.open.push(record);
        self.is_open[record] = true;
    }

    /// Completes the component whose first record is `record`.
    fn close_component(&mut self, record: usize, take: &mut dyn FnMut(&[usize])) {
        // The record is in `open`, and the records after it belong to its component.
        let start = self.open.iter().rposition(|open| *open == record).unwrap_or(self.open.len());
        let component = self.open.split_off(start);
        component.iter().for_each(|closed| self.is_open[*closed] = false);
        take(&component);
    }
}

/// The pointers that repeat an earlier pointer of their kind. Both pointers are directly under one
/// record and refer to the same record.
#[derive(Debug, Default)]
pub(super) struct RepeatedPointers {
    /// The number of the run and the index of the pointer in the run, for each repeated pointer.
    pointers: HashSet<(u32, u32)>,
}

impl RepeatedPointers {
    pub(super) fn of(runs: &[RunLinks], rules: &RulesByKind) -> RepeatedPointers {
        let mut repeated = RepeatedPointers::default();
        if rules.once == 0 {
            return repeated;
        }
        let mut met = HashSet::new();
        for (number, run) in (0..).zip(runs) {
            for (of, record) in run.bearers.iter().enumerate() {
                met.clear();
                for at in run.pointers_of(of) {
                    let Some(pointer) = run.get_pointer(at) else { continue };
                    if rules.rules_about(&pointer, record) & rules.once == 0 || run.has_pedigree(at) {
                        continue;
                    }
                    if !met.insert((pointer.kind, pointer.key)) {
                        repeated.pointers.insert((number, super::to_u32(at)));
                    }
                }
            }
        }
        repeated
    }

    pub(super) fn contains(&self, run: u32, pointer: u32) -> bool {
        self.pointers.contains(&(run, pointer))
    }
}
