//! The arguments of `elf tree`.

use super::extract::parse_identifier;
use super::{RunReading, choice_parser};
use clap::{Args, ValueEnum};
use elf_report::pictures::{FAN_GENERATIONS, Layout, PageSize, SvgOptions, TreeOptions};
use std::path::PathBuf;

const TREE_EXAMPLES: &str = "\
Examples:
  elf tree family.ged \"@I1@\"
  elf tree family.ged \"@I1@\" --up 6 --down 0 --format svg --width 420 -o pedigree.svg
  elf tree family.ged \"@I1@\" --layout fan --up 6 --format svg -o fan.svg
  elf tree family.ged \"@I1@\" --up all --format svg --page A4 -o to-print.svg
  elf tree family.ged --up 0 --down all --format svg -o descendants.svg
  elf tree family.ged \"@I1@\" --format dot -o family.dot
  elf show family.ged --at \"INDI[*]/NAME\" --format flat";

/// Draw the ancestors and descendants of a person, with names and years.
///
/// Each person is drawn once. If a person has several places in the tree, for example because cousins married, an
/// arrow and a number at the other places refer to the drawn person. `abt`, `bef` and `aft` mark years that are not
/// exact. `bap` and `bur` mark the year of a baptism or burial if no birth or death is known. `…` means that the file
/// contains more parents or children than the tree. The last example below lists the people of a file.
///
/// Pictures have a title and a legend. With `--page`, a picture that is too large for one sheet is divided into
/// pages. Each page names the pages that continue it. In SVG, the pages are below each other, and a browser prints
/// each of them on its own sheet.
///
/// For PNG and PDF, `elf` contains a typeface with Latin, Greek, Cyrillic and Hebrew letters. It takes other letters
/// from the fonts of your system. Letters that no font contains are reported.
#[derive(Args)]
#[command(after_help = TREE_EXAMPLES)]
pub(crate) struct Tree {
    /// The file to read; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The identifier of the person to start from. Without an identifier, the first person who has a family is used,
    /// because many programs write the main person first.
    #[arg(value_name = "@ID@", value_parser = parse_identifier)]
    pub(crate) person: Option<String>,
    /// Draw N generations of ancestors (1 = parents), or `all`.
    #[arg(long, value_name = "N", value_parser = parse_generations, default_value = "4", help_heading = "Choosing")]
    up: u32,
    /// Draw N generations of descendants (1 = children), or `all`.
    #[arg(long, value_name = "N", value_parser = parse_generations, default_value = "2", help_heading = "Choosing")]
    down: u32,
    /// Draw at most N people, those nearest to the person first. The number of omitted people is reported.
    #[arg(long, value_name = "N", default_value = "2000", help_heading = "Choosing")]
    most: usize,
    #[command(flatten)]
    pub(crate) reading: RunReading,
    /// Print in this format.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Printing")]
    pub(crate) format: TreeFormat,
    /// Make the picture MM millimetres wide, such as 297 for landscape A4. By default, the width depends on the
    /// length of the names.
    #[arg(long, value_name = "MM", value_parser = clap::value_parser!(u32).range(50..=20_000), help_heading = "Printing")]
    width: Option<u32>,
    /// Arrange the people in this layout.
    #[arg(long, value_name = "LAYOUT", value_parser = choice_parser(&Layout::ALL, Layout::name, Layout::about),
        default_value = "tree", help_heading = "Printing")]
    layout: Layout,
    /// Divide the picture into pages of this paper size. The pages are in portrait or landscape format, whichever
    /// fits better.
    #[arg(
        long,
        value_name = "PAPER",
        value_enum,
        ignore_case = true,
        conflicts_with = "width",
        help_heading = "Printing"
    )]
    page: Option<Paper>,
    /// Give the picture this title. By default, the title names the person.
    #[arg(long, value_name = "TEXT", help_heading = "Printing")]
    title: Option<String>,
    /// Draw the picture without title and legend.
    #[arg(long, conflicts_with = "title", help_heading = "Printing")]
    bare: bool,
    /// Write to this file instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Printing")]
    pub(crate) output: Option<PathBuf>,
}

/// The formats in which a tree can be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeFormat {
    /// Text for people.
    #[default]
    Human,
    /// One JSON object.
    Json,
    /// An SVG picture.
    Svg,
    /// A graph for Graphviz.
    Dot,
    /// A PNG picture, 300 dots per inch.
    Png,
    /// A PDF document with one page, or with pages of the paper that `--page` names.
    Pdf,
}

/// The paper sizes into which a picture can be divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// 210 by 297 millimetres.
    #[value(name = "A4")]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Tree {
    /// Returns the options that choose the part of the tree to draw.
    pub(crate) fn tree_options(&self) -> TreeOptions {
        let options = TreeOptions::default().with_up(self.up).with_down(self.down).with_most(self.most);
        match self.layout {
            Layout::Tree => options,
            Layout::Fan => options.with_up(self.up.min(FAN_GENERATIONS)).with_down(0),
        }
    }

    /// Returns the options for the layout, size and texts of the picture.
    pub(crate) fn svg_options(&self) -> SvgOptions {
        let page = self.page.map(|page| match page {
            Paper::A4 => PageSize::A4,
            Paper::Letter => PageSize::Letter,
        });
        let options = SvgOptions::default().with_layout(self.layout).with_width(self.width).with_page(page);
        options.with_title(self.title.clone()).with_words(!self.bare)
    }
}

/// Parses a number of generations, or `all`.
fn parse_generations(text: &str) -> Result<u32, String> {
    match text {
        "all" => Ok(u32::MAX),
        _ => text.parse().map_err(|_| "expected a number, or `all`".to_owned()),
    }
}
