//! The options of trees, and their SVG.

use crate::values::js_error;
use elf_lineage::{Lineage, Person};
use elf_report::pictures::{
    FAN_GENERATIONS, FamilyTree, Layout, PageSize, SvgOptions, TreeData, TreeOptions,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::JsError;

/// The members of `TreeOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct TreeArguments {
    up: Option<u32>,
    down: Option<u32>,
    most: Option<usize>,
    layout: Option<String>,
    width: Option<u32>,
    page: Option<String>,
    title: Option<String>,
    bare: bool,
}

/// A tree as a picture and as the data of `elf tree --format json`.
#[derive(Serialize)]
pub(crate) struct DrawnTree<'t> {
    pub(crate) svg: String,
    pub(crate) tree: TreeData<'t>,
}

impl TreeArguments {
    fn named_layout(&self) -> Result<Layout, JsError> {
        let Some(name) = &self.layout else { return Ok(Layout::default()) };
        let found = Layout::ALL.into_iter().find(|layout| layout.name() == name);
        found.ok_or_else(|| js_error(format!("unknown layout `{name}`: expected `tree` or `fan`")))
    }

    fn named_page(&self) -> Result<Option<PageSize>, JsError> {
        let Some(name) = &self.page else { return Ok(None) };
        let found = PageSize::ALL.into_iter().find(|page| page.name().eq_ignore_ascii_case(name));
        found.map(Some).ok_or_else(|| js_error(format!("unknown paper `{name}`: expected `A4` or `letter`")))
    }

    /// The part of the tree that is drawn.
    pub(crate) fn tree(&self, person: Person<'_>) -> Result<FamilyTree, JsError> {
        let mut options = TreeOptions::default();
        options.up = self.up.unwrap_or(options.up);
        options.down = self.down.unwrap_or(options.down);
        options.most = self.most.unwrap_or(options.most);
        if self.named_layout()? == Layout::Fan {
            options = options.with_up(options.up.min(FAN_GENERATIONS)).with_down(0);
        }
        Ok(FamilyTree::of(person, &options))
    }

    pub(crate) fn svg(&self, tree: &FamilyTree) -> Result<String, JsError> {
        let options = SvgOptions::default()
            .with_layout(self.named_layout()?)
            .with_width(self.width)
            .with_page(self.named_page()?)
            .with_title(self.title.clone())
            .with_words(!self.bare);
        Ok(tree.to_svg(&options))
    }
}

/// The person with an identifier; without one the first who has a family, or else the first.
pub(crate) fn chosen<'l>(lineage: &'l Lineage, identifier: Option<&str>) -> Result<Person<'l>, JsError> {
    if let Some(identifier) = identifier {
        let found = lineage.find_person(identifier);
        return found.ok_or_else(|| js_error(format!("no person has the identifier `@{identifier}@`")));
    }
    let has_family = |person: &Person<'_>| {
        person.families_as_partner().next().is_some() || person.families_as_child().next().is_some()
    };
    let first = lineage.persons().find(has_family).or_else(|| lineage.persons().next());
    first.ok_or_else(|| js_error("no people in this file"))
}
