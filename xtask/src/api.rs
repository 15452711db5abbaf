//! `cargo xtask api`: lists the public items of the crates of the five layers in `docs/api/`, so that a change of them
//! is visible in review. `--check` compares instead of writing.
//!
//! The lists are extracted from the pages of `cargo doc`: the declaration of each item and, indented, its own methods.

use crate::Outcome;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const LAYERS: [&str; 5] = ["elf-octets", "elf-lines", "elf-tagged", "elf-schema", "elf-model"];

/// The kinds of items that have a page of their own. The name of the page starts with the kind.
const KINDS: [&str; 8] = ["struct", "enum", "trait", "fn", "constant", "type", "macro", "union"];

pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let is_check = match arguments {
        [] => false,
        [one] if one == "--check" => true,
        _ => return Err("expected no argument, or `--check`".to_owned()),
    };
    let packages = LAYERS.iter().flat_map(|name| ["-p", name]);
    let status =
        Command::new("cargo").args(["doc", "--quiet", "--no-deps"]).args(packages).current_dir(root).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("`cargo doc` failed".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let mut others = Vec::new();
    for name in LAYERS {
        let list = list_items(&target.join("doc").join(name.replace('-', "_")))?;
        let path = root.join("docs/api").join(format!("{name}.txt"));
        if fs::read_to_string(&path).is_ok_and(|known| known == list) {
            println!("api: {name}: ok");
        } else if is_check {
            others.push(name);
        } else {
            fs::create_dir_all(root.join("docs/api"))
                .and_then(|()| fs::write(&path, list))
                .map_err(|error| error.to_string())?;
            println!("api: {name}: written");
        }
    }
    match others.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("the public API of {} is another one; run `cargo xtask api`", others.join(", ")))
        }
    }
}

/// Lists the items of a crate whose pages are in `folder`.
fn list_items(folder: &Path) -> Result<String, String> {
    let mut items = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, module)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
            let path = entry.map_err(|error| error.to_string())?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push((path, format!("{module}{name}::")));
                continue;
            }
            let Some((kind, item)) = name.strip_suffix(".html").and_then(|name| name.split_once('.')) else {
                continue;
            };
            if KINDS.contains(&kind) {
                let page = fs::read_to_string(&path).map_err(|error| error.to_string())?;
                items.push((format!("{module}{item}"), describe_item(&page)));
            }
        }
    }
    items.sort_unstable();
    Ok(items.iter().map(|(path, text)| format!("{path}\n{text}\n")).collect())
}

/// The declaration of the item on a page, and its own methods.
fn describe_item(page: &str) -> String {
    let own = page.split("id=\"trait-implementations\"").next().unwrap_or(page);
    let own = own.split("id=\"synthetic-implementations\"").next().unwrap_or(own);
    let declaration =
        text_between(own, "<pre class=\"rust item-decl\"><code>", "</code></pre>").map(strip_markup);
    let mut text: String = declaration
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| format!("    {}\n", line.trim_end()))
        .collect();
    for method in own.split("<section id=\"method.").skip(1) {
        if let Some(signature) = text_between(method, "<h4 class=\"code-header\">", "</h4>") {
            let words: Vec<String> = strip_markup(signature).split_whitespace().map(str::to_owned).collect();
            text.push_str(&format!("        {}\n", words.join(" ")));
        }
    }
    text
}

fn text_between<'p>(page: &'p str, start: &str, end: &str) -> Option<&'p str> {
    page.split_once(start)?.1.split_once(end).map(|(inside, _)| inside)
}

/// Removes the markup from a piece of a page.
fn strip_markup(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(
            piece.split_once('>').map_or(if text.is_empty() { piece } else { "" }, |(_, behind)| behind),
        );
    }
    let characters =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    characters.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gives_the_declaration_and_the_methods_of_an_item() {
        let page = "<pre class=\"rust item-decl\"><code>pub struct A&lt;<a href=\"x\">T</a>&gt; { <span>/* private \
            fields */</span> }</code></pre><section id=\"method.b\" class=\"method\"><h4 class=\"code-header\">pub fn \
            <a class=\"fn\">b</a>(&amp;self) -&gt; <a>T</a></h4></section><h2 id=\"trait-implementations\"></h2>\
            <section id=\"method.fmt\"><h4 class=\"code-header\">fn fmt()</h4></section>";
        assert_eq!(
            describe_item(page),
            "    pub struct A<T> { /* private fields */ }\n        pub fn b(&self) -> T\n"
        );
    }
}
