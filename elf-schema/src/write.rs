//! Writes a schema as structures of a header (J19 §4.2).

use crate::builtin::DATA_MODEL;
use crate::ids::TypeId;
use crate::provenance::Origin;
use crate::schema::Schema;
use crate::statements::Statements;
use elf_base::Rules;
use elf_tagged::write::PreambleLine;
use elf_values::is_extension_tag;
use indexmap::IndexSet;
use std::collections::{HashMap, HashSet};

/// How a schema is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaForm {
    /// As a reference if it has an IRI, with definitions for the rest.
    #[default]
    Reference,
    /// With all definitions.
    Inline,
}

impl Schema {
    /// Returns the SCHMA structure that defines this schema in the header of a file under `rules`.
    ///
    /// A SCHMA replaces the default schema (J19 §4.2), so it is always complete, including `ESC DATE D`. `None` if no
    /// SCHMA is needed: under rules for which SCHMA is a reference, if this schema is their default. The drafts of 2017
    /// have no schemas.
    ///
    /// ```
    /// use elf_schema::{Rules, Schema, SchemaForm};
    ///
    /// let lines = Schema::published().to_lines(&Rules::JANUARY_2019, SchemaForm::Reference).expect("a schema");
    /// let lines: Vec<_> = lines.iter().map(|line| format!("{} {} {}", line.level, line.tag, line.payload)).collect();
    /// assert_eq!(lines, ["1 SCHMA ", "2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0"]);
    /// ```
    pub fn to_lines(&self, rules: &Rules, form: SchemaForm) -> Option<Vec<PreambleLine<'static>>> {
        let mechanism = rules.schema.mechanism;
        if mechanism.is_of_extension_tags() {
            return self.extension_lines();
        }
        let is_default = || Schema::default_of(rules).is_some_and(|default| self.states_the_same_as(default));
        if !mechanism.is_inline() && (!mechanism.is_by_shape() || is_default()) {
            return None;
        }
        let external = mechanism.may_refer();
        let mut said = DefinitionLines { schema: self, lines: Vec::new(), skip: None };
        said.write_line(1, "SCHMA", "");
        match form {
            SchemaForm::Reference if external => said.write_references(rules),
            // A schema that is not available can only be referred to.
            _ => {
                for reference in
                    self.content().references.iter().filter(|reference| external && !reference.at_hand)
                {
                    said.write_line(2, "SCHMA", &reference.iri);
                }
            }
        }
        said.write_definitions();
        Some(said.lines)
    }

    /// Returns the SCHMA of GEDCOM 7, which gives extension tags their URIs; `None` if there are none. It includes tags
    /// that are defined in single places, because GEDCOM 7 cannot express the place.
    fn extension_lines(&self) -> Option<Vec<PreambleLine<'static>>> {
        let named = self.extension_tags().iter().map(|one| (&*one.tag, &*one.uri));
        let defined = self.definitions().map(|one| (one.tag(), one.structure_type()));
        let all: IndexSet<_> = named.chain(defined.filter(|(tag, _)| is_extension_tag(tag))).collect();
        let line = |(tag, uri)| PreambleLine::new(2, "TAG", format!("{tag} {uri}"));
        let top = PreambleLine::new(1, "SCHMA", "");
        (!all.is_empty()).then(|| [top].into_iter().chain(all.into_iter().map(line)).collect())
    }

    /// Returns whether both schemas make the same statements.
    pub(crate) fn states_the_same_as(&self, other: &Schema) -> bool {
        self.states_all_of(other) && other.states_all_of(self)
    }

    /// Returns whether this schema makes all statements of `other`.
    fn states_all_of(&self, other: &Schema) -> bool {
        Statements::of(self, other).have_all()
    }
}

struct DefinitionLines<'s> {
    schema: &'s Schema,
    lines: Vec<PreambleLine<'static>>,
    /// The statements that a reference to the default schema already makes.
    skip: Option<Statements<'s>>,
}

impl<'s> DefinitionLines<'s> {
    /// Writes references: to the default schema, if this schema includes all of it, and to the external schemas that it
    /// was read from.
    fn write_references(&mut self, rules: &Rules) {
        // Under these rules, the IRI of the default schema may mean the completed schema.
        let default: &'static Schema = Schema::of_data_model(rules);
        if self.schema.states_all_of(default) {
            self.write_line(2, "SCHMA", DATA_MODEL);
            self.skip = Some(Statements::of(default, self.schema));
        }
        for reference in
            self.schema.content().references.iter().filter(|reference| &*reference.iri != DATA_MODEL)
        {
            self.write_line(2, "SCHMA", &reference.iri);
        }
    }

