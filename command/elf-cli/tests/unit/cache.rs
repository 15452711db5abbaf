//! Kept schemas come back whole, or not at all.

use super::*;

fn cache(folder: &std::path::Path) -> Cache {
    Cache { folder: Some(folder.join("elf")) }
}

#[test]
fn what_is_kept_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut kept = CachedSchema::new(b"0 HEAD\n\n\xFF".to_vec());
    kept.etag = Some("\"1: 2\"".to_owned());
    cache(folder.path()).keep("https://e.example/a", &kept);
    assert_eq!(cache(folder.path()).kept("https://e.example/a"), Some(kept.clone()));
    assert_eq!(cache(folder.path()).kept("https://e.example/b"), None);
    let newer = CachedSchema::new(Vec::new());
    cache(folder.path()).keep("https://e.example/a", &newer);
    assert_eq!(cache(folder.path()).kept("https://e.example/a"), Some(newer));
}

#[test]
fn what_takes_a_password_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let iri = "https://ada:secret@e.example/a";
    cache(folder.path()).keep(iri, &CachedSchema::new(Vec::new()));
    assert_eq!(cache(folder.path()).kept(iri), None);
    assert!(!folder.path().join("elf").exists());
}

#[test]
fn what_was_not_written_here_is_nothing() {
    let iri = "https://e.example/a";
    let good = head(iri, &CachedSchema::new(Vec::new()));
    assert!(parse(good.as_bytes(), iri).is_some());
    assert!(parse(good.as_bytes(), "https://e.example/b").is_none(), "another one of the same name");
    for bad in ["", "\n\n", "elf schema cache 2\niri: https://e.example/a\n\n", "0 HEAD\n0 TRLR\n\n"] {
        assert!(parse(bad.as_bytes(), iri).is_none(), "{bad:?}");
    }
    for end in 0..good.len() {
        assert!(parse(&good.as_bytes()[..end], iri).is_none(), "cut at {end}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a file is damaged here")]
fn what_was_damaged_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let iri = "https://e.example/a";
    cache(folder.path()).keep(iri, &CachedSchema::new(b"0 HEAD\n0 TRLR\n".to_vec()));
    let path = folder.path().join("elf").join(file_name(iri));
    let whole = std::fs::read(&path).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(cache(folder.path()).kept(iri), None, "cut at {length}");
    }
    let at = whole.len() - 3;
    let damaged = [&whole[..at], b"x", &whole[at + 1..]].concat();
    std::fs::write(&path, damaged).unwrap();
    assert_eq!(cache(folder.path()).kept(iri), None);
    std::fs::write(&path, whole).unwrap();
    assert!(cache(folder.path()).kept(iri).is_some());
}

#[test]
fn names_are_short_and_plain() {
    let long = format!("https://e.example/{}", "../é%".repeat(1000));
    let name = file_name(&long);
    assert!(name.len() < 100 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "{name}");
    assert_ne!(file_name(&long), file_name(&format!("{long}x")));
}
