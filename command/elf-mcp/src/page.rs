//! Pages of long answers. A cursor says where the next page starts, and in which version of the file.

use crate::error::ToolError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most bytes of the items of one page, as JSON.
pub(crate) const PAGE: usize = 6_000;

/// The most items of one page.
const MOST_ITEMS: usize = 100;

/// The arguments that ask for a page.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct PageArgs {
    /// `next_cursor` of the page before; leave it out for the first page.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
    /// The most items to return. A page may have fewer, so that it stays short.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub(crate) limit: Option<usize>,
}

/// A page of items.
#[derive(Clone, Debug)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next_cursor: Option<String>,
}

/// Makes pages of lists that belong to one version of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pager<'p> {
    version: &'p str,
    start: usize,
    most: usize,
    /// The bytes that the items may take.
    room: usize,
}

impl<'p> Pager<'p> {
    /// Reads the arguments.
    pub(crate) fn new(args: &PageArgs, version: &'p str) -> Result<Pager<'p>, ToolError> {
        let start = match args.cursor.as_deref() {
            None | Some("") => 0,
            Some(cursor) => start_of(cursor, version)?,
        };
        let most = match args.limit {
            Some(0) => return Err(ToolError::new("`limit` must be at least 1")),
            limit => limit.unwrap_or(MOST_ITEMS).min(MOST_ITEMS),
        };
        Ok(Pager { version, start, most, room: PAGE })
    }

    /// Leaves room for the rest of an answer.
    pub(crate) fn with_room_for(self, rest: &impl Serialize) -> Pager<'p> {
        let taken = serde_json::to_vec(rest).map_or(PAGE, |json| json.len());
        Pager { room: PAGE.saturating_sub(taken), ..self }
    }

    /// Makes the page of a list. At least one item is returned, however long it is.
    pub(crate) fn page<S, T: Serialize>(
        self,
        all: impl IntoIterator<Item = S>,
        mut make: impl FnMut(S) -> T,
    ) -> Page<T> {
        let mut page = Page { items: Vec::new(), next_cursor: None };
        let mut bytes = 0;
        for (at, one) in all.into_iter().enumerate().skip(self.start) {
            if page.items.len() == self.most {
                page.next_cursor = Some(self.cursor(at));
                break;
            }
            let item = make(one);
            bytes += serde_json::to_vec(&item).map_or(PAGE, |json| json.len());
            if bytes > self.room && !page.items.is_empty() {
                page.next_cursor = Some(self.cursor(at));
                break;
            }
            page.items.push(item);
        }
        page
    }

    fn cursor(self, at: usize) -> String {
        format!("{at}:{}", self.version)
    }
}

fn start_of(cursor: &str, version: &str) -> Result<usize, ToolError> {
    let parts = cursor.split_once(':').and_then(|(at, version)| Some((at.parse::<usize>().ok()?, version)));
    match parts {
        Some((at, of)) if of == version => Ok(at),
        Some(_) => Err(ToolError::new(
            "the file has changed since this cursor was made: start again without a cursor",
        )),
        None => {
            Err(ToolError::new("`cursor` is not one that this server has made: start again without a cursor"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(cursor: Option<&str>, limit: Option<usize>) -> PageArgs {
        PageArgs { cursor: cursor.map(str::to_owned), limit }
    }

    #[test]
    fn pages_follow_each_other() {
        let first = Pager::new(&args(None, Some(2)), "v").expect("a page").page(0..5, |n| n);
        assert_eq!((first.items, first.next_cursor.as_deref()), (vec![0, 1], Some("2:v")));
        let last = Pager::new(&args(Some("4:v"), Some(2)), "v").expect("a page").page(0..5, |n| n);
        assert_eq!((last.items, last.next_cursor), (vec![4], None));
        let long = "x".repeat(4_000);
        let page = Pager::new(&args(None, None), "v").expect("a page").page([&long; 3], |text| text);
        assert_eq!((page.items.len(), page.next_cursor.as_deref()), (1, Some("1:v")));
    }

    #[test]
    fn wrong_cursors_are_refused() {
        for (cursor, limit, part) in
            [(Some("2:w"), None, "has changed"), (Some("x"), None, "not one"), (None, Some(0), "at least 1")]
        {
            let error = Pager::new(&args(cursor, limit), "v").expect_err("an error").to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
