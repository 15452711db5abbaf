//! `Document`: a file in memory, to read and to edit; and its people.

use crate::pictures::{DrawnTree, TreeArguments};
use crate::reading::ReadingOptions;
use crate::redact::bare;
use crate::values::{js_error, object, object_of_json, options};
use elf_edit::{Edit, EditError, EditOptions, Editor, Edits, PathFinder, Value};
use elf_lineage::{Lineage, LineageView, PersonQuery};
use elf_report::tree::Structures;
use elf_schema::{PathTypes, TypedDocument};
use elf_tagged::path::Path;
use serde::{Deserialize, Serialize};
use std::cell::{OnceCell, RefCell};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "ReadOptions")]
    pub type JsReadOptions;
    #[wasm_bindgen(typescript_type = "SetOptions")]
    pub type JsSetOptions;
    #[wasm_bindgen(typescript_type = "RemoveOptions")]
    pub type JsRemoveOptions;
    #[wasm_bindgen(typescript_type = "TreeOptions")]
    pub type JsTreeOptions;
    #[wasm_bindgen(typescript_type = "PersonQuery")]
    pub type JsPersonQuery;
    #[wasm_bindgen(typescript_type = "EncodingDecision")]
    pub type EncodingDecision;
    #[wasm_bindgen(typescript_type = "Structure[]")]
    pub type JsStructures;
    #[wasm_bindgen(typescript_type = "PersonRow[]")]
    pub type JsPeople;
    #[wasm_bindgen(typescript_type = "DrawnTree")]
    pub type JsDrawnTree;
}

/// A file in memory, to read and to edit. Lines that you do not edit keep every byte.
#[wasm_bindgen]
pub struct Document {
    reading: ReadingOptions,
    /// The document as it was read.
    read: TypedDocument<'static>,
    /// The edits; `None` only while an editor has them.
    edits: RefCell<Option<Edits>>,
    /// The document with its edits; absent if there are none, or until somebody asks.
    edited: OnceCell<TypedDocument<'static>>,
    lineage: OnceCell<Lineage>,
}

/// The members of `SetOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct SetArguments {
    create: bool,
}

/// The members of `RemoveOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct RemoveArguments {
    cascade: bool,
}

/// The members of `PersonQuery`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct QueryArguments {
    name: Option<String>,
    born: Option<String>,
    died: Option<String>,
    place: Option<String>,
    most: Option<usize>,
}

/// The members of `EncodingDecision`.
#[derive(Serialize)]
struct EncodingMembers<'a> {
    used: &'a str,
    because: &'a str,
    detected: Option<&'a str>,
    detected_by: Option<&'a str>,
    specified: Option<&'a str>,
    bom: bool,
    rivals: Vec<&'a str>,
    evidence: &'a [String],
}

/// The members of `PersonRow`: those of `elf find --format json`.
#[derive(Serialize)]
struct PersonMembers<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    sex: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    birth: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    birth_place: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    death: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    death_place: &'a str,
    line: u64,
}

impl Document {
    /// The document with its edits.
    fn current(&self) -> Result<&TypedDocument<'static>, JsError> {
        if !self.is_edited() {
            return Ok(&self.read);
        }
        if let Some(edited) = self.edited.get() {
            return Ok(edited);
        }
        let edited = self.reading.reading()?.read(&self.bytes()?)?;
        Ok(self.edited.get_or_init(|| edited))
    }

    /// Works with an editor of the document as it was read, which has the edits so far.
    fn with_editor<T>(
        &self,
        work: impl FnOnce(&mut Editor<'_>) -> Result<T, EditError>,
    ) -> Result<T, JsError> {
        let document = self.read.document();
        let edits = self.edits.borrow_mut().take().unwrap_or_else(|| Edits::new(document));
        let mut editor = Editor::with_edits(document, edits).map_err(js_error)?;
        let done = work(&mut editor);
        *self.edits.borrow_mut() = Some(editor.into_edits());
        done.map_err(js_error)
    }

    fn bytes(&self) -> Result<Vec<u8>, JsError> {
        match self.is_edited() {
            false => Ok(self.read.document().source().octets().to_vec()),
            true => self.with_editor(|editor| Ok(editor.finish_quietly()?.octets.into_owned())),
        }
    }

    /// Makes an edit. One that fails changes nothing.
    fn edit(&mut self, edit: &Edit, options: EditOptions) -> Result<(), JsError> {
        let mut types = PathTypes::new(self.read.typing(), self.read.document().rules());
        self.edited = OnceCell::new();
        self.lineage = OnceCell::new();
        self.with_editor(|editor| {
            editor.set_options(options);
            editor.apply(edit, &mut types)
        })
    }

    fn lineage(&self) -> Result<&Lineage, JsError> {
        let typed = self.current()?;
        Ok(self.lineage.get_or_init(|| Lineage::with_notices(typed)))
    }
}

