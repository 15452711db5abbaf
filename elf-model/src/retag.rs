//! Choosing tags for types by a schema (J19 §3.2).

use crate::dataset::Dataset;
use crate::header::SchemaLine;
use crate::nodes::NONE;
use crate::structure::Structure;
use crate::types::TypedBy;
use elf_base::{Diagnostic, codes};
use elf_schema::{Rules, Schema, SchemaForm, Sink, Tagger, TypeId, term};
use hashbrown::HashMap;
use std::sync::Arc;

/// In place of the number of a superstructure's type, as a dataset has fewer types.
const METADATA: u32 = NONE - 1;
const DOCUMENT: u32 = NONE - 2;

impl Dataset {
    /// Chooses tags so that each structure keeps its type in a file of `rules`, and puts the schema that
    /// defines them into the header: `schema`, and new definitions for types that it has no tag for. If
    /// `schema` is in force anyway, the header needs none.
    ///
    /// The supertypes of the types in use are defined too. A structure whose type cannot have a tag there is
    /// reported and keeps its tag. Structures without a type keep theirs as well. The drafts of 2017 have no
    /// schemas; for them only tags are chosen.
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
                // New tags must differ from undefined ones in use.
                Some(iri) => {
                    if let Some(tag) = term::undefined_tag(iri) {
                        tagger.avoid(tag);
                    }
                }
                None => tagger.avoid(structure.tag()),
            }
        }
        self.add_supertypes_to(&mut tagger, rules, sink);
        // The tags by the types of superstructure and structure; `None` if there can be none.
        let mut chosen: HashMap<(u32, u32), Option<u32>> = HashMap::new();
        for id in 0..self.count() {
            let structure = Structure { dataset: &self, id };
            let Some(iri) = structure.structure_type() else { continue };
            let above = match structure.superstructure() {
                Some(above) => above.data().structure_type,
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
            let key = (above, structure.data().structure_type);
            let tag = match chosen.get(&key) {
                Some(tag) => *tag,
                None => {
                    let tag = match tagger.tag(superstructure, iri) {
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
            if let Some(tag) = tag {
                self.nodes.update(id, |node| node.tag = tag);
            }
        }
        let lines = tagger.schema().to_lines(rules, form);
        self.header.schema = lines.map(|lines| {
            lines.iter().map(|line| SchemaLine::new(line.level, &*line.tag, &*line.payload)).collect()
        });
        self.typed_by = Some(TypedBy::schema(Arc::new(tagger.into_schema())));
        self
    }

    /// Adds the supertypes of the types in use to a tagger. If the rules have no schemas, reports that these
    /// are lost.
    fn add_supertypes_to(&self, tagger: &mut Tagger, rules: &Rules, sink: &mut dyn Sink) {
        if rules.schema.mechanism.is_dictionary() {
            let own = self.types.edges().filter(|(of, _)| Schema::completed().type_of(of).is_none());
            let count = own.count();
            if count > 0 {
                let message =
                    format!("these rules have no place for supertypes; {count} of them are left out");
                sink.report(Diagnostic::new(codes::SCHEMA_CANNOT_BE_WRITTEN, rules, message));
            }
            return;
        }
        for (of, supertype) in self.types.edges() {
            if let Err(error) = tagger.supertype(of, supertype) {
                sink.report(Diagnostic::new(error.code(), rules, error.to_string()));
            }
        }
    }
}
