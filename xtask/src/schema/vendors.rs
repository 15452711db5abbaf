//! The dictionary of vendor tags: reads its rows, and renders them as schemas and as tables in Rust.

use super::facts::Facts;
use super::rows::GEDCOM_7;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

/// The namespace of the types that the dictionary defines itself.
const NAMESPACE: &str = "https://terms.fhiso.org/elf/vendor/";

/// The supertype of tags that have no more specific supertype in ELF.
const ANY: &str = "elf:Structure";

const KINDS: [&str; 10] = [
    "attribute",
    "bookkeeping",
    "definition",
    "event",
    "identifier",
    "link",
    "media",
    "name",
    "note",
    "source-detail",
];

/// The tables store producers as a set of bits, which has room for this many.
const MOST_PRODUCERS: usize = 64;

/// A program, or a convention shared by programs, that uses vendor tags.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Producer {
    pub(super) key: String,
    name: String,
    sources: Vec<String>,
}

/// The meaning of a tag in one place.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    line: usize,
    tag: String,
    place: String,
    /// The indices of the producers.
    producers: BTreeSet<usize>,
    meaning: String,
    kind: String,
    payload: String,
    supertype: Option<String>,
    gedcom_7: String,
    above: Vec<String>,
    of: String,
    /// True if the entry applies to files of all producers, except those in `except`.
    is_common: bool,
    /// The indices of the producers that give the tag another meaning.
    except: BTreeSet<usize>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Vendors {
    pub(super) producers: Vec<Producer>,
    entries: Vec<Entry>,
}

impl Vendors {
    /// Reads the producers and the tags. An error names the line.
    pub(super) fn read_vendors(producers: &str, tags: &str, facts: &Facts) -> Result<Vendors, String> {
        let mut read = Vendors::default();
        for (line, cells) in fact_rows(producers) {
            let [key, name, sources] = cells.as_slice() else {
                return Err(format!("{line}: expected three columns"));
            };
            let sources = sources.split(';').filter(|source| !source.is_empty()).map(str::to_owned);
            let producer =
                Producer { key: (*key).to_owned(), name: (*name).to_owned(), sources: sources.collect() };
            read.producers.push(producer);
        }
        if read.producers.len() > MOST_PRODUCERS {
            return Err(format!("0: expected at most {MOST_PRODUCERS} producers"));
        }
        for (line, cells) in fact_rows(tags) {
            let entry = read.parse_entry(line, &cells).map_err(|problem| format!("{line}: {problem}"))?;
            read.entries.push(entry);
        }
        read.check_names(facts)?;
        read.check_meanings()?;
        read.check_standard(facts)?;
        read.find_common(facts)?;
        Ok(read)
    }

    fn parse_entry(&self, line: usize, cells: &[&str]) -> Result<Entry, String> {
        let &[tag, place, producers, meaning, kind, payload, supertype, gedcom_7, _, _, above, of] = cells
        else {
            return Err("expected twelve columns".to_owned());
        };
        if !KINDS.contains(&kind) {
            return Err(format!("`{kind}` is no kind of entry"));
        }
        let number = |key: &str| {
            let found = self.producers.iter().position(|producer| producer.key == key);
            found.ok_or_else(|| format!("no row of the producers has the name `{key}`"))
        };
        let producers = producers.split(';').filter(|key| !key.is_empty());
        Ok(Entry {
            line,
            tag: tag.to_owned(),
            place: place.to_owned(),
            producers: producers.map(number).collect::<Result<_, _>>()?,
            meaning: meaning.to_owned(),
            kind: kind.to_owned(),
            payload: payload.to_owned(),
            supertype: (supertype != ANY).then(|| supertype.to_owned()),
            gedcom_7: gedcom_7.to_owned(),
            above: above.split(' ').map(str::to_owned).collect(),
            of: of.to_owned(),
            is_common: false,
            except: BTreeSet::new(),
        })
    }

    /// Checks that every named type is in a built-in schema or in the dictionary.
    fn check_names(&self, facts: &Facts) -> Result<(), String> {
        let standard = facts.types.iter().map(|of| of.name.as_str());
        let known: HashSet<&str> = standard.chain(self.entries.iter().map(|one| one.of.as_str())).collect();
        for one in &self.entries {
            let named = one.above.iter().chain(&one.supertype);
            if let Some(name) = named.into_iter().find(|name| !known.contains(name.as_str())) {
                return Err(format!("{}: nothing says what `{name}` is", one.line));
            }
        }
        Ok(())
    }

