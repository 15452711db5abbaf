//! The built-in schemas as tables: what is asked of them about nearly every document, worked out.
//!
//! They are made of the files of ELF that are made of the facts, by the numbers that types and tags get where
//! such a file is read: in the order in which it names them.

use super::correspondences::GEDCOM_7;
use super::datatypes;
use super::facts::Facts;
use elf_base::PackedText;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The names of the types that every schema has, before all others.
const ALWAYS: [&str; 3] = ["Document", "Metadata", "Undefined"];

/// A schema by numbers.
#[derive(Debug, Default)]
struct Numbered<'t> {
    prefixes: Vec<(&'t str, &'t str)>,
    /// The IRIs of the types.
    types: Vec<String>,
    numbers: BTreeMap<String, usize>,
    tags: Vec<&'t str>,
    /// For each type its supertypes.
    supertypes: Vec<Vec<usize>>,
    /// For each type the tags that are defined in it, with their types.
    definitions: Vec<Vec<(&'t str, usize)>>,
}

impl<'t> Numbered<'t> {
    /// Reads a file of ELF that is a schema.
    fn read(text: &'t str) -> Numbered<'t> {
        let mut read = Numbered::default();
        ALWAYS.iter().for_each(|name| _ = read.intern(format!("https://terms.fhiso.org/elf/{name}")));
        let mut current = None;
        for line in text.lines() {
            let mut words = line.split(' ').skip(1);
            let (Some(tag), Some(first)) = (words.next(), words.next()) else { continue };
            match (tag, current) {
                ("PRFX", _) => read.prefixes.push((first, words.next().unwrap_or_default())),
                ("IRI", _) => current = Some(read.named(first)),
                ("ISA", Some(of)) => {
                    let supertype = read.named(first);
                    read.supertypes[of].push(supertype);
                }
                ("TAG", Some(of)) => {
                    if !read.tags.contains(&first) {
                        read.tags.push(first);
                    }
                    for above in words {
                        let above = read.named(above);
                        read.definitions[above].push((first, of));
                    }
                }
                _ => {}
            }
        }
        read
    }

    /// The number of the type that a name with a prefix stands for.
    fn named(&mut self, name: &str) -> usize {
        let expanded = name.split_once(':').and_then(|(prefix, name)| {
            let (_, iri) = self.prefixes.iter().find(|(known, _)| *known == prefix)?;
            Some(format!("{iri}{name}"))
        });
        self.intern(expanded.unwrap_or_else(|| name.to_owned()))
    }

    fn intern(&mut self, iri: String) -> usize {
        if let Some(&number) = self.numbers.get(&iri) {
            return number;
        }
        let number = self.types.len();
        self.numbers.insert(iri.clone(), number);
        self.types.push(iri);
        self.supertypes.push(Vec::new());
        self.definitions.push(Vec::new());
        number
    }

    /// A type and all above it, the nearer ones first, by how far they are.
    fn above(&self, of: usize) -> Vec<Vec<usize>> {
        let mut seen = vec![of];
        let mut steps = vec![vec![of]];
        loop {
            let mut next = Vec::new();
            for &supertype in
                steps.iter().next_back().into_iter().flatten().flat_map(|&of| &self.supertypes[of])
            {
                if !seen.contains(&supertype) {
                    seen.push(supertype);
                    next.push(supertype);
                }
            }
            if next.is_empty() {
                return steps;
            }
            steps.push(next);
        }
    }

    /// The type whose row is that of a type: where nothing is defined in it and it has one supertype, that of
    /// the supertype.
    fn source(&self, mut of: usize) -> usize {
        while let ([], [above]) = (self.definitions[of].as_slice(), self.supertypes[of].as_slice()) {
            of = *above;
        }
        of
    }

    /// The tags that have a type beneath a type, in the order of their numbers as packed texts. An error
    /// names one that has several, or is too long.
    fn row(&self, of: usize) -> Result<Vec<(&'t str, usize)>, String> {
        let mut row: BTreeMap<PackedText, (&str, usize)> = BTreeMap::new();
        for &(tag, found) in self.above(of).iter().flatten().flat_map(|&of| &self.definitions[of]) {
            let packed = PackedText::of(tag).ok_or_else(|| format!("`{tag}` is too long"))?;
            if row.insert(packed, (tag, found)).is_some_and(|(_, other)| other != found) {
                return Err(format!("`{tag}` has two types beneath `{}`", self.types[of]));
            }
        }
        Ok(row.into_values().collect())
    }

    /// The datatype of a type: its own, or that of its nearest supertype; none where the nearest differ.
    fn datatype<'d>(&self, of: usize, datatypes: &BTreeMap<String, &'d str>) -> Option<&'d str> {
        let of_step = |step: Vec<usize>| -> Vec<&'d str> {
            step.iter().filter_map(|&of| datatypes.get(&self.types[of]).copied()).collect()
        };
        let nearest = self.above(of).into_iter().map(of_step).find(|found| !found.is_empty())?;
        nearest.first().copied().filter(|first| nearest.iter().all(|other| other == first))
    }
}

/// The table of the schema that a file of ELF is, as a file of Rust.
pub(super) fn render(facts: &Facts, name: &str, text: &str) -> Result<String, String> {
    let read = Numbered::read(text);
    let datatypes = datatypes::rows(facts);
    let datatypes: BTreeMap<String, &str> =
        datatypes.into_iter().map(|(iri, of)| (iri, of.as_str())).collect();
    let is_of_7 = read.types.iter().any(|iri| iri.starts_with(GEDCOM_7));
    let imports = if is_of_7 { "{Datatype, Gedcom7}" } else { "Datatype" };
    let mut out = format!(
        "//! The built-in schema `{name}` as a table.\n//!\n\
         //! Made by `cargo xtask schema` of what elf-schema/builtin/{name}.ged is made of;\n\
         //! not to be edited.\n\n\
         use super::{{TableRows, passed, row, tag}};\n\
         use elf_values::{imports};\n\n\
         #[rustfmt::skip]\n\
         pub(super) static ROWS: TableRows = TableRows {{\n    types: &[\n"
    );
    for (number, iri) in read.types.iter().enumerate() {
        let datatype = read.datatype(number, &datatypes).unwrap_or("Datatype::Text");
        let source = read.source(number);
        if source == number {
            let row = read.row(number)?;
            let row: Vec<String> = row.iter().map(|(tag, of)| format!("tag(\"{tag}\", {of})")).collect();
            let _ = writeln!(out, "        row(\"{iri}\", {datatype}, {number}, &[{}]),", row.join(", "));
        } else {
            let _ = writeln!(out, "        passed(\"{iri}\", {datatype}, {source}),");
        }
    }
    let sorted: Vec<String> = read.numbers.values().map(usize::to_string).collect();
    let mut tags: Vec<(&str, usize)> = read.tags.iter().copied().zip(0..).collect();
    tags.sort_unstable();
    let tags: Vec<String> = tags.iter().map(|(tag, number)| format!("(\"{tag}\", {number})")).collect();
    let _ = write!(
        out,
        "    ],\n    by_iri: &[{}],\n    tags: &[{}],\n}};\n",
        sorted.join(", "),
        tags.join(", ")
    );
    Ok(out)
}
