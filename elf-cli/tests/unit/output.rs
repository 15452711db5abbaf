//! An output file appears whole, or not at all.

use super::*;

#[test]
fn an_output_appears_once_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.ged");
    fs::write(&path, "before").unwrap();
    let mut output = Output::create(&path).unwrap();
    output.write_all(b"after").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"before");
    output.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"after");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn an_output_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.ged");
    let mut output = Output::create(&path).unwrap();
    output.write_all(b"half").unwrap();
    drop(output);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.ged");
    fs::write(&path, "before").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.ged");
    std::os::unix::fs::symlink("out.ged", &link).unwrap();
    let mut output = Output::create(&link).unwrap();
    output.write_all(b"after").unwrap();
    output.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"after");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    // So is what a chain of links leads to where nothing is yet.
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    std::os::unix::fs::symlink("second", &first).unwrap();
    std::os::unix::fs::symlink("new.ged", &second).unwrap();
    let mut output = Output::create(&first).unwrap();
    output.write_all(b"new").unwrap();
    output.finish().unwrap();
    assert_eq!(fs::read(folder.path().join("new.ged")).unwrap(), b"new");
    assert!(fs::symlink_metadata(&first).unwrap().is_symlink());
}

#[test]
fn outputs_of_many_threads_do_not_take_each_other_for_unfinished() {
    let folder = tempfile::tempdir().unwrap();
    let write = |thread: usize| {
        for _ in 0..200 {
            let path = folder.path().join(format!("{thread}.ged"));
            let mut output = Output::create(&path).unwrap();
            output.write_all(b"whole").unwrap();
            output.finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"whole");
        }
    };
    std::thread::scope(|scope| (0..8).for_each(|thread| drop(scope.spawn(move || write(thread)))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 8);
}
