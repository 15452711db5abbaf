//! Family trees and type graphs as pictures: laid out here, and written as SVG, for Graphviz, as text for
//! terminals and as data.
//!
//! ```text
//! Lineage ── FamilyTree ──┬─ to_svg, to_dot
//!             (who)       └─ to_text, data
//! ```
//!
//! A [`FamilyTree`] is made of the ancestors and descendants of one person. Each person is drawn once; where
//! cousins married, or the data runs in a circle, a number refers to the place. Nothing recurses, all takes
//! linear time, and of very large trees the part nearest to the person is drawn, and how many are left out
//! is told. [`type_graph`] draws the supertypes of a schema.
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
//! Names may be in any script. What stands in a file is shown and never obeyed: it is escaped for the format
//! it goes to, and controls and overrides of direction are taken out.

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
    /// The tree as SVG, with a title and a legend. With a [page](SvgOptions::page), its pages are below each other, and
    /// a browser prints one of them on each sheet.
    pub fn to_svg(&self, options: &SvgOptions) -> String {
        self.with_words(options, |drawing, words| match options.page {
            Some(page) => svg::write_pages(drawing, words, options, page),
            None => svg::write(drawing, words, options),
        })
    }

    /// The tree as one SVG for each page; without a [page](SvgOptions::page), it is one picture.
    pub fn to_svg_pages(&self, options: &SvgOptions) -> Vec<String> {
        self.with_words(options, |drawing, words| match options.page {
            Some(page) => svg::page_documents(drawing, words, options, page),
            None => vec![svg::write(drawing, words, options)],
        })
    }

    /// Lays out the tree and finds the words about it.
    fn with_words<T>(&self, options: &SvgOptions, write: impl FnOnce(&Drawing, &svg::Words<'_>) -> T) -> T {
        let drawing = match options.layout {
            Layout::Tree => family_layout::lay_out(self, options.units()),
            Layout::Fan => fan_layout::lay_out(self),
        };
        let legend = if options.has_words { legend::entries(&drawing) } else { Vec::new() };
        let title = options.title.as_deref().map(text::clean);
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
