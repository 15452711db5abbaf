//! The formats of findings.

/// A format of findings.
///
/// ```
/// use elf_report::findings::FindingFormat;
///
/// let json = FindingFormat::ALL.into_iter().find(|format| format.name() == "json");
/// assert_eq!(json, Some(FindingFormat::Json));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingFormat {
    /// Text for people, with an excerpt of the file.
    Human,
    /// One line per finding: `FILE:LINE:COLUMN: CLASS[CODE] MESSAGE`.
    Short,
    /// JSON Lines.
    Json,
    /// One log in SARIF 2.1.0 for all files.
    Sarif,
    /// Workflow commands of GitHub.
    Github,
}

impl FindingFormat {
    /// All formats.
    pub const ALL: [FindingFormat; 5] = [
        FindingFormat::Human,
        FindingFormat::Short,
        FindingFormat::Json,
        FindingFormat::Sarif,
        FindingFormat::Github,
    ];

    /// Returns the word for the format.
    pub const fn name(self) -> &'static str {
        match self {
            FindingFormat::Human => "human",
            FindingFormat::Short => "short",
            FindingFormat::Json => "json",
            FindingFormat::Sarif => "sarif",
            FindingFormat::Github => "github",
        }
    }

    /// Returns a description in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            FindingFormat::Human => "Text for people, with an excerpt of the file",
            FindingFormat::Short => "One finding per line: `FILE:LINE:COLUMN: CLASS[CODE] MESSAGE`",
            FindingFormat::Json => "JSON Lines",
            FindingFormat::Sarif => "One SARIF 2.1.0 log for all files",
            FindingFormat::Github => "GitHub workflow commands, which show findings next to the lines",
        }
    }
}
