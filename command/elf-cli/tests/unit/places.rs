//! No output takes the place of an input or of another.

use super::*;
use crate::io::Source;

fn listed(name: &str) -> Listed {
    let path = PathBuf::from(name);
    Listed { name: path.clone(), beneath: path.clone(), source: Source::File(path), size: None }
}

#[test]
fn no_two_files_have_a_place() {
    let names = ["a.ged", "A.ged", "b/a.ged", "../x.ged", "-", "./b//./a.ged", "m.ged"];
    let files = names.map(listed);
    let mut places = Places::new(Path::new("out"), files.iter(), [], Some(Path::new("out/M.ged")));
    let given: Vec<Result<PathBuf, String>> = files.iter().map(|file| places.take(file)).collect();
    assert_eq!(given[0], Ok(Path::new("out").join("a.ged")));
    assert!(given[1].as_ref().is_err_and(|reason| reason.ends_with("is that of `a.ged`")), "{given:?}");
    assert_eq!(given[2], Ok(Path::new("out").join("b/a.ged")));
    assert!(given[3..].iter().all(Result::is_err), "{given:?}");
    assert!(places.take(&files[1]).is_err(), "it is taken still");
}

#[test]
fn no_place_is_an_input_and_no_copy_overwrites_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.ged");
    fs::write(&path, "one").expect("a file");
    let file = Listed { beneath: "a.ged".into(), ..listed(&path.to_string_lossy()) };
    assert!(Places::new(folder.path(), [&file].into_iter(), [], None).take(&file).is_err());
    let elsewhere = folder.path().join("out");
    assert!(Places::new(&elsewhere, [&file].into_iter(), [], None).take(&file).is_ok());
    let other = listed("a.ged");
    assert!(Places::new(folder.path(), [&other].into_iter(), [&*path], None).take(&other).is_err());
    let first = backup(&path).expect("a copy");
    fs::write(&path, "two").expect("a file");
    let second = backup(&path).expect("a copy");
    let contents = [first, second].map(|copy| fs::read_to_string(copy).expect("a copy"));
    assert_eq!(contents, ["one", "two"]);
}
