//! The native part of the Python package `elf_gedcom`.

mod check;
mod convert;
mod dates;
mod document;
mod errors;
mod files;
mod findings;
mod people;
mod plan;
mod snapshot;
mod source;
mod structure;
mod tables;
mod threads;
mod trees;

use pyo3::prelude::*;

/// Read, check, edit and tabulate GEDCOM and FHISO ELF files.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::check::{FixedFile, check, fix};
    #[pymodule_export]
    use crate::convert::{ConvertedFile, convert};
    #[pymodule_export]
    use crate::dates::{DatePart, HistoricalDate, parse_date};
    #[pymodule_export]
    use crate::document::{Document, EncodingDecision, open};
    #[pymodule_export]
    use crate::findings::{Finding, Fix, FixedLines, RelatedPlace, Report, Summary};
    #[pymodule_export]
    use crate::people::{Event, Family, Parent, Person, PersonName, Relationship, find};
    #[pymodule_export]
    use crate::plan::{TablePlan, TableSplit, plan_table};
    #[pymodule_export]
    use crate::structure::Structure;
    #[pymodule_export]
    use crate::tables::{ArrowTable, FileError, TableSchema, read_table, table_schema};
    #[pymodule_export]
    use crate::trees::{
        Action, DifferencePlace, Extraction, FileDifference, HiddenPerson, Match, MatchedPerson, Merged,
        Removal, diff, extract, hidden_people, match_people, merge, redact,
    };
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
