//! Pictures as PNG and PDF, with a built-in font (feature `pictures`).

use krilla::Document;
use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Group, Node, Options, Tree};
use std::collections::BTreeSet;
use std::sync::Arc;
use unicode_width::UnicodeWidthChar;

/// `DejaVu Sans`, regular and bold. It has Latin, Greek, Cyrillic and Hebrew letters.
const TYPEFACES: [&[u8]; 2] =
    [include_bytes!("../../fonts/DejaVuSans.ttf"), include_bytes!("../../fonts/DejaVuSans-Bold.ttf")];

/// The name of the font.
const FAMILY: &str = "DejaVu Sans";

/// Pixels per inch of an SVG at its nominal size.
const CSS_DOTS: f32 = 96.0;

/// Dots per inch of a PNG, unless it would be too large.
const DOTS: f32 = 300.0;

/// The maximum number of pixels of a PNG. Larger pictures get fewer dots per inch.
const MOST_PIXELS: f32 = 64e6;

/// The maximum side length of a PDF page, in points. PDF readers do not support larger pages.
const MOST_POINTS: f32 = 14_400.0;

/// The fonts for pictures.
#[derive(Clone, Debug)]
pub struct PictureFonts {
    database: Arc<Database>,
}

/// A picture in another format.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RenderedPicture {
    /// The PNG or PDF.
    pub bytes: Vec<u8>,
    /// The characters that no font has. They are drawn as empty boxes.
    pub missing: BTreeSet<char>,
}

/// The reason why a picture cannot be created.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PictureError {
    /// The SVG cannot be read.
    Svg(String),
    /// The picture is too large or empty.
    Size,
    /// The format cannot be written.
    Writing(String),
}

impl std::error::Error for PictureError {}

impl std::fmt::Display for PictureError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PictureError::Svg(reason) => write!(f, "the SVG cannot be read: {reason}"),
            PictureError::Size => f.write_str("the picture is too large"),
            PictureError::Writing(reason) => write!(f, "the picture cannot be written: {reason}"),
        }
    }
}

impl PictureFonts {
    /// Uses only the built-in font, which has Latin, Greek, Cyrillic and Hebrew letters. Pictures look the same on
    /// every system.
    pub fn built_in() -> PictureFonts {
        let mut database = Database::new();
        TYPEFACES.into_iter().for_each(|data| database.load_font_data(data.to_vec()));
        database.set_sans_serif_family(FAMILY);
        PictureFonts { database: Arc::new(database) }
    }

    /// Adds the fonts that are installed on the system, for all other letters. This reads the font folders.
    #[must_use]
    pub fn with_system_fonts(mut self) -> PictureFonts {
        Arc::make_mut(&mut self.database).load_system_fonts();
        self
    }

    fn parse(&self, svg: &str) -> Result<Tree, PictureError> {
        let options = Options {
            fontdb: Arc::clone(&self.database),
            font_family: FAMILY.to_owned(),
            ..Options::default()
        };
        Tree::from_str(svg, &options).map_err(|error| PictureError::Svg(error.to_string()))
    }

    /// Converts an SVG to a PNG with 300 dots per inch, or fewer if it would have more than 64 million pixels.
    ///
    /// # Errors
    ///
    /// If the SVG cannot be read, or is too large.
    ///
    /// ```
    /// use elf_report::pictures::PictureFonts;
    ///
    /// let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='25.4mm' height='25.4mm'>\
    ///     <text y='20'>Ελένη Давид דוד 龍</text></svg>";
    /// let png = PictureFonts::built_in().png(svg)?;
    /// assert!(png.bytes.starts_with(b"\x89PNG"));
    /// assert!(png.missing.iter().eq(&['龍']));
    /// # Ok::<(), elf_report::pictures::PictureError>(())
    /// ```
    pub fn png(&self, svg: &str) -> Result<RenderedPicture, PictureError> {
        let tree = self.parse(svg)?;
        let size = tree.size();
        let most = (MOST_PIXELS / (size.width() * size.height())).sqrt();
        let scale = f32::min(DOTS / CSS_DOTS, most);
        let pixels = size.scale_by(scale).ok_or(PictureError::Size)?.to_int_size();
        let mut pixmap = Pixmap::new(pixels.width(), pixels.height()).ok_or(PictureError::Size)?;
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
        let bytes = pixmap.encode_png().map_err(|error| PictureError::Writing(error.to_string()))?;
        Ok(RenderedPicture { bytes, missing: find_missing_characters(&tree) })
    }