fn parse_path(path: &str) -> Result<Path, JsError> {
    path.parse().map_err(|error| js_error(format!("invalid path `{path}`: {error}")))
}

#[wasm_bindgen]
impl Document {
    /// Reads a file. Whatever is wrong with it, there is a document; `check` tells what is wrong.
    pub fn open(bytes: &[u8], options: Option<JsReadOptions>) -> Result<Document, JsError> {
        let options: Option<JsValue> = options.map(Into::into);
        let reading: ReadingOptions = self::options(options.as_ref())?;
        let read = reading.reading()?.read(bytes)?;
        Ok(Document {
            reading,
            read,
            edits: RefCell::new(None),
            edited: OnceCell::new(),
            lineage: OnceCell::new(),
        })
    }

    /// The decision on the encoding, with its evidence.
    #[wasm_bindgen(getter)]
    pub fn encoding(&self) -> Result<EncodingDecision, JsError> {
        let decision = self.read.document().source().decision();
        let members = EncodingMembers {
            used: decision.used.name(),
            because: decision.because.name(),
            detected: decision.detected.map(|encoding| encoding.name()),
            detected_by: decision.detected_by.map(|by| by.name()),
            specified: decision.specified.as_deref(),
            bom: decision.mark,
            rivals: decision.rivals.iter().map(|encoding| encoding.name()).collect(),
            evidence: &decision.evidence,
        };
        Ok(object(&members)?.into())
    }

    /// False if reading stopped early under the chosen rules.
    #[wasm_bindgen(getter, js_name = isComplete)]
    pub fn is_complete(&self) -> bool {
        self.read.document().is_complete()
    }

    #[wasm_bindgen(getter, js_name = isEdited)]
    pub fn is_edited(&self) -> bool {
        self.edits.borrow().as_ref().is_some_and(|edits| !edits.is_empty())
    }

    /// The structures at a path such as `@I1@/BIRT`, with everything under them, and with the edits made so far. Without a
    /// path, all records except header and trailer. A path that finds nothing gives an empty array.
    pub fn structures(&self, path: Option<String>) -> Result<JsStructures, JsError> {
        let typed = self.current()?;
        let document = typed.document();
        let found = match &path {
            None => document.records().collect(),
            Some(path) => {
                let mut types = PathTypes::new(typed.typing(), document.rules());
                document.find(&parse_path(path)?, &mut types).unwrap_or_default()
            }
        };
        let structures = Structures::typed(document, typed.typing());
        let (mut paths, mut locator) = (PathFinder::of(document), document.source().locator());
        let mut json = b"[".to_vec();
        for node in found {
            if json.len() > 1 {
                json.push(b',');
            }
            let place = Place { path: paths.path_of(node.id()), line: locator.line_number(node.span()) };
            serde_json::to_writer(&mut json, &place)?;
            // The members of the structure follow in the same object.
            json.pop();
            json.push(b',');
            let start = json.len();
            structures.json(&mut json, node)?;
            json.remove(start);
        }
        json.push(b']');
        Ok(object_of_json(&String::from_utf8(json)?)?.into())
    }

    /// Sets the payload of the structure at a path. `@I1@` makes a pointer.
    pub fn set(&mut self, path: &str, value: &str, options: Option<JsSetOptions>) -> Result<(), JsError> {
        let options: Option<JsValue> = options.map(Into::into);
        let SetArguments { create } = self::options(options.as_ref())?;
        self.edit(&Edit::Set(parse_path(path)?, Value::of(value)), EditOptions::new().with_create(create))
    }

