//! The payload that an edit gives a structure.

use elf_tagged::write::Content;

/// The payload that an edit gives a structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// No payload. December 2019 treats this as an empty text.
    None,
    /// Unescaped text. Each LF, CR or CR LF is a line break. In a DATE, text that looks like a
    /// calendar escape is one (see [`Content::Text`]).
    Text(String),
    /// A pointer to this identifier, given without at signs.
    Pointer(String),
}

impl Value {
    /// Parses a payload as people write it: `@I1@` is a pointer, an empty text is no payload, and
    /// any other text is text.
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
