//! A strict check of pages: elements and attributes from short lists, each closed in its order, no bare
//! character of markup in a text, no reference but to a place in the page.

use std::collections::BTreeSet;

/// The elements that a report has.
const ELEMENTS: [&str; 48] = [
    "a",
    "b",
    "bdi",
    "body",
    "caption",
    "code",
    "dd",
    "desc",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "g",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "li",
    "line",
    "main",
    "mark",
    "meta",
    "ol",
    "p",
    "pre",
    "rect",
    "script",
    "section",
    "span",
    "style",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
    "nav",
    "label",
];

/// The attributes that a report has: none runs anything, and none but `href` names a place.
const ATTRIBUTES: [&str; 33] = [
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "charset",
    "class",
    "colspan",
    "content",
    "dir",
    "height",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "open",
    "preserveAspectRatio",
    "role",
    "scope",
    "tabindex",
    "text-anchor",
    "viewBox",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
    "rx",
    "type",
    "for",
    "value",
    "title",
];

/// The escapes that a text may have.
const ESCAPES: [&str; 5] = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];

/// A page as far as it was read.
#[derive(Default)]
struct Checker<'h> {
    open: Vec<&'h str>,
    ids: BTreeSet<&'h str>,
    wanted: BTreeSet<&'h str>,
    scripts: usize,
    styles: usize,
}

/// Checks a page, or says what is wrong with it.
pub(crate) fn check(html: &str) -> Result<(), String> {
    let mut rest = html.strip_prefix("<!DOCTYPE html>").ok_or("no document type")?;
    let mut page = Checker::default();
    while let Some((text, markup)) = rest.split_once('<') {
        plain(text)?;
        let (tag, behind) = markup.split_once('>').ok_or("an open tag")?;
        rest = behind;
        match tag.strip_prefix('/') {
            Some(name) if page.open.pop() == Some(name) => {}
            Some(name) => return Err(format!("`{name}` is closed where it is not open")),
            None => {
                let name = page.tag(tag)?;
                if ["script", "style"].contains(&name) {
                    let end = format!("</{name}>");
                    rest = rest.split_once(&*end).ok_or("no end of a script or style")?.1;
                    page.open.pop();
                }
            }
        }
    }
    plain(rest)?;
    if !page.open.is_empty() {
        return Err(format!("left open: {:?}", page.open));
    }
    if (page.scripts, page.styles) != (1, 1) {
        return Err(format!("{} scripts, {} styles", page.scripts, page.styles));
    }
    match page.wanted.difference(&page.ids).next() {
        Some(id) => Err(format!("nothing is called {id}")),
        None => Ok(()),
    }
}

impl<'h> Checker<'h> {
    fn tag(&mut self, tag: &'h str) -> Result<&'h str, String> {
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        if !ELEMENTS.contains(&name) {
            return Err(format!("an element `{name}`"));
        }
        while !rest.is_empty() {
            let (attribute, behind) = rest.split_once("=\"").ok_or_else(|| format!("attributes `{rest}`"))?;
            let (value, behind) = behind.split_once('"').ok_or_else(|| format!("a value of {attribute}"))?;
            rest = behind.strip_prefix(' ').unwrap_or(behind);
            if !ATTRIBUTES.contains(&attribute) {
                return Err(format!("an attribute `{attribute}`"));
            }
            plain(value)?;
            self.attribute(attribute, value)?;
        }
        self.scripts += usize::from(name == "script");
        self.styles += usize::from(name == "style");
        if name != "meta" {
            self.open.push(name);
        }
        Ok(name)
    }

    fn attribute(&mut self, name: &str, value: &'h str) -> Result<(), String> {
        match name {
            "id" if !self.ids.insert(value) => return Err(format!("two are called {value}")),
            "href" => {
                let id = value.strip_prefix('#').ok_or_else(|| format!("a reference to {value}"))?;
                self.wanted.insert(id);
            }
            "aria-labelledby" => self.wanted.extend(value.split(' ')),
            _ => {}
        }
        Ok(())
    }
}

/// Text in which nothing is markup.
fn plain(text: &str) -> Result<(), String> {
    if text.contains(['>', '"']) {
        return Err(format!("a bare character in `{text}`"));
    }
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        rest = &rest[at..];
        let escape = ESCAPES.iter().find(|escape| rest.starts_with(**escape));
        rest = &rest[escape.ok_or_else(|| format!("a bare `&` in `{text}`"))?.len()..];
    }
    Ok(())
}
