//! The standard that a file conforms to.

use crate::ConvertError;
use elf_base::{Format, Rules, Version};
use elf_check::runs::Restart;
use elf_migrate::Target;
use elf_schema::ReadOptions;
use elf_tagged::Reader;

/// Returns whether `rules` are those of GEDCOM 7.0.
pub fn is_gedcom_7(rules: &Rules) -> bool {
    rules.schema.mechanism.is_of_extension_tags()
}

/// The properties of the first record that show which standard the file follows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StartOfFile {
    /// True if the rules are those of GEDCOM 7.0 or, if the rules follow the header, if the header
    /// is of GEDCOM 7.0.
    pub(crate) is_of_7: bool,
    /// Whether the version in the header is one of GEDCOM 7; `None` if the header has no version.
    names_7: Option<bool>,
    /// True if the header has a version of ELF.
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
            // Rules that follow the header have switched to those of GEDCOM 7.0 here.
            is_of_7: is_gedcom_7(run.rules()),
            names_7: run.header().gedcom_version().map(Version::is_gedcom_7),
            names_elf: run.serialisation_metadata().any(|node| node.tag() == "ELF"),
        }))
    }

    /// Returns the default rules for the output, which are those of the standard of the file.
    /// `rules` are the rules for reading. They say what the file is only if they are the rules of a
    /// draft.
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

pub(crate) fn migration_target(rules: &Rules) -> Target {
    let mechanism = rules.schema.mechanism;
    match (mechanism.is_of_extension_tags(), mechanism.defines_types()) {
        (true, _) => Target::Gedcom70,
        (false, true) => Target::Elf,
        (false, false) => Target::Gedcom551,
    }
}
