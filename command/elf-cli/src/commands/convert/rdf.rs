//! `elf convert --format turtle` and `jsonld`: typed structures as RDF.

use super::manifest::Digested;
use super::{Converter, Failure, WrittenConversion};
use crate::args::{self, ConvertFormat};
use crate::io::{self, Input, Listed, Output};
use elf_archive::is_gedzip;
use elf_convert::{Convert, ConvertError};
use elf_rdf::{Base, RdfFormat, RdfWriter};
use elf_tagged::Encoding;
use elf_tagged::write::WriteError;
use std::path::{Component, Path};

/// Returns the reason why the arguments contradict one another, if they do.
pub(super) fn find_contradiction(args: &args::Convert) -> Option<&'static str> {
    let is_of_lines = args.to_rules.is_some()
        || args.define
        || args.bom
        || args.width.is_some()
        || args.line_break.is_some()
        || args.encoding != Encoding::Utf8;
    let to_gedzip = args.output.as_ref().is_some_and(|output| is_gedzip(&output.to_string_lossy()));
    match args.format.rdf() {
        None if args.base.is_some() => Some("`--base` needs `--format turtle` or `--format jsonld`"),
        None => None,
        Some(_) if is_of_lines => Some(
            "`--format turtle` and `jsonld` write RDF in UTF-8: leave out `--to-rules`, `--define`, `--encoding`, \
             `--bom`, `--width` and `--line-break`",
        ),
        Some(_) if to_gedzip => {
            Some("a `.gdz` archive must contain GEDCOM 7.0: `--format turtle` and `jsonld` write RDF")
        }
        Some(_) => None,
    }
}

impl Converter<'_> {
    /// Writes a file as RDF.
    pub(super) fn convert_to_rdf(
        self,
        file: &Listed,
        input: &mut Input,
        place: &Path,
        format: RdfFormat,
    ) -> Result<WrittenConversion, Failure> {
        let base = base_of(self.args, file);
        let how = Convert::new(self.args.reading.rules())
            .with_reading(self.options.clone())
            .with_writing(elf_convert::WriteOptions::new().with_partial(self.args.partial));
        let mut writer: Option<RdfWriter<Digested<Output>>> = None;
        let converted = how.for_each_run(input, |run| {
            let writer = match &mut writer {
                Some(writer) => writer,
                None => {
                    let out = self.open_file(place).map_err(WriteError::from)?;
                    writer.insert(RdfWriter::new(out, format, &base, run.schema()))
                }
            };
            Ok(writer.add_run(run).map_err(WriteError::from)?)
        })?;
        let writer = writer.ok_or(ConvertError::Write(WriteError::Empty))?;
        let (out, digest) = writer.finish().map_err(WriteError::from).map_err(ConvertError::from)?.finish();
        out.finish().map_err(WriteError::from).map_err(ConvertError::from)?;
        Ok(WrittenConversion { converted, digest })
    }
}

/// The IRI of a file: the one that was given, with the path under it if there are several files; otherwise one with
/// the name of the file.
fn base_of(args: &args::Convert, file: &Listed) -> Base {
    let Some(base) = &args.base else {
        let is_standard = file.source.path_on_disk().is_some_and(io::is_standard);
        let name = if is_standard { None } else { file.name.file_name() };
        return Base::of_file_name(&name.map_or("stdin".into(), |name| name.to_string_lossy()));
    };
    if args.out_dir.is_none() {
        return base.clone();
    }
    let steps = file.path_in_folder.components().filter_map(|step| match step {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    base.join(steps.collect::<Vec<_>>().iter().map(|step| &**step))
}

impl ConvertFormat {
    /// The format of RDF, if it is one.
    pub(super) const fn rdf(self) -> Option<RdfFormat> {
        match self {
            ConvertFormat::Human | ConvertFormat::Json => None,
            ConvertFormat::Turtle => Some(RdfFormat::Turtle),
            ConvertFormat::Jsonld => Some(RdfFormat::JsonLd),
        }
    }
}
