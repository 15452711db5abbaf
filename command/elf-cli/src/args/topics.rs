//! The help topics: texts about several commands, which `elf help TOPIC` prints.

use std::ffi::OsString;

/// Returns the text of the help topic that the command line asks for, or `None` if it asks for no topic.
pub(crate) fn requested_topic(words: &[OsString]) -> Option<&'static str> {
    match words {
        [_, help, topic] if help == "help" && topic == "reading" => Some(READING),
        _ => None,
    }
}

const READING: &str = "\
How elf reads files: the options that the commands share

--rules RULES
  Read the file by these rules. Choose the rules that fit your purpose:

  wild          You want to read files as programs write them. These rules are the default.
                Damaged lines, unusual encodings and extensions are reported, and read if
                possible.
  gedcom-5.5.1  You check whether other programs can read a GEDCOM 5.5.1 file. Features of ELF
                are not allowed. Damaged lines are read as under wild.
  gedcom-7      You check a GEDCOM 7.0 file. Lines that violate its grammar are reported, and
                read as under wild.
  2019-12       You test a file or a program against ELF Serialisation of December 2019.
                Reading stops at the first malformed line.
  2019-01       You test a file or a program against the draft of January 2019. Reading
                continues after errors.
  declarative   You test a file or a program against the declarative draft.
  2017-10       You test a file or a program against the draft of October 2017.
  2017-07       You test a file or a program against the draft of July 2017.

--encoding NAME (elf convert: --from-encoding NAME)
  Read in this encoding, such as UTF-8, ANSEL or windows-1252, and ignore the encoding that
  the file names. Use this option if letters with accents are wrong in the output. `elf info`
  shows the detected encoding and the evidence for it.

--schema SCHEMA
  Use this schema instead of the schema in the file. A schema defines the meaning of each
  tag. SCHEMA is one of these:

  completed     The default schema of the drafts, with the definitions that it lacks.
  published     The default schema exactly as FHISO published it.
  gedcom-7      The structures of GEDCOM 7.0.
  a file        A schema in a file.
  an IRI        An external schema, found as described under --fetch.
  BASE+FILE     A built-in schema such as `completed`, and the definitions of a file.

  Without this option, the schema in the file is used. If there is none, the default depends
  on the rules: `completed` for wild and gedcom-5.5.1, `gedcom-7` for GEDCOM 7.0 files, and
  `published` for other rules that have a schema. SCHMA definitions in a GEDCOM 7.0 file
  always apply.

  Under wild and gedcom-5.5.1, a tag that the schema does not define gets its type from the
  built-in dictionary of vendor tags, except with `--schema completed`. `elf schema --vendor
  NAME` prints the part of the dictionary about one program.

--fetch
  Download external schemas that a file refers to, and keep them in the cache.
--offline
  Use only external schemas that are in the cache. With neither --fetch nor --offline, only
  built-in schemas are used.
--allow-host HOST
  With --fetch, also allow downloads from this host, although it is in a private network or
  does not support https. May be repeated.

--jobs N
  Use this number of threads. The default is the number of cores. The result does not depend
  on it.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Reading};
    use clap::CommandFactory;
    use elf_tagged::Rules;

    #[test]
    fn the_topic_about_reading_explains_every_shared_option_and_every_value_of_rules() {
        let command = <Reading as clap::Args>::augment_args(clap::Command::new("reading"));
        for option in command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(READING.contains(&format!("\n--{option}")), "{option}");
        }
        for rules in Rules::PRESETS {
            assert!(READING.contains(&format!("\n  {} ", rules.name)), "{}", rules.name);
        }
    }

    #[test]
    fn no_command_has_the_name_of_a_topic() {
        assert!(Args::command().find_subcommand("reading").is_none());
    }
}
