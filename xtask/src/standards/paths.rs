//! Reads a standard that names structures by paths of tags. Paths that allow the same substructures form one kind.

use super::render::{Kind, Slot, Table, Text, parse_cardinality, parse_payloads};
use super::{fact_rows, split_cell};
use std::collections::{BTreeMap, HashMap};

/// The kinds found so far.
#[derive(Default)]
struct Kinds {
    list: Vec<Kind>,
    numbers: HashMap<Kind, usize>,
    /// The index of the kind of each path.
    paths: BTreeMap<String, usize>,
}

/// Reads the facts. An error names the line.
pub(super) fn read_standard(title: &'static str, text: &str, values: &str) -> Result<Table, String> {
    let texts = read_texts(values)?;
    // In reverse order, the substructures of a path come before the path.
    let mut order = BTreeMap::new();
    for row in fact_rows::<6>(text) {
        let (line, [path, cells @ ..]) = row?;
        if order.insert(path.split('.').collect::<Vec<_>>(), (line, cells)).is_some() {
            return Err(format!("{line}: `{path}` has a row already"));
        }
    }
    let mut kinds = Kinds::default();
    let mut open: HashMap<&[&str], Vec<Slot>> = HashMap::new();
    for (path, (line, [min, max, payload, targets, value])) in order.iter().rev() {
        let problem = |message: String| format!("{line}: {message}");
        let Some((tag, above)) = path.split_last() else { continue };
        if !above.is_empty() && !order.contains_key(above) {
            return Err(problem(format!("nothing says what `{}` is", above.join("."))));
        }
        let mut slots = open.remove(path.as_slice()).unwrap_or_default();
        slots.reverse();
        let kind = kinds.kind_index(Kind {
            name: (*tag).to_owned(),
            tag: (*tag).to_owned(),
            payloads: parse_payloads(payload).map_err(problem)?,
            targets: split_cell(targets, '|'),
            text: text_of(value, &texts).map_err(problem)?,
            supertypes: Vec::new(),
            slots,
            must_say_something: false,
        });
        kinds.paths.insert(path.join("."), kind);
        let cardinality = parse_cardinality(min, max).map_err(problem)?;
        open.entry(above).or_default().push(Slot { name: (*tag).to_owned(), kind, cardinality });
    }
    let mut roots = open.remove([].as_slice()).unwrap_or_default();
    roots.reverse();
    Ok(kinds.build_table(title, roots))
}

pub(super) fn read_texts(values: &str) -> Result<HashMap<&str, Text>, String> {
    let mut texts = HashMap::new();
    for row in fact_rows::<5>(values) {
        let (line, [name, grammar, values, required, longest]) = row?;
        let text = Text::parse(grammar, values, required, longest)
            .map_err(|message| format!("{line} of the values: {message}"))?;
        if texts.insert(name, text).is_some() {
            return Err(format!("{line} of the values: `{name}` has a row already"));
        }
    }
    Ok(texts)
}

/// The text of a type of values. Without a name, any text.
pub(super) fn text_of(name: &str, texts: &HashMap<&str, Text>) -> Result<Text, String> {
    match texts.get(name) {
        Some(text) => Ok(text.clone()),
        None if name.is_empty() => Ok(Text::default()),
        None => Err(format!("nothing says what values `{name}` has")),
    }
}

impl Kinds {
    fn kind_index(&mut self, kind: Kind) -> usize {
        let next = self.list.len();
        *self.numbers.entry(kind).or_insert_with_key(|kind| {
            self.list.push(kind.clone());
            next
        })
    }

    /// Builds the table, with the kinds in the order of their names.
    fn build_table(self, title: &'static str, mut roots: Vec<Slot>) -> Table {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&number| &self.list[number].name);
        let mut numbers = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            numbers[old] = new;
        }
        let mut kinds: Vec<Kind> = order.iter().map(|&old| self.list[old].clone()).collect();
        let slots = kinds.iter_mut().flat_map(|kind| &mut kind.slots).chain(&mut roots);
        slots.for_each(|slot| slot.kind = numbers[slot.kind]);
        let paths = self.paths.into_iter().map(|(path, old)| (path, numbers[old]));
        let numbers = paths.collect();
        Table { title, naming: "Tag", kinds, roots, numbers, has_types: false, links: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_the_same_beneath_them_are_one_kind() {
        let facts = "B\t0\tM\tnone\t\t\nB.X\t0\t1\ttext\t\t\nA\t0\tM\tnone\t\t\nA.X\t1\tM\ttext\t\t\n";
        let table = read_standard("x", facts, "").expect("good facts");
        let names: Vec<&str> = table.kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "X"]);
        assert_eq!(table.roots.iter().map(|slot| slot.kind).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((table.kinds[0].slots[0].kind, table.kinds[1].slots[0].kind), (2, 2));
        assert_eq!(table.kinds[0].slots[0].cardinality, (1, None));
    }

    #[test]
    fn faults_are_found() {
        let message = |text| read_standard("x", text, "V\tname\t\tmust\t9\n").expect_err("a problem");
        assert_eq!(message("A\t0\n"), "1: expected 6 columns");
        assert_eq!(message("A.B\t0\t1\tnone\t\t\n"), "1: nothing says what `A` is");
        assert_eq!(message("A\t0\tM\tnone\t\t\nA\t0\tM\tnone\t\t\n"), "2: `A` has a row already");
        assert_eq!(message("A\t0\tN\tnone\t\t\n"), "1: expected a number, but found `N`");
        assert_eq!(message("A\t0\tM\ttext\t\tW\n"), "1: nothing says what values `W` has");
        let of_values = |values| read_standard("x", "", values).expect_err("a problem");
        assert_eq!(of_values("V\tname\t\t\t\n"), "1 of the values: expected must or should, but found ``");
        assert_eq!(of_values("V\tpoem\t\t\t\n"), "1 of the values: expected a grammar, but found `poem`");
        assert_eq!(of_values("V\t\t\t\t\nV\t\t\t\t\n"), "2 of the values: `V` has a row already");
    }
}
