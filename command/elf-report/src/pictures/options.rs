//! Options of pictures: layout, size, paper and words.

use elf_lineage::PersonId;
use std::collections::HashSet;

/// The length of a drawing unit in millimetres.
pub(crate) const MILLIMETRES: f64 = 25.4 / 96.0;

/// The layout of a family tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A column for each generation, with older generations on the left.
    #[default]
    Tree,
    /// The ancestors in half rings around the root person. Descendants are not drawn.
    Fan,
}

impl Layout {
    /// All layouts.
    pub const ALL: [Layout; 2] = [Layout::Tree, Layout::Fan];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Tree => "tree",
            Layout::Fan => "fan",
        }
    }

    /// Returns a short description.
    pub const fn about(self) -> &'static str {
        match self {
            Layout::Tree => "A column for each generation, older generations on the left",
            Layout::Fan => "The ancestors in half rings around the person, up to nine generations",
        }
    }
}

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageSize {
    /// 210 by 297 millimetres.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl PageSize {
    /// All sizes.
    pub const ALL: [PageSize; 2] = [PageSize::A4, PageSize::Letter];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            PageSize::A4 => "A4",
            PageSize::Letter => "letter",
        }
    }

    /// Returns the shorter and the longer side in millimetres.
    pub const fn millimetres(self) -> [f64; 2] {
        match self {
            PageSize::A4 => [210.0, 297.0],
            PageSize::Letter => [215.9, 279.4],
        }
    }
}

/// The links of boxes to places in an HTML page. Each fragment consists of a prefix and the number of the person, from
/// 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChartLinks {
    pub(crate) prefix: String,
    /// The numbers, from 0, of people without a link.
    pub(crate) unlinked: HashSet<usize>,
}

/// The options of a picture.
///
/// ```
/// use elf_report::pictures::{Layout, PageSize, SvgOptions};
///
/// let options = SvgOptions::default().with_layout(Layout::Fan).with_page(Some(PageSize::A4));
/// assert_eq!((options.layout, options.page), (Layout::Fan, Some(PageSize::A4)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SvgOptions {
    /// The layout of family trees.
    pub layout: Layout,
    /// The width in millimetres. If it is `None`, the picture is as wide as its content.
    pub width: Option<u32>,
    /// The paper size for which the picture is divided into pages. If it is `None`, the picture has any size.
    pub page: Option<PageSize>,
    /// The title. If it is `None`, the title contains the name of the root person.
    pub title: Option<String>,
    /// True if title and legend are drawn.
    pub has_words: bool,
    /// The links of the boxes.
    pub(crate) links: Option<ChartLinks>,
    /// The start of the identifiers of title and description.
    pub(crate) id: String,
    /// True if the picture contains the style sheet.
    pub(crate) has_style: bool,
}

impl Default for SvgOptions {
    fn default() -> SvgOptions {
        SvgOptions {
            layout: Layout::Tree,
            width: None,
            page: None,
            title: None,
            has_words: true,
            links: None,
            id: "picture".to_owned(),
            has_style: true,
        }
    }
}

impl SvgOptions {
    /// Sets the layout.
    #[must_use]
    pub fn with_layout(self, layout: Layout) -> SvgOptions {
        SvgOptions { layout, ..self }
    }

    /// Sets the width in millimetres. The boxes become as wide as possible. If even the narrowest boxes do not fit, the
    /// whole picture is scaled down.
    #[must_use]
    pub fn with_width(self, width: Option<u32>) -> SvgOptions {
        SvgOptions { width, ..self }
    }

    /// Sets the paper.
    #[must_use]
    pub fn with_page(self, page: Option<PageSize>) -> SvgOptions {
        SvgOptions { page, ..self }
    }

    /// Sets the title.
    #[must_use]
    pub fn with_title(self, title: Option<String>) -> SvgOptions {
        SvgOptions { title, ..self }
    }

    /// Sets whether title and legend are drawn.
    #[must_use]
    pub fn with_words(self, has_words: bool) -> SvgOptions {
        SvgOptions { has_words, ..self }
    }

    /// Makes the picture part of an HTML page. Its identifiers start with `id`, and the page contains the style sheet.
    #[must_use]
    pub(crate) fn within_page(self, id: &str, links: ChartLinks) -> SvgOptions {
        SvgOptions { id: id.to_owned(), links: Some(links), has_style: false, ..self }
    }

    /// Returns the width in drawing units.
    pub(crate) fn units(&self) -> Option<f64> {
        self.width.map(|width| f64::from(width) / MILLIMETRES)
    }

    /// Returns the address that the box of a person links to.
    pub(crate) fn link_to(&self, person: Option<PersonId>) -> Option<String> {
        let (links, person) = (self.links.as_ref()?, person?);
        let is_linked = !links.unlinked.contains(&person.index());
        is_linked.then(|| format!("#{}{}", links.prefix, person.index() + 1))
    }
}
