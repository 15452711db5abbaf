//! Tags from types: the way down by a schema (J19 §3.2).

use crate::dataset::{Dataset, SchemaLine};
use crate::nodes::NONE;
use crate::structure::Structure;
use crate::types::TypedBy;
use elf_base::{Diagnostic, codes};
use elf_schema::{Rules, Schema, SchemaForm, Sink, Tagger, TypeId, term};
use hashbrown::HashMap;
use std::sync::Arc;

impl Dataset {
    /// Chooses tags so that a file of `rules` gives each structure the type it has, and gives the header the
    /// schema that says so: `schema`, and new definitions for types that it has no tag for. Where `schema` is
    /// the one in force anyway, the header needs none.
    ///
    /// Supertypes of the types in use go with them. A structure for whose type there can be no tag there
    /// keeps its own, and is reported. Structures without a type keep theirs too. The drafts of 2017 have no
    /// schemas; under them only tags are chosen.
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
                // New tags must not meet those that nothing defines.
                Some(iri) => term::undefined_tag(iri).into_iter().for_each(|tag| tagger.avoid(tag)),
                None => tagger.avoid(structure.tag()),
            }
        }
        self.supertypes_of_tagger(&mut tagger, rules, sink);
        let mut chosen: HashMap<(u32, u32), Option<u32>> = HashMap::new();
        for id in 0..self.count() {
            let structure = Structure { dataset: &self, id };
            let above = structure.superstructure();
            let of = structure.data().structure_type;
            let key = match above {
                Some(above) => above.data().structure_type,
                None if structure.is_metadata() => NONE - 1,
                None => NONE - 2,
            };
            if of == NONE || key == NONE {
                continue;
            }
            let tag = match chosen.get(&(key, of)) {
                Some(tag) => *tag,
                None => {
                    let superstructure = match above {
                        Some(above) => above.structure_type(),
                        None if structure.is_metadata() => schema.iri(TypeId::METADATA),
                        None => schema.iri(TypeId::DOCUMENT),
                    };
                    let iri = structure.structure_type().unwrap_or_default();
                    let tag = match tagger.tag(superstructure.unwrap_or_default(), iri) {
                        Ok(tag) => Some(self.intern_tag(&tag)),
                        Err(error) => {
                            sink.report(Diagnostic::new(error.code(), rules, error.to_string()));
                            None
                        }
                    };
                    chosen.insert((key, of), tag);
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

    /// Tells a tagger the supertypes of the types in use. Rules without schemas have no place for them, which
    /// is reported.
    fn supertypes_of_tagger(&self, tagger: &mut Tagger, rules: &Rules, sink: &mut dyn Sink) {
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

    fn intern_tag(&mut self, tag: &str) -> u32 {
        let index = match self.tags.get_index_of(tag) {
            Some(index) => index,
            None => self.tags.insert_full(tag.into()).0,
        };
        u32::try_from(index).unwrap_or(NONE)
    }
}
