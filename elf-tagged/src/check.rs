//! What is wrong with the escapes of a payload (D19 *Identifying escapes*, *Permitted escapes*; J19 §5; O17 §6).

use crate::escape::{Token, tokens, unicode_characters};
use crate::tree::build::{Builder, Flow};
use elf_base::rules::{Escape, Metadata};
use elf_base::{Span, codes};

impl Builder<'_, '_> {
    /// Looks at the escapes in the payload of the line of `node`.
    #[cold]
    pub(crate) fn check_escapes(&mut self, node: u32) -> Flow {
        if self.first_record && self.rules.tagged.metadata == Metadata::Versions {
            return self.wait_for_escapes(node);
        }
        self.report_escapes(node);
        // None of the codes is malformed in any draft.
        Flow::Continue
    }

    pub(crate) fn report_escapes(&mut self, node: u32) {
        let grammar = self.rules.tagged.escape;
        let Some(&data) = self.nodes.get(node as usize) else { return };
        let payload = self.text.get(data.payload as usize..data.end as usize).unwrap_or_default();
        let mut bare = false;
        for (offset, token) in tokens(payload, grammar) {
            let start = data.payload + u32::try_from(offset).unwrap_or(0);
            let span = Span::new(start, start + u32::try_from(token.raw().len()).unwrap_or(0));
            match token {
                Token::Text(_) | Token::At => {}
                // Once a line: a payload of e-mail addresses says it once.
                Token::Bare if std::mem::replace(&mut bare, true) => {}
                Token::Bare => self.reporter.with_help(
                    codes::AT_SIGN_BARE,
                    span,
                    "an at sign is not doubled",
                    "it is read as an at sign; write `@@`",
                ),
                Token::Broken => self.reporter.with_help(
                    codes::ESCAPE_MALFORMED,
                    span,
                    "expected an escape sequence after `@#`, but found none",
                    "it is read as text; write `@@#` if text is meant",
                ),
                Token::Unicode(raw) => {
                    if unicode_characters(raw, grammar).is_none() {
                        self.reporter.with_help(
                            codes::UNICODE_ESCAPE_MALFORMED,
                            span,
                            "expected the hexadecimal numbers of characters, but found something else",
                            "the escape is kept as it is",
                        );
                    }
                }
                Token::Escape(_) => {
                    let permitted = match grammar {
                        Escape::Typed => token.escape_type() == Some('D'),
                        // Which tags preserve which types is known when the header is; dropping is the rule.
                        _ => true,
                    };
                    if !permitted {
                        self.reporter.with_help(
                            codes::ESCAPE_NOT_PERMITTED,
                            span,
                            "expected an escape of type U or D",
                            "the escape is kept as it is",
                        );
                    }
                }
            }
        }
    }
}
