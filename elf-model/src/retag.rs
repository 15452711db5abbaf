//! Chooses tags for types by a schema (J19 §3.2).

use crate::dataset::Dataset;
use crate::header::SchemaLine;
use crate::nodes::NONE;
use crate::structure::Structure;
use crate::types::TypedBy;
use elf_base::{Diagnostic, codes};
use elf_schema::{Resolver, Rules, Schema, SchemaForm, Sink, TagError, Tagger, TypeId, term};
use hashbrown::HashMap;
use indexmap::IndexMap;
use std::sync::Arc;

/// The number that is used for the type of the superstructure of top metadata. No dataset has this number of types.
const METADATA: u32 = NONE - 1;
const DOCUMENT: u32 = NONE - 2;

/// The old and the new tag of the structures of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TagChange {
    from: u32,
    to: u32,
    structure_type: u32,
}

/// Chooses the tag of a structure. The structure keeps its tag if that is an extension tag. The structure also keeps
/// its tag if a standard gives this type to the tag, or if `legitimate`, the resolver of the dataset's schema, gives
/// this type to it.
fn choose_tag(
    tagger: &mut Tagger,
    legitimate: Option<&mut Resolver>,
    superstructure: &str,
    structure: Structure<'_>,
) -> Result<Arc<str>, TagError> {
    let (own, iri) = (structure.tag(), structure.structure_type().unwrap_or_default());
    let is_standard =
        |standard: &Schema| standard.tags_of(iri, superstructure).into_iter().any(|tag| tag == own);
    let is_defined = |resolver: &mut Resolver| {
        let above = match structure.superstructure() {
            Some(_) => resolver.type_of(superstructure),
            None if structure.is_metadata() => Some(TypeId::METADATA),
            None => Some(TypeId::DOCUMENT),
        };
        above.is_some_and(|above| {
            let of = resolver.resolve(above, own);
            resolver.iri(of) == Some(iri)
        })
    };
    let may_keep = own.starts_with('_')
        || is_standard(Schema::completed())
        || is_standard(Schema::gedcom_7())
        || legitimate.is_some_and(is_defined);
    if may_keep { tagger.tag_or_own(superstructure, iri, own) } else { tagger.tag(superstructure, iri) }
}