    /// Checks that each type has the same meaning everywhere.
    fn check_meanings(&self) -> Result<(), String> {
        let mut meanings: BTreeMap<&str, &Entry> = BTreeMap::new();
        for one in &self.entries {
            let first = meanings.entry(&one.of).or_insert(one);
            let same = |of: &Entry| (of.meaning.clone(), of.supertype.clone(), of.payload.clone());
            if same(first) != same(one) {
                return Err(format!(
                    "{}: `{}` means something else in line {}",
                    one.line, one.of, first.line
                ));
            }
        }
        Ok(())
    }

    /// A type and all its supertypes.
    fn with_supertypes<'v>(&'v self, name: &'v str, facts: &'v Facts) -> Vec<&'v str> {
        let own = self.entries.iter().find(|one| one.of == name);
        match own {
            Some(one) => {
                let above = one.supertype.iter().flat_map(|above| facts.with_supertypes(above));
                [name].into_iter().chain(above).collect()
            }
            None => facts.with_supertypes(name),
        }
    }

    /// Checks that no entry repeats a definition of the completed schema.
    fn check_standard(&self, facts: &Facts) -> Result<(), String> {
        let mut defined: HashSet<(&str, &str)> = HashSet::new();
        for of in &facts.types {
            for (_, places) in &of.tags {
                let mut words = places.split(' ');
                let tag = words.next().unwrap_or_default();
                defined.extend(words.map(|above| (tag, above)));
            }
        }
        let mut needless = Vec::new();
        for one in &self.entries {
            for above in &one.above {
                let mut all = self.with_supertypes(above, facts).into_iter();
                if all.any(|above| defined.contains(&(one.tag.as_str(), above))) {
                    needless.push(format!("{} ({} in {above})", one.line, one.tag));
                }
            }
        }
        match needless.is_empty() {
            true => Ok(()),
            false => Err(format!("{}: the completed schema defines that", needless.join(", "))),
        }
    }

    /// Finds the entries that apply to all producers: extensions by their tags or places. If meanings of a tag
    /// contradict each other, the one whose type names no producer applies.
    fn find_common(&mut self, facts: &Facts) -> Result<(), String> {
        let mut rivals: Vec<(usize, usize)> = Vec::new();
        for (number, one) in self.entries.iter().enumerate() {
            for other in self.entries.iter().skip(number + 1) {
                if one.tag != other.tag || one.of == other.of || !self.entries_overlap(one, other, facts) {
                    continue;
                }
                let shared = one.producers.intersection(&other.producers).next();
                if shared.is_some() || one.producers.is_empty() || other.producers.is_empty() {
                    let (line, first) = (other.line, one.line);
                    return Err(format!("{line}: contradicts line {first} for one producer"));
                }
                rivals.push((one.line, other.line));
            }
        }
        let is_general: BTreeMap<usize, bool> =
            self.entries.iter().map(|one| (one.line, self.is_general(&one.of))).collect();
        let producers: BTreeMap<usize, BTreeSet<usize>> =
            self.entries.iter().map(|one| (one.line, one.producers.clone())).collect();
        for one in &mut self.entries {
            let others = rivals.iter().filter_map(|&(first, second)| match one.line {
                line if line == first => Some(second),
                line if line == second => Some(first),
                _ => None,
            });
            let others: Vec<usize> = others.collect();
            let is_extension = one.tag.starts_with('_') || one.above.iter().all(|above| !is_standard(above));
            let wins = is_general[&one.line] && !others.iter().any(|line| is_general[line]);
            one.is_common = is_extension && wins;
            one.except = others.iter().flat_map(|line| producers[line].clone()).collect();
        }
        Ok(())
    }

    /// Returns whether the name of a type contains no producer.
    fn is_general(&self, of: &str) -> bool {
        !self.producers.iter().any(|producer| of.ends_with(&format!("-{}", producer.key)))
    }

    /// Returns whether both entries apply to some structure.
    fn entries_overlap(&self, one: &Entry, other: &Entry, facts: &Facts) -> bool {
        one.above.iter().any(|above| {
            other.above.iter().any(|below| {
                self.with_supertypes(above, facts).contains(&below.as_str())
                    || self.with_supertypes(below, facts).contains(&above.as_str())
            })
        })
    }

    /// Renders the entries that apply to all producers as a schema.
    pub(super) fn render_common_schema(&self, facts: &Facts) -> String {
        self.render_schema("all producers", |one| one.is_common, facts)
    }

    /// Renders the tags of a producer as a schema.
    pub(super) fn render_schema_of(&self, producer: usize, facts: &Facts) -> String {
        let name = &self.producers[producer].name;
        self.render_schema(name, |one| one.producers.contains(&producer), facts)
    }

    fn render_schema(&self, name: &str, is_in: impl Fn(&Entry) -> bool, facts: &Facts) -> String {
        let mut out = format!(
            "0 HEAD\n1 NOTE Vendor tags of {name}. Made by `cargo xtask schema` of \
             elf-schema/facts/vendor-tags.tsv; not to be edited.\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n\
             2 FORM LINEAGE-LINKED\n1 SCHMA\n"
        );
        for (_, prefix, iri) in &facts.prefixes {
            let _ = writeln!(out, "2 PRFX {prefix} {iri}");
        }
        let _ = writeln!(out, "2 PRFX g7 {GEDCOM_7}\n2 PRFX vendor {NAMESPACE}");
        let mut written = HashSet::new();
        for first in self.entries.iter().filter(|one| is_in(one)) {
            if !written.insert(&first.of) {
                continue;
            }
            let _ = writeln!(out, "2 IRI {}", with_prefix(&first.of));
            if let Some(above) = &first.supertype {
                let _ = writeln!(out, "3 ISA {above}");
            }
            let mut defined = HashSet::new();
            for one in self.entries.iter().filter(|one| one.of == first.of && is_in(one)) {
                let above = one.above.iter().filter(|above| defined.insert((&one.tag, *above)));
                let above: Vec<String> = above.map(|above| with_prefix(above)).collect();
                if !above.is_empty() {
                    let _ = writeln!(out, "3 TAG {} {}", one.tag, above.join(" "));
                }
            }
        }
        out.push_str("0 TRLR\n");
        out
    }

    /// Renders the tables of the library.
    pub(super) fn render_tables(&self, facts: &Facts) -> String {
        let mut out = String::from(
            "//! The dictionary of vendor tags.\n//!\n//! Made by `cargo xtask schema` of \
             elf-schema/facts/vendor-tags.tsv and vendor-producers.tsv; not to be edited.\n\n\
             use super::{DetailsRow, EntryRow, ProducerRow, TypeRow};\n\n",
        );
        let _ = write!(
            out,
            "/// The number of producers.\npub(super) const PRODUCER_COUNT: usize = {};\n\n\
             /// The producers, sorted by their keys.\n#[rustfmt::skip]\n\
             pub(super) static PRODUCERS: [ProducerRow; PRODUCER_COUNT] = [\n",
            self.producers.len()
        );
        for one in &self.producers {
            let Producer { key, name, sources } = one;
            let _ =
                writeln!(out, "    ProducerRow {{ key: {key:?}, name: {name:?}, sources: &{sources:?} }},");
        }
        let mut types: Vec<&Entry> = Vec::new();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for one in &self.entries {
            numbers.entry(&one.of).or_insert_with(|| {
                types.push(one);
                types.len() - 1
            });
        }
        out.push_str("];\n\n/// The types.\n#[rustfmt::skip]\npub(super) static TYPES: &[TypeRow] = &[\n");
        for one in types {
            let iri = expand_iri(&one.of, facts);
            let supertype = one.supertype.as_deref().map(|above| expand_iri(above, facts));
            let meaning = &one.meaning;
            let _ = writeln!(
                out,
                "    TypeRow {{ iri: {iri:?}, supertype: {supertype:?}, meaning: {meaning:?} }},"
            );
        }
        out.push_str("];\n\n/// The tags at their places, in the order of the facts.\n#[rustfmt::skip]\n");
        out.push_str("pub(super) static ENTRIES: &[EntryRow] = &[\n");
        for one in &self.entries {
            let Entry { tag, place, is_common, .. } = one;
            let above: Vec<String> = one.above.iter().map(|above| expand_iri(above, facts)).collect();
            let bits = |set: &BTreeSet<usize>| set.iter().map(|&at| 1_u64 << at).sum::<u64>();
            let (of, producers, except) = (numbers[one.of.as_str()], bits(&one.producers), bits(&one.except));
            let _ = writeln!(
                out,
                "    EntryRow {{ tag: {tag:?}, place: {place:?}, of: {of}, above: &{above:?}, producers: {producers:#x}, \
                 is_common: {is_common}, except: {except:#x} }},"
            );
        }
        out.push_str("];\n\n/// More about each tag, in the same order.\n#[rustfmt::skip]\n");
        out.push_str("pub(super) static DETAILS: [DetailsRow; ENTRIES.len()] = [\n");
        for Entry { kind, payload, gedcom_7, .. } in &self.entries {
            let _ = writeln!(
                out,
                "    DetailsRow {{ kind: {kind:?}, payload: {payload:?}, gedcom_7: {gedcom_7:?} }},"
            );
        }
        out.push_str("];\n");
        out
    }
}

