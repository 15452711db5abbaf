//! Derives the facts about a standard from those about another one and a list of differences. Structures are named by
//! paths of tags.

use super::fact_rows;
use std::collections::BTreeMap;

/// The cells of a row after the path.
type Cells = [String; 5];

/// Applies a list of differences to the facts about a standard. An error names the line of the difference.
pub(super) fn apply_difference(facts: &str, difference: &str) -> Result<String, String> {
    let mut paths: BTreeMap<Vec<String>, Cells> = BTreeMap::new();
    for row in fact_rows::<6>(facts) {
        let (_, [path, cells @ ..]) = row?;
        paths.insert(split_path(path), cells.map(str::to_owned));
    }
    let lines = difference.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    for (index, line) in lines {
        let problem = |message: &str| format!("{}: {message}", index + 1);
        let cells: Vec<&str> = line.split('\t').collect();
        let met = match *cells.as_slice() {
            ["-", pattern] => {
                let gone: Vec<Vec<String>> = paths
                    .keys()
                    .filter(|path| matches_pattern(&split_path(pattern), path))
                    .cloned()
                    .collect();
                paths.retain(|path, _| !gone.iter().any(|gone| path.starts_with(gone)));
                gone.len()
            }
            ["+", pattern, min, max, payload, targets, value] => {
                let cells = [min, max, payload, targets, value].map(str::to_owned);
                let places = matching_paths(&paths, &split_path(pattern));
                paths.extend(places.iter().map(|place| (place.clone(), cells.clone())));
                places.len()
            }
            ["=", pattern, like] => {
                let like = split_path(like);
                let copied: Vec<(Vec<String>, Cells)> = paths
                    .iter()
                    .filter(|(path, _)| path.starts_with(&like))
                    .map(|(path, cells)| (path[like.len()..].to_vec(), cells.clone()))
                    .collect();
                let places = matching_paths(&paths, &split_path(pattern));
                for place in &places {
                    let copies = copied.iter().map(|(path, cells)| {
                        (place.iter().chain(path).cloned().collect::<Vec<String>>(), cells.clone())
                    });
                    paths.extend(copies);
                }
                if copied.is_empty() { 0 } else { places.len() }
            }
            _ => return Err(problem("expected a change and its columns")),
        };
        if met == 0 {
            return Err(problem("nothing is changed by it"));
        }
    }
    let row = |(path, cells): (&Vec<String>, &Cells)| format!("{}\t{}\n", path.join("."), cells.join("\t"));
    Ok(paths.iter().map(row).collect())
}

fn split_path(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}

/// The paths that match a pattern, except for its last tag, which may be new.
fn matching_paths(paths: &BTreeMap<Vec<String>, Cells>, pattern: &[String]) -> Vec<Vec<String>> {
    let Some((last, above)) = pattern.split_last() else { return Vec::new() };
    let above = paths.keys().filter(|path| matches_pattern(above, path));
    above.map(|path| path.iter().chain([last]).cloned().collect()).collect()
}

fn matches_pattern(pattern: &[String], path: &[String]) -> bool {
    let of = |pattern: &[String], path: &[String]| {
        let is = |(of, tag): (&String, &String)| of == "*" || of.split('|').any(|of| of == tag);
        pattern.len() == path.len() && pattern.iter().zip(path).all(is)
    };
    match pattern.split_first() {
        Some((first, rest)) if first == "**" => {
            path.len() > rest.len() && of(rest, &path[path.len() - rest.len()..])
        }
        _ => of(pattern, path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str =
        "A\t0\tM\tnone\t\t\nA.B\t0\t1\ttext\t\tV\nA.B.C\t0\t1\tnone\t\t\nA.D\t1\t1\tnone\t\t\n";

    #[test]
    fn paths_go_change_and_are_copied() {
        let made = |difference| apply_difference(FACTS, difference).expect("a good difference");
        assert_eq!(made("-\t**.B\n"), "A\t0\tM\tnone\t\t\nA.D\t1\t1\tnone\t\t\n");
        assert_eq!(made("+\tA.B|D.C\t1\tM\tnone\t\t\n").matches(".C\t1\tM\t").count(), 2);
        let copied = made("=\tA.D.B\tA.B\n");
        assert!(copied.contains("A.D.B\t0\t1\ttext\t\tV\nA.D.B.C\t0"), "{copied}");
    }

    #[test]
    fn faults_are_found() {
        let message = |difference| apply_difference(FACTS, difference).expect_err("a problem");
        assert_eq!(message("-\tA.X\n"), "1: nothing is changed by it");
        assert_eq!(message("+\tA.X.Y\t0\t1\tnone\t\t\n"), "1: nothing is changed by it");
        assert_eq!(message("?\tA.X\n"), "1: expected a change and its columns");
    }
}
