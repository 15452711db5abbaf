//! The study of a file, before it is migrated.

mod from_7;
mod to_7;

use crate::decisions::Decisions;
use crate::migration::Migration;
use crate::target::Target;
use crate::unstated;
use elf_schema::{Resolver, Schema, TypedDocument};
use elf_tagged::{Document, Node};
use from_7::From7Study;
use std::sync::Arc;
use to_7::To7Study;

/// Examines a file before it is migrated, because each record may affect how others are migrated.
///
/// ```
/// use elf_migrate::{Study, Target};
/// use elf_schema::{ReadOptions, Reader, Rules};
///
/// let file = b"0 HEAD\n1 CHAR UTF-8\n0 @i1@ INDI\n1 BIRT\n2 DATE 44 B.C.\n0 TRLR\n";
/// let reader = || Reader::new(&file[..], &Rules::WILD, ReadOptions::default());
/// let (mut study, mut first) = (Study::new(Target::Gedcom70), reader());
/// while let Some(run) = first.next_run(&mut ())? {
///     study.study_run(&run);
/// }
/// let migration = study.finish();
/// let (mut writer, mut second) = (migration.writer(&Rules::WILD), reader());
/// let mut written = Vec::new();
/// while let Some(run) = second.next_run(&mut ())? {
///     writer.write_run(&run, &mut written, &mut ());
/// }
/// writer.finish(&mut written);
/// assert_eq!(
///     String::from_utf8_lossy(&written),
///     "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 BIRT\n2 DATE 44 BCE\n0 TRLR\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Study {
    target: Target,
    by_direction: StudyByDirection,
    system: Option<String>,
    resolver: Resolver,
    is_started: bool,
}

#[derive(Debug)]
enum StudyByDirection {
    To7(Box<To7Study>),
    From7(Box<From7Study>),
}

impl Study {
    /// Starts a study. Read the runs with the rules of [`reading_rules`](crate::reading_rules).
    pub fn new(target: Target) -> Study {
        Study {
            target,
            by_direction: match target {
                Target::Gedcom70 => StudyByDirection::To7(Box::default()),
                Target::Gedcom551 | Target::Elf => StudyByDirection::From7(Box::new(From7Study::new(target))),
            },
            system: None,
            resolver: Resolver::new(Arc::clone(Schema::completed())),
            is_started: false,
        }
    }

    /// Studies the next run, in the order of the file.
    pub fn study_run(&mut self, run: &TypedDocument<'_>) {
        if !self.is_started {
            self.is_started = true;
            self.system = find_producer(run.document());
        }
        let system = self.system.as_deref();
        match &mut self.by_direction {
            StudyByDirection::To7(study) => study.add(run, system, &mut self.resolver),
            StudyByDirection::From7(study) => study.add(run, system, &mut self.resolver),
        }
    }

    /// Makes the decisions that all records depend on.
    pub fn finish(self) -> Migration {
        let decisions = match self.by_direction {
            StudyByDirection::To7(study) => Decisions::To7(study.finish()),
            StudyByDirection::From7(study) => Decisions::From7(study.finish()),
        };
        Migration { target: self.target, system: self.system, decisions }
    }
}

/// Returns the program that wrote a file. `None` if it is a placeholder, written because GEDCOM 5.5.1 requires a
/// program.
fn find_producer(document: &Document<'_>) -> Option<String> {
    let system = document.head()?.substructure("SOUR")?.text();
    (system != unstated::NAME).then(|| system.into_owned())
}

/// Returns the header and the records of a document, except records that the rules insert (J19 §5.1).
fn header_and_records<'d>(document: &'d Document<'_>) -> impl Iterator<Item = Node<'d>> {
    document.head().into_iter().chain(document.records().filter(|node| !node.is_inserted()))
}