/// The rows of a file of facts, with the numbers of their lines, from 1.
fn fact_rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines.map(|(index, line)| (index + 1, line.split('\t').collect()))
}

/// Returns whether the built-in schemas have a type.
fn is_standard(name: &str) -> bool {
    name.starts_with("elf:") || name.starts_with("elfm:") || name.starts_with("g551:")
}

/// The name of a type with its prefix in a schema.
fn with_prefix(name: &str) -> String {
    name.strip_prefix("v:").map_or_else(|| name.to_owned(), |name| format!("vendor:{name}"))
}

fn expand_iri(name: &str, facts: &Facts) -> String {
    let own = [("v", NAMESPACE), ("g7", GEDCOM_7)];
    let standard = facts.prefixes.iter().map(|(_, prefix, iri)| (prefix.as_str(), iri.as_str()));
    let mut all = own.into_iter().chain(standard);
    let expand = |(prefix, iri): (&str, &str)| {
        let rest = name.strip_prefix(prefix)?.strip_prefix(':')?;
        Some(format!("{iri}{rest}"))
    };
    all.find_map(expand).unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = "published\tprefix\telf\thttps://e.example/\npublished\ttype\telf:Document\n\
                         published\ttype\telf:A\npublished\ttag\telf:A\tA elf:Document\n\
                         published\ttype\telf:B\npublished\tisa\telf:B\telf:A\n";
    const PRODUCERS: &str = "one\tOne\tONE\ntwo\tTwo\tTWO;TOO\n";

    fn row(tag: &str, producers: &str, above: &str, of: &str) -> String {
        format!("{tag}\tA\t{producers}\tmeans {of}\tevent\ttext\telf:Structure\t\tseen\tus\t{above}\t{of}\n")
    }

    fn read(rows: &[String]) -> Result<Vendors, String> {
        let facts = Facts::read_facts(FACTS).expect("good facts");
        Vendors::read_vendors(PRODUCERS, &rows.concat(), &facts)
    }

    #[test]
    fn what_producers_contradict_one_another_about_is_not_common() {
        let rows = [
            row("_X", "one", "elf:A", "v:_X-one"),
            row("_X", "two", "elf:B", "v:_X-two"),
            row("_Y", "one", "elf:A", "v:_Y"),
            row("BARE", "one", "elf:A", "v:A-BARE"),
            row("BELOW", "two", "v:_Y", "v:_Y-BELOW"),
        ];
        let vendors = read(&rows).expect("good rows");
        let common: Vec<&str> =
            vendors.entries.iter().filter(|one| one.is_common).map(|one| one.tag.as_str()).collect();
        assert_eq!(common, ["_Y", "BELOW"]);
        let facts = Facts::read_facts(FACTS).expect("good facts");
        let schema = vendors.render_schema_of(1, &facts);
        assert!(schema.contains("2 IRI vendor:_X-two\n3 TAG _X elf:B\n2 IRI vendor:_Y-BELOW\n"), "{schema}");
    }

    #[test]
    fn rows_that_cannot_be_true_are_found() {
        let twice = [row("_X", "one", "elf:A", "v:_X"), row("_X", "one", "elf:B", "v:_X-other")];
        assert_eq!(read(&twice), Err("2: contradicts line 1 for one producer".to_owned()));
        let standard = [row("A", "one", "elf:Document", "v:A")];
        assert_eq!(
            read(&standard),
            Err("1 (A in elf:Document): the completed schema defines that".to_owned())
        );
        let unknown = [row("_X", "three", "elf:A", "v:_X")];
        assert_eq!(read(&unknown), Err("1: no row of the producers has the name `three`".to_owned()));
        let nowhere = [row("_X", "one", "elf:C", "v:_X")];
        assert_eq!(read(&nowhere), Err("1: nothing says what `elf:C` is".to_owned()));
    }
}
