//! Inputs are read whole, as often as need be, and known under any name.

use super::*;

#[test]
fn reading_in_blocks_reads_everything() {
    let octets: Vec<u8> = (0..=255).cycle().take(3 * BLOCK + 17).collect();
    for size in [0, 1, octets.len() as u64, 10 * BLOCK as u64] {
        assert_eq!(read_blocks(&*octets, size).unwrap(), octets);
    }
}

#[test]
fn a_large_input_can_be_read_again_wherever_it_comes_from() {
    let octets: Vec<u8> = (0..=255).cycle().take(SMALL + 17).collect();
    let Input::Large(large) =
        opened(Meter::default().counting(Box::new(io::Cursor::new(octets.clone())), None), 0).unwrap()
    else {
        panic!("it is larger than small");
    };
    let mut file = large.into_file().unwrap();
    for _ in 0..2 {
        let mut read = Vec::new();
        file.read_to_end(&mut read).unwrap();
        assert!(read == octets);
        file.rewind().unwrap();
    }
}

#[test]
fn an_input_is_known_under_any_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.ged");
    fs::write(&path, "0 HEAD").unwrap();
    let other = folder.path().join("other.ged");
    fs::hard_link(&path, &other).unwrap();
    let around = folder.path().join(".").join("in.ged");
    assert!(is_same(&path, &path));
    assert!(is_same(&path, &around));
    assert!(is_same(&path, &other) || cfg!(not(unix)));
    assert!(!is_same(&path, &folder.path().join("new.ged")));
    assert!(!is_same(&path, folder.path()) && !is_same(&path, Path::new("-")));
}
