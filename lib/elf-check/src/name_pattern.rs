//! Patterns that exclude files from being checked.

use globset::{Glob, GlobSet, GlobSetBuilder};
use std::str::FromStr;

const LONGEST: usize = 4096;

/// A pattern for file names. `*` matches any characters, `?` matches one character, `[ab]` matches one of the
/// characters in brackets, and `{one,other}` matches either text. `\` escapes the next character.
///
/// ```
/// use elf_check::NamePattern;
///
/// let pattern: NamePattern = "old/*.ged".parse()?;
/// assert!(pattern.is_match("old/a.ged") && pattern.is_match("trees/old/a.ged") && !pattern.is_match("old/a.ged.gz"));
/// assert!("old/[a".parse::<NamePattern>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamePattern(GlobSet);

impl NamePattern {
    /// Returns whether the pattern matches `path`, or the end of `path` that starts with a file or folder name. A
    /// pattern that ends with a slash matches all paths inside such a folder.
    pub fn is_match(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

impl FromStr for NamePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<NamePattern, String> {
        if text.is_empty() || text.len() > LONGEST {
            return Err(format!("expected a pattern of at most {LONGEST} bytes, such as `old/*.ged`"));
        }
        let text = text.strip_prefix("./").unwrap_or(text);
        let mut globs =
            vec![text.to_owned(), format!("*/{}", text.trim_start_matches("**/")), text.replace("**/", "")];
        if let Some(folder) = text.strip_suffix('/') {
            globs.extend([format!("{folder}/*"), format!("*/{folder}/*")]);
        }
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            set.add(Glob::new(&glob).map_err(|error| error.kind().to_string())?);
        }
        set.build().map(NamePattern).map_err(|error| error.kind().to_string())
    }
}
