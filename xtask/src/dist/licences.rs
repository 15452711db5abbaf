//! The licences of the software of other people that is linked into a product. Most of these licences demand that their
//! text goes with the binary.

use super::staging::{files_under, output_of, read};
use super::tools::Tools;
use super::{Dist, Product};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The file with the licences. The name starts like those of our own licences: maturin packs all files `LICENSE*`.
pub(super) const THIRD_PARTY: &str = "LICENSE-THIRD-PARTY.txt";

const HEADING: &str = "\
Licences of other people's software

The binaries of this package contain the software in this list. Its licence is behind each name. Then follow the texts of
the licences: each text is printed once, after the names of the software that it is for.

";

/// Software that is linked.
#[derive(Debug, PartialEq)]
struct Part {
    name: String,
    /// The licence as an SPDX expression.
    licence: String,
    texts: Vec<String>,
}

/// What `cargo metadata` prints.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    /// `None` for crates of this repository.
    source: Option<String>,
    license: Option<String>,
    authors: Vec<String>,
    manifest_path: PathBuf,
}

/// Returns the text of [`THIRD_PARTY`] for a product. Fails if a crate has a licence that `deny.toml` does not allow, or has
/// no text.
pub(super) fn third_party(dist: &Dist, tools: &Tools, product: Product<'_>) -> Result<String, String> {
    let mut parts = linked_crates(dist, product)?;
    if product.features.contains("pictures") {
        parts.push(Part {
            name: "DejaVu Sans 2.37, the typeface of pictures".to_owned(),
            licence: "Bitstream-Vera".to_owned(),
            texts: vec![read_text(&dist.root.join("command/elf-report/fonts/LICENSE"))?],
        });
    }
    parts.extend(standard_library(dist, product)?);
    if dist.platform.uses_zig() && product.target.contains("linux") {
        parts.extend(libraries_of_zig(tools, product)?);
    }
    Ok(print(&parts))
}

/// The crates of other people in a product, in the order of their names. Macros and build scripts are not linked.
fn linked_crates(dist: &Dist, product: Product<'_>) -> Result<Vec<Part>, String> {
    let manifest = dist.root.join(product.folder).join("Cargo.toml");
    let cargo = |arguments: &[&str]| -> Result<Vec<u8>, String> {
        let mut command = dist.command("cargo");
        command
            .args(arguments)
            .arg("--locked")
            .arg("--manifest-path")
            .arg(&manifest)
            .stderr(Stdio::inherit());
        let output = command.output().map_err(|error| format!("cargo could not be run: {error}"))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(format!("cargo {} failed: {}", arguments.join(" "), output.status))
        }
    };
    let tree = [
        ["tree", "--prefix", "none", "--format", "{p}"],
        ["--edges", "normal,no-proc-macro", "--target", product.target, "--features"],
    ];
    let tree = cargo(&[&tree.concat()[..], &[product.features]].concat())?;
    let metadata =
        ["metadata", "--format-version", "1", "--all-features", "--filter-platform", product.target];
    let metadata: Metadata =
        serde_json::from_slice(&cargo(&metadata)?).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages: HashMap<(&str, &str), &Package> = metadata
        .packages
        .iter()
        .map(|package| ((package.name.as_str(), package.version.as_str()), package))
        .collect();

    let allowed = allowed_licences(&read_text(&dist.root.join("deny.toml"))?)?;
    let mut parts = Vec::new();
    for (name, version) in names_in_tree(&String::from_utf8_lossy(&tree)) {
        let package = packages.get(&(name, version));
        let package = package.ok_or_else(|| format!("cargo metadata has no package {name} {version}"))?;
        if package.source.is_some() {
            parts.push(describe(&dist.root, package, &allowed)?);
        }
    }
    Ok(parts)
}

/// The names and versions that `cargo tree` prints, each once.
fn names_in_tree(tree: &str) -> BTreeSet<(&str, &str)> {
    let words = tree.lines().map(|line| line.split(' '));
    words.filter_map(|mut words| Some((words.next()?, words.next()?.strip_prefix('v')?))).collect()
}

