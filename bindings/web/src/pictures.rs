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
    line: Option<u64>,
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
    /// The person whose record starts on the line of the options; without a line, the person with an identifier; without
    /// both, the first person who has a family, or else the first.
    pub(crate) fn person<'l>(
        &self,
        lineage: &'l Lineage,
        identifier: Option<&str>,
    ) -> Result<Person<'l>, JsError> {
        if let Some(line) = self.line {
            let found = lineage.persons().find(|person| person.position().line == line);
            return found.ok_or_else(|| js_error(format!("no record of a person starts on line {line}")));
        }
        let Some(identifier) = identifier else { return first_person(lineage) };
        let mut found = lineage.persons().filter(|person| person.identifier().as_deref() == Some(identifier));
        match (found.next(), found.next()) {
            (Some(person), None) => Ok(person),
            (Some(_), Some(_)) => Err(js_error(format!(
                "several people have the identifier `@{identifier}@`: choose one by its line"
            ))),
            (None, _) => Err(js_error(format!("no person has the identifier `@{identifier}@`"))),
        }
    }

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

/// The first person who has a family, or else the first.
fn first_person(lineage: &Lineage) -> Result<Person<'_>, JsError> {
    let has_family = |person: &Person<'_>| {
        person.families_as_partner().next().is_some() || person.families_as_child().next().is_some()
    };
    let first = lineage.persons().find(has_family).or_else(|| lineage.persons().next());
    first.ok_or_else(|| js_error("no people in this file"))
}
