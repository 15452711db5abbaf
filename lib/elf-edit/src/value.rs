//! The payload that an edit sets.

use elf_tagged::write::Content;

/// The payload that an edit sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// The structure gets no payload. In December 2019, this is the same as an empty text.
    None,
    /// The payload is unescaped text. Each LF, CR or CR LF is a line break. In a DATE, text that looks like a calendar
    /// escape is a calendar escape (see [`Content::Text`]).
    Text(String),
    /// The payload is a pointer to this identifier, which is given without at signs.
    Pointer(String),
}

impl Value {
    /// Parses a payload as people write it. `@I1@` is a pointer, an empty text means no payload, and any other text is
    /// text.
    ///
    /// ```
    /// use elf_edit::Value;
    /// assert_eq!(Value::of("@I1@"), Value::Pointer("I1".to_owned()));
    /// assert_eq!(Value::of("@#DJULIAN@ 1540"), Value::Text("@#DJULIAN@ 1540".to_owned()));
    /// assert_eq!(Value::of(""), Value::None);
    /// ```
    pub fn of(text: &str) -> Value {
        let label = text.strip_prefix('@').and_then(|rest| rest.strip_suffix('@'));
        match label.filter(|label| !label.is_empty() && !label.starts_with('#') && !label.contains('@')) {
            Some(label) => Value::Pointer(label.to_owned()),
            None if text.is_empty() => Value::None,
            None => Value::Text(text.to_owned()),
        }
    }

    pub(crate) fn content(&self) -> Content<'_> {
        match self {
            Value::None => Content::None,
            Value::Text(text) => Content::Text(text),
            Value::Pointer(xref) => Content::Pointer(xref),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}