/// The licences that `deny.toml` allows.
fn allowed_licences(deny: &str) -> Result<Vec<String>, String> {
    let deny: toml::Table = deny.parse().map_err(|error| format!("deny.toml: {error}"))?;
    let allowed = deny.get("licenses").and_then(|licences| licences.get("allow")?.as_array());
    let allowed = allowed.ok_or("deny.toml: expected a list `licenses.allow`")?;
    Ok(allowed.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
}

/// Collects the licences of a crate: its own files, and the standard texts if it has no file of its own. `root` is the
/// folder of the project, which has these texts.
fn describe(root: &Path, package: &Package, allowed: &[String]) -> Result<Part, String> {
    let name = format!("{} {}", package.name, package.version);
    let licence = package.license.clone().ok_or_else(|| format!("{name}: the manifest has no `license`"))?;
    let expression = spdx::Expression::parse_mode(&licence, spdx::ParseMode::LAX)
        .map_err(|error| format!("{name}: {error}"))?;
    if !expression.evaluate(|requirement| allowed.contains(&requirement.to_string())) {
        return Err(format!("{name}: expected a licence that deny.toml allows, found `{licence}`"));
    }

    let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
    let mut texts = Vec::new();
    let mut has_licence = false;
    for file in files_under(folder)? {
        let path = file.strip_prefix(folder).unwrap_or(&file);
        match kind_of_file(path) {
            Some(FileKind::Licence) => has_licence |= path.components().count() == 1,
            Some(FileKind::Notice) => {}
            None => continue,
        }
        texts.push(read_text(&file)?);
    }
    if !has_licence {
        let is_standard = |licence: &str| matches!(licence, "MIT" | "Apache-2.0");
        if !expression.evaluate(|requirement| is_standard(&requirement.to_string())) {
            return Err(format!("{name}: expected a file with the text of `{licence}`, found none"));
        }
        let authors = match package.authors[..] {
            [] => format!("the authors of {}", package.name),
            _ => package.authors.join(", "),
        };
        for requirement in expression.requirements() {
            match requirement.req.to_string().as_str() {
                "MIT" => texts.push(mit_of(root, &authors)?),
                "Apache-2.0" => texts.push(read_text(&root.join("LICENSE-APACHE"))?),
                _ => {}
            }
        }
    }
    Ok(Part { name, licence, texts })
}

/// What a file in a crate contains.
#[derive(Debug, PartialEq)]
enum FileKind {
    Licence,
    /// The names of people, which some licences ask for.
    Notice,
}

/// Returns what a file in a crate contains, from its path in the crate. `None` for all files but licences, and for files of
/// tests and examples, which are not linked.
fn kind_of_file(path: &Path) -> Option<FileKind> {
    let in_folder = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    if name.ends_with(".rs") || ["tests", "examples", "benches"].into_iter().any(in_folder) {
        return None;
    }
    let starts = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    if starts(&["license", "licence", "unlicense", "copying"]) {
        Some(FileKind::Licence)
    } else if starts(&["notice", "copyright"]) {
        Some(FileKind::Notice)
    } else {
        None
    }
}

/// The MIT licence for the software of `authors`.
fn mit_of(root: &Path, authors: &str) -> Result<String, String> {
    let ours = read_text(&root.join("LICENSE-MIT"))?;
    let lines = ours.lines().map(|line| match line.starts_with("Copyright (c)") {
        true => format!("Copyright (c) {authors}\n"),
        false => format!("{line}\n"),
    });
    Ok(lines.collect())
}

/// The standard library of Rust and the crates in it. Rust installs their licences with the compiler.
fn standard_library(dist: &Dist, product: Product<'_>) -> Result<Vec<Part>, String> {
    let rustc = |arguments: &[&str]| -> Result<String, String> {
        let output = dist.command("rustc").args(arguments).output();
        let output = output.map_err(|error| format!("rustc could not be run: {error}"))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let version = rustc(&["--version"])?;
    let folder = Path::new(&rustc(&["--print", "sysroot"])?).join("share/doc/rust");
    let authors = "The Rust Project Developers (see https://thanks.rust-lang.org)";
    let own = Part {
        name: format!("the standard library of {version}"),
        licence: "(MIT OR Apache-2.0) AND Unicode-3.0".to_owned(),
        texts: vec![
            mit_of(&dist.root, authors)?,
            read_text(&dist.root.join("LICENSE-APACHE"))?,
            read_text(&folder.join("licenses/Unicode-3.0.txt"))?,
        ],
    };
    // A target that is not installed is compiled elsewhere, as `bindings/web/debian-build` does: then all crates count.
    let libraries = rustc(&["--print", "target-libdir", "--target", product.target])?;
    let libraries = Path::new(&libraries);
    let libraries = if libraries.exists() { Some(files_under(libraries)?) } else { None };
    let page = folder.join("COPYRIGHT-library.html");
    let crates = crates_of_page(&read_text(&page)?, libraries.as_deref());
    if crates.is_empty() {
        return Err(format!("{}: expected the licences of crates, found none", page.display()));
    }
    Ok([own].into_iter().chain(crates).collect())
}

/// Reads the page about the crates in the standard library. It is for all systems: only crates count that have a file in
/// `libraries`, unless this is `None`.
fn crates_of_page(page: &str, libraries: Option<&[PathBuf]>) -> Vec<Part> {
    let is_linked = |name: &str| {
        let end =
            name.match_indices('-').find(|(at, _)| name[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let name = end.map_or(name, |(at, _)| &name[..at]);
        let start = format!("lib{}-", name.replace('-', "_"));
        let mut names = libraries.unwrap_or_default().iter().filter_map(|file| file.file_name()?.to_str());
        libraries.is_none() || names.any(|name| name.starts_with(&start))
    };
    let decode = |text: &str| {
        let text = text.replace("&#34;", "\"").replace("&#39;", "'").replace("&#60;", "<");
        text.replace("&#62;", ">").replace("&#38;", "&")
    };
    let mut parts = Vec::new();
    for section in page.split("<h3>📦 ").skip(1) {
        let name = section.split('<').next().unwrap_or_default();
        if !is_linked(name) {
            continue;
        }
        let licence = section.split_once("License:</b>").and_then(|(_, rest)| rest.split('<').next());
        let texts = section.split("<pre>").skip(1).filter_map(|text| text.split("</pre>").next());
        parts.push(Part {
            name: format!("{name}, in the standard library of Rust"),
            licence: decode(licence.unwrap_or_default().trim()),
            texts: texts.map(decode).collect(),
        });
    }
    parts
}

/// The libraries that zig links: its own functions for the compiler and, into a static command, the C library musl.
fn libraries_of_zig(tools: &Tools, product: Product<'_>) -> Result<Vec<Part>, String> {
    let folder = output_of(&tools.program("python"), &["-c", "import ziglang; print(*ziglang.__path__)"])?;
    let folder = PathBuf::from(String::from_utf8_lossy(&folder).trim());
    let part = |name: &str, file: &str| -> Result<Part, String> {
        let texts = vec![read_text(&folder.join(file))?];
        Ok(Part { name: name.to_owned(), licence: "MIT".to_owned(), texts })
    };
    let mut parts = vec![part("compiler_rt of zig", "LICENSE")?];
    if product.target.ends_with("musl") {
        parts.push(part("musl", "lib/libc/musl/COPYRIGHT")?);
    }
    Ok(parts)
}

/// Prints all parts, and then each text once. Texts are equal if only their spaces and line breaks differ.
fn print(parts: &[Part]) -> String {
    let mut printed = HEADING.to_owned();
    let mut texts: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut numbers = HashMap::new();
    for part in parts {
        printed.push_str(&format!("{}: {}\n", part.name, part.licence));
        for text in &part.texts {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let number = *numbers.entry(words).or_insert_with(|| {
                texts.push((text, Vec::new()));
                texts.len() - 1
            });
            let users = &mut texts[number].1;
            if users.last() != Some(&part.name.as_str()) {
                users.push(&part.name);
            }
        }
    }
    for (text, users) in texts {
        printed.push_str(&format!("\n{}\n\n", "=".repeat(80)));
        for user in users {
            printed.push_str(&format!("{user}\n"));
        }
        let text = text.replace("\r\n", "\n");
        printed.push_str(&format!("\n{}\n", text.trim_end().trim_start_matches('\n')));
    }
    printed
}

fn read_text(path: &Path) -> Result<String, String> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::staging::write;
    use super::*;

    /// A crate in a folder of its own, with files of these paths. Their text is the path.
    fn make_crate(name: &str, licence: &str, files: &[&str]) -> Package {
        let folder = std::env::temp_dir().join(format!("elf-licences-{}-{name}", std::process::id()));
        for file in files.iter().chain(&["Cargo.toml"]) {
            write(&folder.join(file), file.as_bytes()).unwrap();
        }
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            source: Some("a registry".to_owned()),
            license: Some(licence.to_owned()),
            authors: vec!["A. Author".to_owned(), "B. Author".to_owned()],
            manifest_path: folder.join("Cargo.toml"),
        }
    }

    fn describe_with(package: &Package, allowed: &[&str]) -> Result<Part, String> {
        let allowed: Vec<String> = allowed.iter().map(|&licence| licence.to_owned()).collect();
        let part = describe(&crate::root(), package, &allowed);
        std::fs::remove_dir_all(package.manifest_path.parent().unwrap()).unwrap();
        part
    }

    #[test]
    fn licences_are_found_wherever_linked_code_is() {
        let files = [
            "LICENSE-MIT",
            "NOTICE.txt",
            "README.md",
            "UNLICENSE",
            "benches/LICENSE",
            "src/license.rs",
            "tests/fonts/LICENSE.txt",
            "third_party/fiat/LICENCE",
        ];
        let package = make_crate("found", "Unlicense OR MIT", &files);
        let part = describe_with(&package, &["MIT"]).unwrap();
        assert_eq!(part.name, "found 1.0.0");
        assert_eq!(part.licence, "Unlicense OR MIT");
        assert_eq!(part.texts, ["LICENSE-MIT", "NOTICE.txt", "UNLICENSE", "third_party/fiat/LICENCE"]);
    }

    #[test]
    fn a_crate_without_a_file_gets_the_standard_texts() {
        // The licence of a part, and a list of people, do not replace that of the crate.
        let package = make_crate("without", "MIT/Apache-2.0", &["icc/LICENSE", "COPYRIGHT"]);
        let part = describe_with(&package, &["MIT", "Apache-2.0"]).unwrap();
        assert_eq!(part.texts.len(), 4);
        let [_, _, mit, apache] = &part.texts[..] else { panic!("{part:?}") };
        assert!(mit.starts_with("MIT License\n\nCopyright (c) A. Author, B. Author\n\nPermission"), "{mit}");
        assert!(apache.contains("Version 2.0, January 2004"), "{apache}");

        let mut package = make_crate("anonymous", "MIT OR Zlib", &[]);
        package.authors.clear();
        let part = describe_with(&package, &["Zlib"]).unwrap();
        assert_eq!(part.texts.len(), 1);
        assert!(part.texts[0].contains("\nCopyright (c) the authors of anonymous\n"));
    }

    #[test]
    fn a_licence_without_text_is_an_error() {
        let package = make_crate("bare", "MIT AND Zlib", &[]);
        let error = describe_with(&package, &["MIT", "Zlib"]).unwrap_err();
        assert_eq!(error, "bare 1.0.0: expected a file with the text of `MIT AND Zlib`, found none");
        let mut package = make_crate("silent", "", &["LICENSE"]);
        package.license = None;
        assert!(describe_with(&package, &["MIT"]).unwrap_err().contains("has no `license`"));
    }

    #[test]
    fn a_licence_that_is_not_allowed_is_an_error() {
        let result = |licence| describe_with(&make_crate("checked", licence, &["LICENSE"]), &["MIT", "ISC"]);
        let error = result("GPL-3.0-or-later").unwrap_err();
        assert_eq!(
            error,
            "checked 1.0.0: expected a licence that deny.toml allows, found `GPL-3.0-or-later`"
        );
        assert!(result("MIT AND Zlib").is_err());
        assert!(result("MIT WITH LLVM-exception").is_err());
        assert!(result("a licence").is_err());
        assert!(result("(GPL-3.0-or-later OR ISC) AND MIT").is_ok());
    }

    #[test]
    fn the_licences_in_deny_toml_are_known() {
        let allowed = allowed_licences(&read_text(&crate::root().join("deny.toml")).unwrap()).unwrap();
        assert!(allowed.iter().any(|licence| licence == "MIT"));
        for licence in allowed {
            let expression = spdx::Expression::parse(&licence).unwrap();
            assert!(expression.evaluate(|requirement| requirement.to_string() == licence), "{licence}");
        }
        assert!(allowed_licences("[licenses]\n").is_err());
    }

    #[test]
    fn the_tree_names_each_crate_once() {
        let tree =
            "elf-cli v0.1.0 (/a b/elf-cli)\nserde v1.0.2\nserde v1.0.1\nserde v1.0.2 (*)\n\nring v0.17.14\n";
        let expected = [("elf-cli", "0.1.0"), ("ring", "0.17.14"), ("serde", "1.0.1"), ("serde", "1.0.2")];
        assert_eq!(names_in_tree(tree), BTreeSet::from(expected));
    }

    #[test]
    fn equal_texts_are_printed_once() {
        let part = |name: &str, texts: &[&str]| Part {
            name: name.to_owned(),
            licence: "MIT".to_owned(),
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
        };
        let parts = [
            part("a 1.0", &["\nOne may\r\n  copy.\n", "One may\n copy."]),
            part("b 1.0", &["Another\n"]),
            part("c 1.0", &["One  may copy.\n"]),
        ];
        let line = "=".repeat(80);
        let expected = format!(
            "{HEADING}a 1.0: MIT\nb 1.0: MIT\nc 1.0: MIT\n\
             \n{line}\n\na 1.0\nc 1.0\n\nOne may\n  copy.\n\
             \n{line}\n\nb 1.0\n\nAnother\n"
        );
        assert_eq!(print(&parts), expected);
    }

    #[test]
    fn the_page_of_the_standard_library_is_read() {
        let page = "<h2>Out-of-tree</h2>\n<h3>📦 cc-1.2.0</h3>\n<p><b>License:</b> MIT OR Apache-2.0</p>\n\
            <summary><code>LICENSE-MIT</code></summary>\n<pre>\n\"It&#39;s &#34;free&#34;&#34; &#60;a&#62;\n</pre>\n\
            <pre>B</pre>\n<h3>📦 r-efi-0.11.1+x-1</h3>\n<p><b>License:</b> MPL-2.0</p>\n";
        let parts = crates_of_page(page, None);
        let [cc, efi] = &parts[..] else { panic!("{parts:?}") };
        assert_eq!(cc.name, "cc-1.2.0, in the standard library of Rust");
        assert_eq!(cc.licence, "MIT OR Apache-2.0");
        assert_eq!(cc.texts, ["\n\"It's \"free\"\" <a>\n", "B"]);
        assert_eq!(efi.name, "r-efi-0.11.1+x-1, in the standard library of Rust");
        assert_eq!((efi.licence.as_str(), efi.texts.len()), ("MPL-2.0", 0));
        assert!(crates_of_page("<html>", None).is_empty());

        let linked = |file: &str| crates_of_page(page, Some(&[Path::new("lib").join(file)])).len();
        assert_eq!(
            [linked("libcc-0a1b.rlib"), linked("libr_efi-0a1b.rlib"), linked("libr-1.rlib")],
            [1, 1, 0]
        );
        assert_eq!(linked("libcc_more-0a1b.rlib"), 0);
    }
}
