//! Family trees and type graphs as pictures: their layout, and output as SVG, as DOT for Graphviz, as text for
//! terminals and as data.
//!
//! ```text
//! Lineage ── FamilyTree ──┬─ to_svg, to_dot
//!             (who)       └─ to_text, data
//! ```
//!
//! A [`FamilyTree`] contains the ancestors and descendants of one person. Each person is drawn once. If a person
//! belongs in several places, for example because cousins married, the other places show a number that refers to the
//! box. Of very large trees, only the people nearest to the root person are drawn, and the picture says how many are
//! left out. The layout takes linear time and does not recurse. [`type_graph`] draws the supertypes of a schema.
//!
//! ```
//! use elf_lineage::Lineage;
//! use elf_report::pictures::{FamilyTree, SvgOptions, TreeOptions};
//! use elf_schema::{ReadOptions, Rules};
//!
//! let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 10 DEC 1815\n1 DEAT\n2 DATE 1852\n\
//!     1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n0 @I2@ INDI\n1 NAME George /Byron/\n0 TRLR\n";
//! let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
//! let lineage = Lineage::of(&typed);
//! let tree = FamilyTree::of(lineage.find_person("I1").expect("a person"), &TreeOptions::default());
//! let text = "Ancestors of Ada King\n\n┌─ George Byron @I2@\nAda King (1815–1852) @I1@\n└─ ?\n";
//! assert_eq!(tree.to_text(None), text);
//! assert!(tree.to_svg(&SvgOptions::default()).contains("<title>Ada King, 1815–1852 (@I1@)</title>"));
//! # Ok::<(), elf_schema::TooLarge>(())
//! ```
//!
//! Names may be in any script. Text from the file is escaped for the output format, and control characters and
//! direction overrides are removed.

mod cuts;
mod data;
mod drawing;
mod family_layout;
mod family_tree;
mod fan_layout;
mod graphviz;
#[cfg(feature = "pictures")]
mod image;
mod layers;
mod legend;
mod options;
mod svg;
mod terminal;
mod text;
mod tidy_tree;
mod type_graph;
mod years;

use self::drawing::Drawing;

pub use data::TreeData;
pub(crate) use family_tree::parent_word;
pub use family_tree::{FamilyTree, TreeOptions};
pub use fan_layout::FAN_GENERATIONS;
#[cfg(feature = "pictures")]
pub use image::{PictureError, PictureFonts, RenderedPicture};
pub(crate) use options::ChartLinks;
pub use options::{Layout, PageSize, SvgOptions};
pub(crate) use svg::STYLE;
pub use type_graph::type_graph;
pub(crate) use years::life;

impl FamilyTree {
    /// Returns the tree as SVG, with a title and a legend. If you set a [page size](SvgOptions::page), the pages are
    /// below each other, and a browser prints each of them on a sheet.
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        self.with_drawing(options, |drawing, words| match options.page {
            Some(page) => svg::write_pages(drawing, words, options, page),
            None => svg::write(drawing, words, options),
        })
    }

    /// Returns the tree as one SVG for each page. Without a [page size](SvgOptions::page), there is one SVG.
    pub fn to_svg_pages(&self, options: &SvgOptions) -> Vec<String> {
        self.with_drawing(options, |drawing, words| match options.page {
            Some(page) => svg::page_documents(drawing, words, options, page),
            None => vec![svg::write(drawing, words, options)],
        })
    }

    /// Lays out the tree and calls `write` with the drawing and the words about it.
    fn with_drawing<T>(&self, options: &SvgOptions, write: impl FnOnce(&Drawing, &svg::Words<'_>) -> T) -> T {
        let drawing = match options.layout {
            Layout::Tree => family_layout::lay_out(self, options.units()),
            Layout::Fan => fan_layout::lay_out(self),
        };
        let legend = if options.has_words { legend::entries(&drawing) } else { Vec::new() };
        let title = options.title.as_deref().map(text::clean_text);
        let words = svg::Words {
            title: &title.unwrap_or_else(|| self.chart_title(options.layout)),
            description: &self.description(),
            note: &self.note(),
            legend: &legend,
            has_heading: options.has_words,
        };
        write(&drawing, &words)
    }

    fn chart_title(&self, layout: Layout) -> String {
        match layout {
            Layout::Tree => format!("Family tree of {}", self.title()),
            Layout::Fan => format!("Ancestors of {}", self.title()),
        }
    }
}
