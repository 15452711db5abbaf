//! Converts between paths and `file` URIs.

use gen_lsp_types::Uri;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Returns the path of a file. Returns `None` for other URIs, such as that of an unsaved buffer.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let path = percent_decode(rest.strip_prefix("localhost").unwrap_or(rest))?;
    if cfg!(windows) {
        return Some(PathBuf::from(windows_path(path)));
    }
    path.starts_with('/').then(|| PathBuf::from(path))
}

/// Converts the part of a URI after `file://` to a path on Windows. `/c:/trees` becomes `c:/trees`,
/// and `server/trees` becomes a folder on another computer.
fn windows_path(part: String) -> String {
    match part.strip_prefix('/') {
        Some(path) if path.as_bytes().get(1) == Some(&b':') => path.to_owned(),
        Some(_) => part,
        None => format!("//{part}"),
    }
}

/// Reverses [`windows_path`]. The path may start with `\\?\`, as full paths on Windows do.
fn part_of_windows_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    if let Some(share) = path.strip_prefix("//?/UNC/") {
        return share.to_owned();
    }
    let path = path.strip_prefix("//?/").unwrap_or(&path);
    path.strip_prefix("//").map_or_else(|| format!("/{path}"), str::to_owned)
}

/// Returns the URI of a file. `path` must be absolute.
pub(crate) fn uri_of(path: &Path) -> Uri {
    let mut text = "file://".to_owned();
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { part_of_windows_path(&path) } else { path.into_owned() };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    Uri(text)
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (digits, behind) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = behind;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris_and_back() {
        for (path, uri) in [
            ("/trees/smith.ged", "file:///trees/smith.ged"),
            ("/a b/Müller%.ged", "file:///a%20b/M%C3%BCller%25.ged"),
        ] {
            assert_eq!(uri_of(Path::new(path)).0, uri);
            assert_eq!(path_of(&Uri(uri.to_owned())), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of(&Uri("file://localhost/a".to_owned())), Some(PathBuf::from("/a")));
        for other in ["untitled:Untitled-1", "file://host", "file:///%zz", "file:///%4"] {
            assert_eq!(path_of(&Uri(other.to_owned())), None, "{other}");
        }
    }

    #[test]
    fn paths_of_windows_become_uris_and_back() {
        for (path, part, back) in [
            (r"C:\trees\smith.ged", "/C:/trees/smith.ged", "C:/trees/smith.ged"),
            (r"\\?\C:\trees\smith.ged", "/C:/trees/smith.ged", "C:/trees/smith.ged"),
            (r"\\server\trees\smith.ged", "server/trees/smith.ged", "//server/trees/smith.ged"),
            (r"\\?\UNC\server\trees\smith.ged", "server/trees/smith.ged", "//server/trees/smith.ged"),
        ] {
            assert_eq!(part_of_windows_path(path), part);
            assert_eq!(windows_path(part.to_owned()), back);
        }
    }
}
