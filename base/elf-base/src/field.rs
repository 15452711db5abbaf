//! Fields of tab-separated lines.

/// Appends a field of a tab-separated line. Tabs, line breaks and backslashes in it become `\t`, `\n`, `\r` and `\\`.
///
/// ```
/// let mut line = String::from("PLAC\t");
/// elf_base::push_field(&mut line, "a\tb\nc\\d");
/// assert_eq!(line, "PLAC\ta\\tb\\nc\\\\d");
/// ```
pub fn push_field(line: &mut String, field: &str) {
    for char in field.chars() {
        match char {
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\\' => line.push_str("\\\\"),
            char => line.push(char),
        }
    }
}