impl Dataset {
    /// Chooses tags in such a way that each structure keeps its type in a file under `rules`. Adds the schema that
    /// defines these tags to the header. This schema is `schema`, with new definitions for types without a tag. A
    /// schema that readers use by default is not added.
    ///
    /// A structure keeps its tag if `schema` gives its type to the tag. A structure also keeps its tag if `schema` has
    /// no tag for the type there and the tag is unused. Each changed tag is reported as E0502. Unless you want other
    /// tags, pass the schema of the dataset, or that of GEDCOM 7 for a dataset of GEDCOM 7.
    ///
    /// The supertypes of the types in use are defined too. If the type of a structure cannot have a tag at its place,
    /// the structure is reported and keeps its tag. Structures without a type also keep their tags. The drafts of 2017
    /// have no schemas, so for them only tags are chosen.
    ///
    /// ```
    /// use elf_model::{DatasetBuilder, ReadOptions, Rules, Schema, SchemaForm, WriteOptions};
    ///
    /// let mut builder = DatasetBuilder::new(Schema::completed());
    /// builder.record("INDI").open("SHOE").structure_type("https://e.example/Shoe").text("9");
    /// let rules = &Rules::JANUARY_2019;
    /// let dataset = builder.finish()?.tagged_by(Schema::published(), rules, SchemaForm::Reference, &mut ());
    /// let mut octets = Vec::new();
    /// elf_model::write(&dataset, &mut octets, rules, &WriteOptions::new(), &mut ())?;
    /// assert!(String::from_utf8_lossy(&octets).contains("0 INDI\n1 _SHOE 9\n"));
    /// assert_eq!(elf_model::read(&octets, rules, &ReadOptions::default(), &mut ())?, dataset);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tagged_by(
        mut self,
        schema: &Schema,
        rules: &Rules,
        form: SchemaForm,
        sink: &mut dyn Sink,
    ) -> Dataset {
        let mut tagger = Tagger::new(schema);
        for structure in self.structures() {
            match structure.structure_type() {
                // A new tag must differ from the undefined tags that are in use.
                Some(iri) => {
                    if let Some(tag) = term::undefined_tag(iri) {
                        tagger.avoid(tag);
                    }
                }
                None => tagger.avoid(structure.tag()),
            }
        }
        self.add_supertypes_to(&mut tagger, rules, sink);
        let mut legitimate = self.typed_by.as_ref().map(TypedBy::new_resolver);
        // The new tags. The key is the superstructure's type, the structure's type and its old tag. `None` if no tag is
        // possible.
        let mut chosen: HashMap<(u32, u32, u32), Option<u32>> = HashMap::new();
        let mut changed: IndexMap<TagChange, u64> = IndexMap::new();
        for id in 0..self.node_count() {
            let structure = Structure { dataset: &self, id };
            if structure.structure_type().is_none() {
                continue;
            }
            let above = match structure.superstructure() {
                Some(above) => above.node().structure_type,
                None if structure.is_metadata() => METADATA,
                None => DOCUMENT,
            };
            let superstructure = match above {
                NONE => continue,
                // An empty schema has no types.
                METADATA => schema.iri(TypeId::METADATA).unwrap_or_default(),
                DOCUMENT => schema.iri(TypeId::DOCUMENT).unwrap_or_default(),
                above => &self.types[above],
            };
            let (structure_type, own) = (structure.node().structure_type, structure.node().tag);
            let key = (above, structure_type, own);
            let tag = match chosen.get(&key) {
                Some(tag) => *tag,
                None => {
                    let tag = match choose_tag(&mut tagger, legitimate.as_mut(), superstructure, structure) {
                        Ok(tag) => Some(self.tags.intern(&tag)),
                        Err(error) => {
                            sink.report(Diagnostic::new(error.code(), rules, error.to_string()));
                            None
                        }
                    };
                    chosen.insert(key, tag);
                    tag
                }
            };
            if let Some(tag) = tag.filter(|tag| *tag != own) {
                *changed.entry(TagChange { from: own, to: tag, structure_type }).or_insert(0) += 1;
                self.nodes.update(id, |node| node.tag = tag);
            }
        }
        for (change, count) in changed {
            sink.report(self.tag_change_finding(change, count, rules));
        }
        let lines = tagger.schema().to_lines(rules, form);
        self.header.schema = lines.map(|lines| {
            lines.iter().map(|line| SchemaLine::new(line.level, &*line.tag, &*line.payload)).collect()
        });
        self.typed_by = Some(TypedBy::of_schema(Arc::new(tagger.into_schema())));
        self
    }

    fn tag_change_finding(&self, change: TagChange, count: u64, rules: &Rules) -> Diagnostic {
        let [from, to] = [change.from, change.to].map(|tag| &self.tags[tag]);
        let iri = &self.types[change.structure_type];
        let structures = if count == 1 { "structure" } else { "structures" };
        let message = format!(
            "{count} {structures} with the tag `{from}` get the tag `{to}`, which has the type `{iri}`"
        );
        Diagnostic::new(codes::TAG_CHANGES, rules, message)
    }

    /// Adds the supertypes of the types in use to a tagger. If the rules have no schemas, reports that these supertypes
    /// are lost.
    fn add_supertypes_to(&self, tagger: &mut Tagger, rules: &Rules, sink: &mut dyn Sink) {
        if rules.schema.mechanism.is_dictionary() {
            let own = self.types.supertype_iris().filter(|(of, _)| Schema::completed().type_of(of).is_none());
            let count = own.count();
            if count > 0 {
                let message = format!("left out {count} supertypes: these rules do not have supertypes");
                sink.report(Diagnostic::new(codes::SCHEMA_CANNOT_BE_WRITTEN, rules, message));
            }
            return;
        }
        for (of, supertype) in self.types.supertype_iris() {
            if let Err(error) = tagger.add_supertype(of, supertype) {
                sink.report(Diagnostic::new(error.code(), rules, error.to_string()));
            }
        }
    }
}
