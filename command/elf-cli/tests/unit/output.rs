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
    // Links that lead to each other lead nowhere.
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    std::os::unix::fs::symlink("other", &one).unwrap();
    std::os::unix::fs::symlink("one", &other).unwrap();
    assert!(Output::create(&one).is_err());
    assert!(fs::symlink_metadata(&one).unwrap().is_symlink());
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

#[test]
fn a_file_that_changed_since_it_was_read_is_left_alone() {
    use crate::io::{Input, open};
    use crate::progress::Meter;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.ged");
    let edit = |between: &dyn Fn()| {
        fs::write(&path, "0 HEAD\n").unwrap();
        let Input::Whole(octets) = open(&path, &Meter::default()).unwrap() else { panic!("it is small") };
        between();
        let mut output = Output::create(&path).unwrap();
        output.write_all(&octets).unwrap();
        output.write_all(b"0 TRLR\n").unwrap();
        output.finish()
    };
    edit(&|| {}).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"0 HEAD\n0 TRLR\n");
    // Longer, of the same length, another file, and none.
    edit(&|| fs::write(&path, "0 HEAD\n0 @I1@ INDI\n").unwrap()).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), b"0 HEAD\n0 @I1@ INDI\n");
    edit(&|| fs::remove_file(&path).unwrap()).unwrap_err();
    assert!(!path.exists());
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    let touch = || File::options().write(true).open(&path).and_then(|file| file.set_modified(later)).unwrap();
    let error = edit(&touch).unwrap_err();
    assert!(error.to_string().contains("changed after it was read"), "{error}");
    // A time that is put back, and rights that were taken away.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let put_back = || {
            let was = fs::metadata(&path).unwrap().modified().unwrap();
            // Times are as exact as the clock of the system that counts them.
            std::thread::sleep(std::time::Duration::from_millis(20));
            fs::write(&path, "0 head\n").unwrap();
            File::options().write(true).open(&path).and_then(|file| file.set_modified(was)).unwrap();
        };
        edit(&put_back).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"0 head\n");
        edit(&|| fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap()).unwrap_err();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside");
}

#[cfg(target_os = "linux")]
#[test]
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn what_is_written_while_a_file_is_replaced_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let [place, other] = ["in.ged", "other.ged"].map(|name| folder.path().join(name));
    for file in [&place, &other] {
        fs::write(file, "").unwrap();
    }
    if let Err(error) = crate::io::unfinished::exchange(&place, &other) {
        eprintln!("files do not exchange their names here, nothing is tested: {error}");
        return;
    }
    fs::remove_file(&other).unwrap();
    // What another program does between the exchange of the names and the look at what came back.
    let replace = |meanwhile: &dyn Fn(&Path) -> io::Result<()>| {
        fs::write(&place, "old").unwrap();
        let (mut file, mut beside) = Unfinished::create_beside(&place).unwrap();
        file.write_all(b"new").unwrap();
        beside.replace(&place, meanwhile)
    };
    let read_all = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<String> = names.map(|name| fs::read_to_string(name).unwrap()).collect();
        all.sort();
        all
    };
    replace(&|_| Ok(())).unwrap();
    assert_eq!(read_all(), ["new"]);
    replace(&|old| fs::write(old, "other").and(Err(ErrorKind::Other.into()))).unwrap_err();
    assert_eq!(read_all(), ["other"]);
    // A program that writes to the new file at once, and one that puts its own there.
    let error = replace(&|old| {
        fs::write(old, "other")?;
        fs::write(&place, "new and more")?;
        Err(ErrorKind::Other.into())
    });
    assert!(error.unwrap_err().to_string().contains(".elf-"));
    assert_eq!((fs::read_to_string(&place).unwrap().as_str(), read_all().len()), ("other", 2));
    assert!(read_all().contains(&"new and more".to_owned()));
    // One that takes the file away.
    let removed = replace(&|_| fs::remove_file(&place).and(Err(ErrorKind::Other.into())));
    assert!(removed.unwrap_err().to_string().contains(".elf-"));
    assert!(!place.exists() && read_all().contains(&"old".to_owned()));
}

#[cfg(unix)]
#[test]
fn what_would_surprise_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("in.ged"), folder.path().join("other.ged"));
    fs::write(&path, "before").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let refused = |path: &Path| Output::create(path).err().unwrap().to_string();
    assert_eq!(refused(&path), "it is read-only");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6754)).unwrap();
    fs::hard_link(&path, &other).unwrap();
    assert!(refused(&path).contains("it is a hard link") && refused(&other).contains("it is a hard link"));
    fs::remove_file(&other).unwrap();
    let output = Output::create(&path).unwrap();
    output.finish().unwrap();
    // Nothing new runs with the rights of another.
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o754);
}

#[test]
fn a_name_may_be_as_long_as_the_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.ged", "n".repeat(251)));
    for text in [&b"one"[..], b"two"] {
        let mut output = Output::create(&path).unwrap();
        output.write_all(text).unwrap();
        output.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), text);
    }
}

/// A list of access control in which another user may read and write, and the group may do nothing.
#[cfg(target_os = "linux")]
fn access_list() -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    let entries =
        [(1_u16, 6_u16, u32::MAX), (2, 6, 12345), (4, 0, u32::MAX), (16, 6, u32::MAX), (32, 0, u32::MAX)];
    for (tag, rights, whose) in entries {
        list.extend(tag.to_le_bytes().iter().chain(&rights.to_le_bytes()).chain(&whose.to_le_bytes()));
    }
    list
}

#[cfg(target_os = "linux")]
#[test]
#[allow(clippy::print_stderr, reason = "a test that is passed over says so")]
fn lists_of_access_control_stay() {
    use rustix::buffer::spare_capacity;
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    use std::os::unix::fs::PermissionsExt;
    const LIST: &str = "system.posix_acl_access";
    let get = |path: &Path, name: &str| {
        let mut value = Vec::with_capacity(1 << 16);
        getxattr(path, name, spare_capacity(&mut value)).ok().map(|_| value)
    };
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.ged");
    fs::write(&path, "before").unwrap();
    if setxattr(&path, LIST, &access_list(), XattrFlags::empty()).is_err() {
        eprintln!("files have no lists of access control here: nothing is tested");
        return;
    }
    let has_notes = setxattr(&path, "user.note", b"mine", XattrFlags::empty()).is_ok();
    let (list, rights) = (get(&path, LIST), mode(&path));
    let mut output = Output::create(&path).unwrap();
    output.write_all(b"after").unwrap();
    output.finish().unwrap();
    let copy = crate::io::backup(&path).unwrap();
    for path in [&path, &copy] {
        assert_eq!((get(path, LIST), mode(path)), (list.clone(), rights), "{}", path.display());
        assert_eq!(get(path, "user.note").is_some(), has_notes, "{}", path.display());
    }
    // What a folder gives to new files is not given to what takes the place of one without.
    let plain = folder.path().join("plain.ged");
    fs::write(&plain, "before").unwrap();
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o640)).unwrap();
    setxattr(folder.path(), "system.posix_acl_default", &access_list(), XattrFlags::empty()).unwrap();
    let mut output = Output::create(&plain).unwrap();
    output.write_all(b"after").unwrap();
    output.finish().unwrap();
    assert_eq!((get(&plain, LIST), mode(&plain)), (None, 0o640));
}
