//! Which standard a file is of.

use crate::ConvertError;
use elf_base::{Format, Rules, Version};
use elf_check::runs::Restart;
use elf_migrate::Target;
use elf_schema::ReadOptions;
use elf_tagged::Reader;

/// Returns whether the rules are those of GEDCOM 7.0.
pub fn is_gedcom_7(rules: &Rules) -> bool {
    rules.schema.mechanism.is_of_extension_tags()
}

/// What the start of a file tells about its standard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StartOfFile {
    /// True if it is of GEDCOM 7.0, by the rules it is read by or, where they heed it, by its header.
    pub(crate) is_of_7: bool,
    /// True if its header names a version of GEDCOM 7, and false if it names another; `None` if it names none.
    names_7: Option<bool>,
    /// True if its header names a version of ELF.
    names_elf: bool,
}

impl StartOfFile {
    /// Reads the first record.
    pub(crate) fn read(
        input: &mut dyn Restart,
        rules: &Rules,
        options: &ReadOptions<'_>,
    ) -> Result<StartOfFile, ConvertError> {
        let mut reader = Reader::new(input.restart()?, rules, &options.octets).with_run_size(1);
        let run = reader.next_run(&mut ())?;
        Ok(run.map_or_else(StartOfFile::default, |run| StartOfFile {
            // Rules that follow the header switch to those of GEDCOM 7.0.
            is_of_7: is_gedcom_7(run.rules()),
            names_7: run.header().gedcom_version().map(Version::is_gedcom_7),
            names_elf: run.serialisation_metadata().any(|node| node.tag() == "ELF"),
        }))
    }

    /// Returns the rules that a file is written by if nobody names others: what it is. `rules` are those that it is
    /// read by; only those of a draft say what it is.
    pub(crate) fn rules_to_write(self, rules: &Rules) -> &'static Rules {
        let named = Rules::PRESETS.into_iter().find(|preset| preset.name == rules.name);
        let is_draft = |preset: &&Rules| matches!(preset.format, Format::Elf(_)) && **preset != Rules::WILD;
        match named.filter(is_draft) {
            Some(draft) => draft,
            None if self.names_7.unwrap_or(self.is_of_7) => &Rules::GEDCOM_7,
            None if self.names_elf => &Rules::DECEMBER_2019,
            None => &Rules::GEDCOM_5_5_1,
        }
    }
}

/// The standard, with or without a schema, that rules ask for.
pub(crate) fn target(rules: &Rules) -> Target {
    let mechanism = rules.schema.mechanism;
    match (mechanism.is_of_extension_tags(), mechanism.defines_types()) {
        (true, _) => Target::Gedcom70,
        (false, true) => Target::Elf,
        (false, false) => Target::Gedcom551,
    }
}