    /// Writes prefixes, escapes and types, except those that references include.
    fn write_definitions(&mut self) {
        let schema = self.schema;
        let types = self.list_types();
        // A prefix that is also the scheme of an IRI would change this IRI.
        let schemes: HashSet<&str> =
            schema.types().filter_map(|(_, iri)| iri.split_once(':')).map(|(scheme, _)| scheme).collect();
        let shorten = |iri: &str| -> String {
            let short = schema.content().prefixes.shorten(iri);
            match short.split_once(':') {
                Some((prefix, _)) if schemes.contains(prefix) => iri.to_owned(),
                _ => short.into_owned(),
            }
        };
        let mut used = HashSet::new();
        let mut lines = Vec::new();
        let mut name = |of: TypeId| {
            let short = shorten(schema.known_iri(of));
            if let Some((prefix, _)) = short.split_once(':')
                && !schemes.contains(prefix)
            {
                used.insert(prefix.to_owned());
            }
            short
        };
        for (of, supertypes, tags) in types {
            lines.push((2, "IRI", name(of)));
            for above in supertypes {
                lines.push((3, "ISA", name(above)));
            }
            for (tag, contexts) in tags {
                let contexts: Vec<String> = contexts.into_iter().map(&mut name).collect();
                lines.push((3, "TAG", format!("{tag} {}", contexts.join(" "))));
            }
        }
        for (prefix, definition) in
            schema.content().prefixes.iter().filter(|(prefix, _)| used.contains(*prefix))
        {
            self.write_line(2, "PRFX", &format!("{prefix} {}", definition.iri));
        }
        for escape in schema.escapes() {
            let letters: String = escape.types.letters().collect();
            let said = self.skip.as_ref().is_some_and(|skip| skip.have_escape(escape));
            if !said && !self.is_covered_by_reference(&escape.provenance.origin) {
                self.write_line(2, "ESC", &format!("{} {letters}", escape.tag));
            }
        }
        for (level, tag, payload) in lines {
            self.write_line(level, tag, &payload);
        }
    }

    /// Returns what is to be written about each type, in the order of the schema: its supertypes, and its tags with
    /// their superstructure types.
    #[allow(clippy::type_complexity, reason = "a table of three columns")]
    fn list_types(&self) -> Vec<(TypeId, Vec<TypeId>, Vec<(&'s str, Vec<TypeId>)>)> {
        let schema = self.schema;
        let mut supertypes: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
        for one in &schema.content().supertypes {
            if !self.skip.as_ref().is_some_and(|skip| skip.have_supertype(one))
                && !self.is_covered_by_reference(&one.provenance.origin)
            {
                supertypes.entry(one.subtype).or_default().push(one.supertype);
            }
        }
        let mut tags: HashMap<TypeId, Vec<(&str, Vec<TypeId>)>> = HashMap::new();
        for one in schema.definitions() {
            if self.skip.as_ref().is_some_and(|skip| skip.have_definition(one.tag_definition()))
                || self.is_covered_by_reference(&one.provenance().origin)
            {
                continue;
            }
            let of = tags.entry(one.tag_definition().structure_type).or_default();
            match of.last_mut().filter(|(tag, _)| *tag == one.tag()) {
                Some((_, contexts)) => contexts.push(one.tag_definition().superstructure),
                None => of.push((one.tag(), vec![one.tag_definition().superstructure])),
            }
        }
        // ELF cannot say that a tag has a type everywhere, only at the places in the standard.
        let mut contexts: HashMap<(&str, TypeId), Vec<TypeId>> = HashMap::new();
        let extension_tags: HashSet<&str> = schema.extension_tags().iter().map(|one| &*one.tag).collect();
        for tag in extension_tags {
            for above in schema.standard_types().filter(|above| *above != TypeId::UNDEFINED) {
                if let Some(of) = schema.extension_type(above, tag) {
                    contexts.entry((tag, of)).or_default().push(above);
                }
            }
        }
        for one in schema.extension_tags() {
            let Some(of) = schema.type_of(&one.uri) else { continue };
            if let Some(contexts) = contexts.remove(&(&*one.tag, of)) {
                tags.entry(of).or_default().push((&one.tag, contexts));
            }
        }
        // In the order of their declarations, so that reading the result gives the same types; then types that are
        // only mentioned.
        let undeclared = schema.types().map(|(of, _)| of).filter(|of| schema.declared(*of).is_none());
        let all = schema.content().declared.iter().copied().chain(undeclared);
        all.filter_map(|of| {
            let supertypes = supertypes.remove(&of).unwrap_or_default();
            let tags = tags.remove(&of).unwrap_or_default();
            let bare = supertypes.is_empty() && tags.is_empty();
            // A type without further definitions may still be mentioned by others.
            let declared = schema.declared(of).is_some_and(|declared| {
                !self.is_covered_by_reference(&declared.origin)
                    && !self.skip.as_ref().is_some_and(|skip| skip.declares(of))
            });
            (!bare || declared).then_some((of, supertypes, tags))
        })
        .collect()
    }

    /// Returns whether a reference includes definitions of this origin.
    fn is_covered_by_reference(&self, origin: &Origin) -> bool {
        let Origin::External(iri) = origin else { return false };
        self.lines.iter().any(|line| line.level == 2 && line.tag == "SCHMA" && *line.payload == **iri)
    }

    fn write_line(&mut self, level: u32, tag: &'static str, payload: &str) {
        self.lines.push(PreambleLine::new(level, tag, payload.to_owned()));
    }
}