    /// Adds a structure: the last step of the path is its tag.
    pub fn insert(
        &mut self,
        path: &str,
        value: Option<String>,
        options: Option<JsSetOptions>,
    ) -> Result<(), JsError> {
        let options: Option<JsValue> = options.map(Into::into);
        let SetArguments { create } = self::options(options.as_ref())?;
        let value = value.as_deref().map_or(Value::None, Value::of);
        self.edit(&Edit::Insert(parse_path(path)?, value), EditOptions::new().with_create(create))
    }

    /// Removes the structure at a path. `cascade` also removes the pointers to it.
    pub fn remove(&mut self, path: &str, options: Option<JsRemoveOptions>) -> Result<(), JsError> {
        let options: Option<JsValue> = options.map(Into::into);
        let RemoveArguments { cascade } = self::options(options.as_ref())?;
        self.edit(&Edit::Remove(parse_path(path)?), EditOptions::new().with_cascade(cascade))
    }

    /// Renames an identifier, with every pointer to it.
    pub fn rename(&mut self, identifier: &str, new: &str) -> Result<(), JsError> {
        let edit = Edit::Rename(bare(identifier).to_owned(), bare(new).to_owned());
        self.edit(&edit, EditOptions::new())
    }

    /// The bytes of the file, with the edits.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Result<Vec<u8>, JsError> {
        self.bytes()
    }

    /// The people who meet all conditions, as `elf find` finds them.
    pub fn people(&self, query: Option<JsPersonQuery>) -> Result<JsPeople, JsError> {
        let query: Option<JsValue> = query.map(Into::into);
        let QueryArguments { name, born, died, place, most } = self::options(query.as_ref())?;
        let years = |text: Option<String>| text.map(|text| text.parse()).transpose().map_err(js_error);
        let mut query = PersonQuery::new();
        query = name.iter().fold(query, |query, name| query.with_name(name));
        query = place.iter().fold(query, |query, place| query.with_place(place));
        query = years(born)?.into_iter().fold(query, PersonQuery::with_birth);
        query = years(died)?.into_iter().fold(query, PersonQuery::with_death);
        let view = LineageView::new(self.lineage()?, self.current()?);
        let found = query.find(&view).map_err(js_error)?;
        let mut json = b"[".to_vec();
        for facts in found.into_iter().take(most.unwrap_or(usize::MAX)).filter_map(|id| view.facts(id)) {
            if json.len() > 1 {
                json.push(b',');
            }
            let row = PersonMembers {
                id: facts.record.xref().unwrap_or_default(),
                name: facts.name(),
                sex: &facts.sex,
                birth: &facts.birth.date,
                birth_place: &facts.birth.place,
                death: &facts.death.date,
                death_place: &facts.death.place,
                line: facts.line,
            };
            serde_json::to_writer(&mut json, &row)?;
        }
        json.push(b']');
        Ok(object_of_json(&String::from_utf8(json)?)?.into())
    }

    /// Draws the ancestors and descendants of a person, as `elf tree` does. Without an identifier, the person is the first
    /// who has a family.
    pub fn tree(
        &self,
        identifier: Option<String>,
        options: Option<JsTreeOptions>,
    ) -> Result<JsDrawnTree, JsError> {
        let options: Option<JsValue> = options.map(Into::into);
        let arguments: TreeArguments = self::options(options.as_ref())?;
        let person = arguments.person(self.lineage()?, identifier.as_deref().map(bare))?;
        let tree = arguments.tree(person)?;
        Ok(object(&DrawnTree { svg: arguments.svg(&tree)?, tree: tree.data() })?.into())
    }
}

/// The place of a structure.
#[derive(Serialize)]
struct Place {
    path: String,
    line: u64,
}

/// Draws the ancestors and descendants of a person as SVG, as `elf tree --format svg` does. Without an identifier, the
/// person is the first who has a family.
#[wasm_bindgen]
pub fn tree(
    bytes: &[u8],
    identifier: Option<String>,
    options: Option<JsTreeOptions>,
) -> Result<String, JsError> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: TreeArguments = self::options(options.as_ref())?;
    let document = Document::open(bytes, None)?;
    let person = arguments.person(document.lineage()?, identifier.as_deref().map(bare))?;
    arguments.svg(&arguments.tree(person)?)
}