    /// Creates a PDF with a page for each SVG. Its text can be selected and searched.
    ///
    /// # Errors
    ///
    /// If an SVG cannot be read, or the PDF cannot be written.
    pub fn pdf(&self, pages: &[String]) -> Result<RenderedPicture, PictureError> {
        let mut document = Document::new();
        let mut all_missing = BTreeSet::new();
        for svg in pages {
            let tree = self.parse(svg)?;
            all_missing.extend(find_missing_characters(&tree));
            let points = [tree.size().width(), tree.size().height()].map(|side| side * 72.0 / CSS_DOTS);
            let scale = f32::min(1.0, MOST_POINTS / points[0].max(points[1]));
            let size = Size::from_wh(points[0] * scale, points[1] * scale).ok_or(PictureError::Size)?;
            let mut page = document.start_page_with(PageSettings::new(size));
            let mut surface = page.surface();
            surface.draw_svg(&tree, size, SvgSettings::default()).ok_or(PictureError::Size)?;
            surface.finish();
            page.finish();
        }
        let bytes = document.finish().map_err(|error| PictureError::Writing(format!("{error:?}")))?;
        Ok(RenderedPicture { bytes, missing: all_missing })
    }
}

/// Returns the visible characters of a picture that no font has.
fn find_missing_characters(tree: &Tree) -> BTreeSet<char> {
    let mut missing = BTreeSet::new();
    let mut groups: Vec<&Group> = vec![tree.root()];
    while let Some(group) = groups.pop() {
        for node in group.children() {
            match node {
                Node::Group(inner) => groups.push(inner),
                Node::Text(text) => {
                    let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                    let unknown = glyphs.filter(|glyph| glyph.id.0 == 0).flat_map(|glyph| glyph.text.chars());
                    missing.extend(unknown.filter(|char| char.width().is_some_and(|width| width > 0)));
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> String {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='210mm' height='297mm'><text y='50'>{text}</text></svg>"
        )
    }

    #[test]
    fn a_pdf_has_a_page_for_each_picture() {
        let fonts = PictureFonts::built_in();
        let pdf = fonts.pdf(&[page("Ada"), page("Élise Łódź"), page("ქართული")]).expect("a PDF");
        assert!(pdf.bytes.starts_with(b"%PDF-"));
        assert!(!pdf.missing.is_empty(), "Georgian letters");
        let again = fonts.pdf(&[page("Ada"), page("Élise Łódź"), page("ქართული")]).expect("a PDF");
        assert!(pdf.bytes == again.bytes);
    }

    #[test]
    fn a_huge_picture_has_fewer_dots() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='20000mm' height='30000mm'/>";
        let png = PictureFonts::built_in().png(svg).expect("a PNG");
        let side = |at: usize| u32::from_be_bytes(png.bytes[at..at + 4].try_into().expect("four bytes"));
        assert!(side(16) > 6000 && u64::from(side(16)) * u64::from(side(20)) <= 64_100_000);
    }

    #[test]
    fn the_built_in_typeface_has_all_signs_of_charts() {
        let svg = page("⚭ * † → … – ə ўЎ ΆΏ ἀᾳ שָׁלוֹם žő Ḥ");
        let png = PictureFonts::built_in().png(&svg).expect("a PNG");
        assert!(png.missing.is_empty(), "{:?}", png.missing);
    }
}
