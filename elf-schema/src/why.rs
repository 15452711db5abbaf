//! Explanations for people: how a tag got its type, and what a schema defines under a type.

use crate::brief::shorten_text;
use crate::budget::Budget;
use crate::document::TypedDocument;
use crate::extensions::ExtensionTag;
use crate::ids::TypeId;
use crate::lookup::Meaning;
use crate::schema::{Definition, Schema};
use crate::term;
use elf_tagged::Node;
use std::borrow::Cow;
use std::fmt::Write;

/// Explains why a tag has its type under another type (J19 §3.3).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeExplanation<'s> {
    /// The tag.
    pub tag: String,
    /// The IRI of the type of the superstructure.
    pub superstructure: String,
    /// The IRI of the type of the tag.
    pub structure_type: String,
    /// The reason for that type.
    pub reason: Reason<'s>,
}

/// Why a tag has its type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason<'s> {
    /// Definitions apply and agree.
    Defined(Vec<ApplicableDefinition<'s>>),
    /// Definitions apply but conflict, so none of them is used.
    Conflict(Vec<ApplicableDefinition<'s>>),
    /// No definition applies.
    NotDefined,
    /// The superstructure has no type, so nothing is defined under it.
    Beneath,
    /// The dictionary of vendor tags gives this type to all flags of the user's own, as Family Historian writes them.
    UserFlag,
    /// The header gives this URI to the extension tag.
    Documented(&'s ExtensionTag),
    /// The header gives several URIs to the extension tag, and nothing shows which of them is meant here.
    Ambiguous(Vec<&'s ExtensionTag>),
}

/// A definition that applies, with the supertypes that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplicableDefinition<'s> {
    /// The definition.
    pub definition: Definition<'s>,
    /// The IRIs from the type of the superstructure to the type in the definition, including both.
    pub supertypes: Vec<&'s str>,
}

impl Schema {
    /// Returns the tags that have a type under this type, sorted, with the IRIs of their types; `None` if definitions
    /// conflict.
    ///
    /// ```
    /// let schema = elf_schema::Schema::published();
    /// let tags = schema.tags_in(elf_schema::vocabulary::elf::MARRIAGE);
    /// assert!(tags.contains(&("HUSB", Some("https://terms.fhiso.org/elf/Parent1Age"))));
    /// assert_eq!(tags.len(), 13);
    /// ```
    pub fn tags_in(&self, superstructure: &str) -> Vec<(&str, Option<&str>)> {
        let Some(of) = self.type_of(superstructure) else { return Vec::new() };
        let named = |(tag, meaning)| match meaning {
            Meaning::Type(of) => (self.tag(tag), self.iri(of)),
            Meaning::Conflict | Meaning::Undefined => (self.tag(tag), None),
        };
        let mut tags: Vec<_> = self.meanings_in(of).into_iter().map(named).collect();
        tags.sort_unstable();
        tags
    }

    /// Returns the tags for a type under another type, in the order of their definitions.
    ///
    /// ```
    /// use elf_schema::vocabulary::elf;
    /// let schema = elf_schema::Schema::published();
    /// assert_eq!(schema.tags_of(elf::ADDRESS_EMAIL, elf::SUBMITTER_RECORD), ["EMAIL", "EMAI"]);
    /// ```
    pub fn tags_of(&self, structure_type: &str, superstructure: &str) -> Vec<&str> {
        let (Some(of), Some(above)) = (self.type_of(structure_type), self.type_of(superstructure)) else {
            return Vec::new();
        };
        let defined = self.tags_for(of, above).into_iter().map(|tag| self.tag(tag));
        defined.chain(self.extension_tags_of(of, above)).collect()
    }

    fn tags_for(&self, of: TypeId, superstructure: TypeId) -> Vec<u32> {
        let all = self.definitions_under(superstructure, &mut Budget::unlimited());
        let mut tags: Vec<(u32, u32)> = all
            .chunk_by(|one, other| one.tag == other.tag)
            .filter(|group| {
                self.agreed_type(group.iter().map(|one| one.definition).collect()) == Meaning::Type(of)
            })
            .filter_map(|group| group.first().map(|first| (first.definition, first.tag)))
            .collect();
        tags.sort_unstable();
        tags.into_iter().map(|(_, tag)| tag).collect()
    }

    /// Explains why a tag has its type under a type, given by IRI.
    ///
    /// ```
    /// use elf_schema::{Reason, Schema, vocabulary::elf};
    ///
    /// let why = Schema::published().why(elf::MARRIAGE, "CAUS");
    /// let Reason::Defined(definitions) = &why.reason else { panic!("expected a definition") };
    /// assert_eq!(definitions[0].supertypes, [elf::MARRIAGE, elf::FAMILY_EVENT, elf::EVENT]);
    /// ```
    pub fn why(&self, superstructure: &str, tag: &str) -> TypeExplanation<'_> {
        let found = self.type_of(superstructure);
        let mut applies = Vec::new();
        if let (Some(of), Some(number)) = (found, self.tag_number(tag)) {
            applies.extend(self.definitions_of_tag(of, number).into_iter().map(|number| {
                let definition = self.content().definition(number);
                let supertypes = self.find_shortest_path(of, definition.superstructure);
                ApplicableDefinition { definition: self.definition_handle(definition), supertypes }
            }));
        }
        let first = applies.first().map(|applies| applies.definition.structure_type());
        let agree = applies.iter().all(|applies| Some(applies.definition.structure_type()) == first);
        let flag = found.and_then(|of| self.vendor_flag(of, tag));
        let (structure_type, reason) = match first {
            Some(first) if agree => (first.to_owned(), Reason::Defined(applies)),
            Some(_) => (term::undefined(tag), Reason::Conflict(applies)),
            None if self.extension_tags().iter().any(|one| &*one.tag == tag) => {
                self.extension_reason(superstructure, tag)
            }
            None if term::undefined_tag(superstructure).is_some() => (term::undefined(tag), Reason::Beneath),
            None => match flag {
                Some(flag) => (self.known_iri(flag).to_owned(), Reason::UserFlag),
                None => (term::undefined(tag), Reason::NotDefined),
            },
        };
        TypeExplanation {
            tag: tag.to_owned(),
            superstructure: superstructure.to_owned(),
            structure_type,
            reason,
        }
    }

    /// Returns the type of an extension tag that the header gives URIs.
    fn extension_reason(&self, superstructure: &str, tag: &str) -> (String, Reason<'_>) {
        let tags = || self.extension_tags().iter().filter(|one| &*one.tag == tag);
        let above = self.type_of(superstructure).unwrap_or(TypeId::UNDEFINED);
        let found = self.extension_type(above, tag).and_then(|of| self.iri(of));
        let meant = tags().find(|one| found == Some(&*one.uri));
        match meant {
            Some(one) => (one.uri.to_string(), Reason::Documented(one)),
            None => (term::undefined(tag), Reason::Ambiguous(tags().collect())),
        }
    }

    /// Explains the type of each tag in a path that starts with a record or with `HEAD`. `HEAD` itself has no type.
    ///
    /// ```
    /// let steps = elf_schema::Schema::published().why_path(["INDI", "BIRT", "DATE"]);
    /// assert_eq!(steps[2].structure_type, "https://terms.fhiso.org/elf/DATE_VALUE");
    /// ```
    pub fn why_path<'t>(&self, tags: impl IntoIterator<Item = &'t str>) -> Vec<TypeExplanation<'_>> {
        let mut tags = tags.into_iter().peekable();
        let top = if tags.next_if_eq(&"HEAD").is_some() { TypeId::METADATA } else { TypeId::DOCUMENT };
        let mut superstructure = self.known_iri(top).to_owned();
        tags.map(|tag| {
            let why = self.why(&superstructure, tag);
            superstructure.clone_from(&why.structure_type);
            why
        })
        .collect()
    }

    /// Returns a shortest path from `of` up to its supertype `to`.
    fn find_shortest_path(&self, of: TypeId, to: TypeId) -> Vec<&str> {
        let goal = to.node();
        let path =
            petgraph::algo::astar(&self.content().graph, of.node(), |node| node == goal, |_| 1_u32, |_| 0);
        let nodes = path.into_iter().flat_map(|(_, nodes)| nodes);
        nodes.map(|node| self.known_iri(TypeId::of(node.index()))).collect()
    }

    /// Returns the supertype graph in the language of Graphviz: an arrow from each type to each of its supertypes.
    ///
    /// ```
    /// let dot = elf_schema::Schema::published().to_dot();
    /// assert!(dot.contains("\"elf:MARRIAGE\" -> \"elf:FamilyEvent\";"));
    /// ```
    pub fn to_dot(&self) -> String {
        let mut out = String::from("digraph supertypes {\n  rankdir = BT;\n  node [shape = box];\n");
        for definition in &self.content().supertypes {
            let [below, above] = [definition.subtype, definition.supertype].map(|of| self.quote_type(of));
            let _ = writeln!(out, "  {below} -> {above};");
        }
        out.push_str("}\n");
        out
    }

    fn quote_type(&self, of: TypeId) -> String {
        let name = self.content().prefixes.shorten(self.known_iri(of));
        // An IRI contains neither quotation marks nor backslashes, but a prefix may. Graphviz also reads HTML
        // entities in strings.
        format!("\"{}\"", name.replace('&', "&amp;").replace('\\', "\\\\").replace('"', "\\\""))
    }
}

