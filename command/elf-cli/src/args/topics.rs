//! Help topics: texts about several commands, printed by `elf help TOPIC`.

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
  The rules to read by. Choose them by what you want:

  wild          You want to read files as programs write them. This is the default. Damaged
                lines, unusual encodings and extensions are reported and read if possible.
  gedcom-5.5.1  You check a GEDCOM 5.5.1 file for other programs. Nothing of ELF is allowed;
                damaged lines are read as under wild.
  gedcom-7      You check a GEDCOM 7.0 file. Violations of its grammar are reported and read
                as under wild.
  2019-12       You test a file or a program against ELF Serialisation of December 2019. The
                rules stop reading at the first malformed line.
  2019-01       You test against the draft of January 2019, which reads on after errors.
  declarative   You test against the declarative draft.
  2017-10       You test against the draft of October 2017.
  2017-07       You test against the draft of July 2017.

--encoding NAME (elf convert: --from-encoding NAME)
  Read in this encoding, such as UTF-8, ANSEL or windows-1252, and ignore the encoding that
  the file names. `elf info` shows the detected encoding and the evidence for it. Use this
  option if accented letters come out wrong.

--schema SCHEMA
  The schema says what each tag means. SCHEMA is one of these:

  completed     The default schema of the drafts, with the missing definitions added.
  published     The default schema exactly as published.
  gedcom-7      The structures of GEDCOM 7.0.
  a file        A schema in a file.
  an IRI        An external schema, found as described under --fetch.
  BASE+FILE     A built-in schema such as `completed`, and the definitions of a file.

  Without this option, the schema in the file is used. If there is none, the default depends
  on the rules: `completed` for wild and gedcom-5.5.1, `gedcom-7` for GEDCOM 7.0 files, and
  `published` for other rules that have a schema. SCHMA definitions in a GEDCOM 7.0 file
  always apply.

  Under wild and gedcom-5.5.1, the built-in dictionary of vendor tags types what the schema
  leaves open, except with `--schema completed`. `elf schema --vendor NAME` prints it.

--fetch
  Download external schemas that a file refers to, and keep them in the cache.
--offline
  Use only external schemas that are in the cache. Without --fetch and --offline, only
  built-in schemas are used.
--allow-host HOST
  With --fetch, also allow this host, although it is in a private network or does not
  support https. May be repeated.

--jobs N
  The number of threads. The default is the number of cores. The result does not depend on
  it.
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
