//! What proposals refuse and say.

use crate::{FAMILY, Served, ask, fail};
use serde_json::json;

#[test]
fn errors_of_arguments_name_the_argument() {
    let served = Served::new(FAMILY);
    let mut session = served.editing();
    for (tool, arguments, part) in [
        ("person", json!({ "id": 1 }), "argument `id`: expected a text, found a number"),
        (
            "propose_replacement",
            json!({ "tags": "PLAC" }),
            "argument `tags`: expected a list of texts, found a text",
        ),
        (
            "propose_replacement",
            json!({ "tags": ["PLAC", 1] }),
            "argument `tags`, item 2: expected a text, found a number",
        ),
        (
            "propose_replacement",
            json!({ "whole": "yes" }),
            "argument `whole`: expected true or false, found a text",
        ),
        (
            "changes",
            json!({ "limit": 1000 }),
            "argument `limit`: expected a whole number from 1 to 100, found 1000",
        ),
        (
            "changes",
            json!({ "limit": 0 }),
            "argument `limit`: expected a whole number from 1 to 100, found 0",
        ),
        (
            "changes",
            json!({ "number": -1 }),
            "argument `number`: expected a whole number of at least 0, found -1",
        ),
        (
            "changes",
            json!({ "number": 1.5 }),
            "expected a whole number of at least 0, found a number with a fraction",
        ),
        ("findings", json!({ "kind": "all" }), "argument `kind`: expected one of "),
        ("propose_edits", json!({ "edits": {} }), "argument `edits`: expected a list, found an object"),
        (
            "propose_edits",
            json!({ "edits": ["x"] }),
            "argument `edits`, item 1: expected an object, found a text",
        ),
        ("propose_edits", json!({ "edits": [{}] }), "argument `edits`, item 1: `op` is missing"),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "rename" }] }),
            "argument `edits`, item 1, `op`: expected one of `set`, `remove`, `insert`, found `rename`",
        ),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "set", "path": "x" }] }),
            "argument `edits`, item 1: `value` is missing",
        ),
        (
            "propose_edits",
            json!({ "edits": [{ "op": "set", "path": 7, "value": "" }] }),
            "argument `edits`, item 1, `path`: expected a text, found a number",
        ),
        ("propose_edits", json!({ "edits": [{ "op": "remove", "paht": "x" }] }), "there is no `paht`, only "),
    ] {
        let message = fail(&mut session, tool, arguments.clone());
        assert!(message.contains(part), "{tool} {arguments}: {message}");
    }
    // Nothing is the same as a missing argument, where it may be missing.
    ask(&mut session, "person", json!({ "id": "I1", "file": null, "limit": null }));
}
