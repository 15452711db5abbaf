//! Builds a file of 100 people from nothing and writes it by three standards: `cargo run --example standards -- FOLDER`.

#![allow(clippy::disallowed_methods, reason = "an example opens files")]

use elf_migrate::elf_model::{
    self, Dataset, DatasetBuilder, DatasetTooLarge, Encoding, Rules, Schema, WriteOptions,
};
use elf_migrate::{Target, migrate};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("expected a folder")?);
    for (name, octets) in by_three_standards(&people(100)?)? {
        std::fs::write(folder.join(name), octets)?;
    }
    Ok(())
}

/// Builds a line of people, each a child of the one before.
pub(crate) fn people(count: usize) -> Result<Dataset, DatasetTooLarge> {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.metadata("SOUR").text("EXAMPLE");
    let people: Vec<String> = (0..count).map(|_| builder.unused_xref("I")).collect();
    for (number, person) in people.iter().enumerate() {
        builder.record("INDI").xref(person).open("NAME").text(&format!("Zoë No. {number} /Łucka/")).close();
        builder
            .open("BIRT")
            .open("DATE")
            .text(&format!("{}", 1500 + number))
            .close()
            .open("PLAC")
            .text("Århus");
    }
    for pair in people.windows(2) {
        let family = builder.unused_xref("F");
        builder
            .record("FAM")
            .xref(&family)
            .open("WIFE")
            .pointer(&pair[0])
            .close()
            .open("CHIL")
            .pointer(&pair[1]);
    }
    builder.finish()
}

/// The name and the bytes of a file.
type NamedFile = (&'static str, Vec<u8>);

/// Writes a dataset as ELF of December 2019, as GEDCOM 5.5.1 in ANSEL, and as GEDCOM 7.0.
pub(crate) fn by_three_standards(dataset: &Dataset) -> Result<Vec<NamedFile>, Box<dyn Error>> {
    let seven = migrate(dataset, Target::Gedcom70, &mut ())?.dataset;
    let files = [
        ("elf.ged", dataset, Rules::DECEMBER_2019, Encoding::Utf8),
        ("5.5.1.ged", dataset, Rules::GEDCOM_5_5_1, Encoding::Ansel),
        ("7.0.ged", &seven, Rules::GEDCOM_7, Encoding::Utf8),
    ];
    let mut written = Vec::new();
    for (name, dataset, rules, encoding) in files {
        let mut octets = Vec::new();
        let options = WriteOptions::new().with_encoding(encoding);
        elf_model::write(dataset, &mut octets, &rules, &options, &mut ())?;
        written.push((name, octets));
    }
    Ok(written)
}
