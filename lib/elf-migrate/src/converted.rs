//! The result of converting a payload to GEDCOM 7.0.

use std::borrow::Cow;

/// A payload of GEDCOM 5.5.1, converted to GEDCOM 7.0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted7<'t> {
    pub(crate) payload: Cow<'t, str>,
    /// The text for a `PHRASE`: what the payload cannot express.
    pub(crate) phrase: Option<Cow<'t, str>>,
    /// True if the payload expresses nothing of the text, so that the phrase has to be kept.
    pub(crate) is_unread: bool,
}

impl<'t> Converted7<'t> {
    /// A payload that expresses the whole text.
    pub(crate) fn exact(payload: impl Into<Cow<'t, str>>) -> Converted7<'t> {
        Converted7 { payload: payload.into(), phrase: None, is_unread: false }
    }

    /// A payload that needs a phrase.
    pub(crate) fn with_phrase(
        payload: impl Into<Cow<'t, str>>,
        phrase: impl Into<Cow<'t, str>>,
    ) -> Converted7<'t> {
        Converted7 { payload: payload.into(), phrase: Some(phrase.into()), is_unread: false }
    }

    /// A payload that expresses nothing of `text`.
    pub(crate) fn unread(payload: impl Into<Cow<'t, str>>, text: impl Into<Cow<'t, str>>) -> Converted7<'t> {
        Converted7 { is_unread: true, ..Converted7::with_phrase(payload, text) }
    }

    /// Returns whether the payload is `text` and expresses all of it.
    pub(crate) fn is_exactly(&self, text: &str) -> bool {
        self.payload == text && self.phrase.is_none() && !self.is_unread
    }
}
