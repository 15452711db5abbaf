//! The arguments of `elf tree`.

use super::RunReading;
use super::extract::identifier;
use clap::{Args, ValueEnum};
use elf_report::pictures::{SvgOptions, TreeOptions};
use std::path::PathBuf;

const TREE_EXAMPLES: &str = "\
Examples:
  elf tree family.ged @I1@
  elf tree family.ged @I1@ --up 6 --down 0 --format svg --width 420 -o pedigree.svg
  elf tree family.ged --up 0 --down all --format svg -o descendants.svg
  elf tree family.ged @I1@ --format dot -o family.dot
  elf show family.ged --at 'INDI[*]/NAME' --format flat";

/// Draw the ancestors and descendants of a person, with names and years.
///
/// Each person is drawn once: where cousins married, an arrow and a number refer to the place. `abt`, `bef`
/// and `aft` stand before years that are not exact, `bap` and `bur` before those of a baptism or burial where
/// no birth or death is known; `…` says that there are more parents or children. The last of the examples
/// lists the persons of a file.
#[derive(Args)]
#[command(after_help = TREE_EXAMPLES)]
pub(crate) struct Tree {
    /// The file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The identifier of the person; without one, the first person of the file who has a family, which many
    /// programs write for the one that the tree is about.
    #[arg(value_name = "@ID@", value_parser = identifier)]
    pub(crate) person: Option<String>,
    /// Draw so many generations of ancestors, 1 for the parents, or `all`.
    #[arg(long, value_name = "N", value_parser = generations, default_value = "4", help_heading = "Choosing")]
    up: u32,
    /// Draw so many generations of descendants, 1 for the children, or `all`.
    #[arg(long, value_name = "N", value_parser = generations, default_value = "2", help_heading = "Choosing")]
    down: u32,
    /// Draw at most so many persons, those nearest; the number of others is told.
    #[arg(long, value_name = "N", default_value = "2000", help_heading = "Choosing")]
    most: usize,
    #[command(flatten)]
    pub(crate) reading: RunReading,
    /// For a person, as JSON, as a picture, or for Graphviz.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: TreeFormat,
    /// The width of the picture in millimetres, such as 297 for a sheet of A4 on its side; by default as wide
    /// as the names ask for.
    #[arg(long, value_name = "MM", value_parser = clap::value_parser!(u32).range(50..=20_000), help_heading = "Printing")]
    width: Option<u32>,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The format in which a tree is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// For a person.
    #[default]
    Human,
    /// JSON, one object.
    Json,
    /// A picture.
    Svg,
    /// A graph, for Graphviz.
    Dot,
}

impl Tree {
    /// The part of the tree that is drawn.
    pub(crate) fn options(&self) -> TreeOptions {
        TreeOptions::default().with_up(self.up).with_down(self.down).with_most(self.most)
    }

    /// The size of the picture.
    pub(crate) fn picture(&self) -> SvgOptions {
        SvgOptions::default().with_width(self.width)
    }
}

/// A number of generations, or `all`.
fn generations(text: &str) -> Result<u32, String> {
    match text {
        "all" => Ok(u32::MAX),
        _ => text.parse().map_err(|_| "expected a number, or `all`".to_owned()),
    }
}
