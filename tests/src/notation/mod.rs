//! How vectors and messages write structures: [`tree`] has the structures, [`text`] escapes their text.

pub mod text;
pub mod tree;
