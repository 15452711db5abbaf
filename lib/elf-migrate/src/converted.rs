//! The result of converting a payload to GEDCOM 7.0.

use std::borrow::Cow;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted7<'t> {
    pub(crate) payload: Cow<'t, str>,
    /// The text for a `PHRASE`: the part of the original that the payload cannot express.
    pub(crate) phrase: Option<Cow<'t, str>>,
    /// True if the payload expresses nothing of the original, so the phrase must be kept.
    pub(crate) is_unread: bool,
}

impl<'t> Converted7<'t> {
    pub(crate) fn exact(payload: impl Into<Cow<'t, str>>) -> Converted7<'t> {
        Converted7 { payload: payload.into(), phrase: None, is_unread: false }
    }

    /// Creates a payload that needs a phrase.
    pub(crate) fn with_phrase(
        payload: impl Into<Cow<'t, str>>,
        phrase: impl Into<Cow<'t, str>>,
    ) -> Converted7<'t> {
        Converted7 { payload: payload.into(), phrase: Some(phrase.into()), is_unread: false }
    }

    /// Creates a payload that expresses nothing of `text`.
    pub(crate) fn unread(payload: impl Into<Cow<'t, str>>, text: impl Into<Cow<'t, str>>) -> Converted7<'t> {
        Converted7 { is_unread: true, ..Converted7::with_phrase(payload, text) }
    }

    /// Returns whether the payload is `text` and expresses all of it.
    pub(crate) fn is_exactly(&self, text: &str) -> bool {
        self.payload == text && self.phrase.is_none() && !self.is_unread
    }
}
