//! Charts and trees as SVG, of made people and of the corpus.

mod corpus;
mod pictures;
