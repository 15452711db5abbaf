//! A standard by paths of tags: those under which the same may stand are one kind.

use super::render::{Kind, Slot, Table, cardinality, payloads};
use super::{parts, rows};
use std::collections::{BTreeMap, HashMap};

/// The kinds met so far.
#[derive(Default)]
struct Kinds {
    list: Vec<Kind>,
    numbers: HashMap<Kind, usize>,
}

/// Reads the facts; an error is the number of a line and what is wrong there.
pub(super) fn read(text: &str) -> Result<Table, String> {
    // Paths backwards in their order: whatever stands beneath a structure comes before it.
    let mut order = BTreeMap::new();
    for row in rows::<6>(text) {
        let (line, [path, cells @ ..]) = row?;
        if order.insert(path.split('.').collect::<Vec<_>>(), (line, cells)).is_some() {
            return Err(format!("{line}: `{path}` has a row already"));
        }
    }
    let mut kinds = Kinds::default();
    let mut open: HashMap<&[&str], Vec<Slot>> = HashMap::new();
    for (path, (line, [min, max, payload, targets, values])) in order.iter().rev() {
        let problem = |message: String| format!("{line}: {message}");
        let Some((tag, above)) = path.split_last() else { continue };
        if !above.is_empty() && !order.contains_key(above) {
            return Err(problem(format!("nothing says what `{}` is", above.join("."))));
        }
        let mut slots = open.remove(path.as_slice()).unwrap_or_default();
        slots.reverse();
        let kind = kinds.number(Kind {
            name: (*tag).to_owned(),
            payloads: payloads(payload).map_err(problem)?,
            targets: parts(targets, '|'),
            values: parts(values, '|'),
            supertypes: Vec::new(),
            slots,
        });
        let cardinality = cardinality(min, max).map_err(problem)?;
        open.entry(above).or_default().push(Slot { name: (*tag).to_owned(), kind, cardinality });
    }
    let mut roots = open.remove([].as_slice()).unwrap_or_default();
    roots.reverse();
    Ok(kinds.table(roots))
}

impl Kinds {
    fn number(&mut self, kind: Kind) -> usize {
        let next = self.list.len();
        *self.numbers.entry(kind).or_insert_with_key(|kind| {
            self.list.push(kind.clone());
            next
        })
    }

    /// The table, its kinds in the order of their names.
    fn table(self, mut roots: Vec<Slot>) -> Table {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&number| &self.list[number].name);
        let mut numbers = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            numbers[old] = new;
        }
        let mut kinds: Vec<Kind> = order.iter().map(|&old| self.list[old].clone()).collect();
        let slots = kinds.iter_mut().flat_map(|kind| &mut kind.slots).chain(&mut roots);
        slots.for_each(|slot| slot.kind = numbers[slot.kind]);
        Table { title: "GEDCOM 5.5.1", naming: "Tag", kinds, roots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_the_same_beneath_them_are_one_kind() {
        let facts = "B\t0\tM\tnone\t\t\nB.X\t0\t1\ttext\t\t\nA\t0\tM\tnone\t\t\nA.X\t1\tM\ttext\t\t\n";
        let table = read(facts).expect("good facts");
        let names: Vec<&str> = table.kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "X"]);
        assert_eq!(table.roots.iter().map(|slot| slot.kind).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((table.kinds[0].slots[0].kind, table.kinds[1].slots[0].kind), (2, 2));
        assert_eq!(table.kinds[0].slots[0].cardinality, (1, None));
    }

    #[test]
    fn faults_are_found() {
        let message = |text| read(text).expect_err("a problem");
        assert_eq!(message("A\t0\n"), "1: expected 6 columns");
        assert_eq!(message("A.B\t0\t1\tnone\t\t\n"), "1: nothing says what `A` is");
        assert_eq!(message("A\t0\tM\tnone\t\t\nA\t0\tM\tnone\t\t\n"), "2: `A` has a row already");
        assert_eq!(message("A\t0\tN\tnone\t\t\n"), "1: expected a number, but found `N`");
    }
}