impl TypedDocument<'_> {
    /// Explains the type of a structure; `None` for the header, for serialisation metadata, and under a dictionary of
    /// 2017.
    pub fn why(&self, node: Node<'_>) -> Option<TypeExplanation<'_>> {
        self.type_of(node)?;
        if self.typing().dictionary().is_some() {
            return None;
        }
        let superstructure = match node.superstructure() {
            None => self.schema().iri(TypeId::DOCUMENT)?,
            Some(above) => match self.type_of(above) {
                Some(of) => of,
                None => self.schema().iri(TypeId::METADATA)?,
            },
        };
        Some(self.schema().why(superstructure, node.tag()))
    }
}

impl TypeExplanation<'_> {
    /// Returns the explanation as lines of text, with types shortened by the prefixes of `schema`.
    pub fn lines(&self, schema: &Schema) -> Vec<String> {
        let short =
            |iri: &str| -> String { shorten_text(&schema.content().prefixes.shorten(iri)).into_owned() };
        let (tag, above) = (&self.tag, short(&self.superstructure));
        let mut lines = vec![format!("{tag} in {above} is {}", short(&self.structure_type))];
        let applied = |applies: &ApplicableDefinition<'_>| {
            let definition = applies.definition;
            let context = short(definition.superstructure());
            let of = short(definition.structure_type());
            let mut line: Cow<'_, str> =
                format!("defined in {context} as {of}: {}", definition.provenance()).into();
            if applies.supertypes.len() > 1 {
                let path: Vec<String> = applies.supertypes.iter().map(|iri| short(iri)).collect();
                line = format!("{line}; {}", path.join(" is under ")).into();
            }
            line.into_owned()
        };
        match &self.reason {
            Reason::Defined(definitions) => lines.extend(definitions.iter().map(applied)),
            Reason::Conflict(definitions) => {
                lines.push("the definitions conflict, so none of them is used".to_owned());
                lines.extend(definitions.iter().map(applied));
            }
            Reason::Documented(tag) => {
                lines.push(format!("the tag has the URI {}: {}", shorten_text(&tag.uri), tag.provenance));
            }
            Reason::Ambiguous(tags) => {
                lines.push(
                    "the tag has several URIs, and nothing shows which of them is meant here".to_owned(),
                );
                lines
                    .extend(tags.iter().map(|tag| format!("{}: {}", shorten_text(&tag.uri), tag.provenance)));
            }
            Reason::UserFlag => lines.push(format!(
                "the built-in dictionary `vendor` gives this type to all tags in {above} that start with `__`"
            )),
            Reason::NotDefined => lines.push(format!("no definition of {tag} applies in {above}")),
            Reason::Beneath => lines.push(format!("{above} has no type, so nothing is defined in it")),
        }
        lines
    }
}
