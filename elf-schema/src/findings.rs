//! Collects findings about a schema, to report them in the order of the file.

use crate::definitions::Reference;
use crate::raw::At;
use elf_base::{Code, Diagnostic, Related, Rules, Sink, without_credentials};
use elf_tagged::Document;
use std::borrow::Cow;

/// A place in one of the documents of a schema: 0 is the file, external schemas follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Where {
    pub(crate) document: usize,
    pub(crate) at: At,
}

#[derive(Debug)]
pub(crate) struct Finding {
    code: Code,
    at: Where,
    message: Cow<'static, str>,
    related: Vec<(Where, &'static str)>,
    help: Option<Cow<'static, str>>,
}

#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) list: Vec<Finding>,
}

impl Finding {
    pub(crate) fn new(code: Code, at: Where, message: impl Into<Cow<'static, str>>) -> Finding {
        Finding { code, at, message: message.into(), related: Vec::new(), help: None }
    }

    pub(crate) fn related(mut self, other: Where, label: &'static str) -> Finding {
        self.related.push((other, label));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Finding {
        self.help = Some(help.into());
        self
    }
}

impl Findings {
    pub(crate) fn push(&mut self, finding: Finding) {
        self.list.push(finding);
    }

    /// Reports the findings in the order of the file. Findings about an external schema are reported where the file
    /// refers to it; `references` are the references whose documents were read, in order.
    pub(crate) fn report(
        mut self,
        document: &Document<'_>,
        references: &[&Reference],
        rules: &Rules,
        sink: &mut dyn Sink,
    ) {
        self.list.sort_by_key(|finding| (finding.at.document, finding.at.at.span.start));
        let mut locator = document.locator();
        for finding in self.list {
            let Where { document, at } = finding.at;
            let outside = document.checked_sub(1).and_then(|index| references.get(index));
            let mut diagnostic = match outside {
                None => {
                    let excerpt = locator.excerpt(at.span);
                    Diagnostic::new(finding.code, rules, finding.message).at(at.place, excerpt)
                }
                Some(reference) => {
                    let line = at.place.line;
                    let message = format!(
                        "in `{}`, line {line}: {}",
                        without_credentials(&reference.iri),
                        finding.message
                    );
                    let diagnostic = Diagnostic::new(finding.code, rules, message);
                    match reference.provenance.place {
                        Some(place) => diagnostic.at(place, None),
                        None => diagnostic,
                    }
                }
            };
            for (other, label) in finding.related {
                let outside = other.document.checked_sub(1).and_then(|index| references.get(index));
                diagnostic = match outside {
                    None => {
                        let excerpt = locator.excerpt(other.at.span);
                        diagnostic.related(Related::new(label, other.at.place, excerpt))
                    }
                    Some(reference) => {
                        let line = other.at.place.line;
                        let iri = without_credentials(&reference.iri);
                        let label =
                            format!("{label}, in line {line} of `{iri}`, which the file refers to here");
                        match reference.provenance.place {
                            Some(place) => diagnostic.related(Related::new(label, place, None)),
                            None => diagnostic,
                        }
                    }
                };
            }
            if let Some(help) = finding.help {
                diagnostic = diagnostic.help(help);
            }
            sink.report(diagnostic);
        }
    }
}
