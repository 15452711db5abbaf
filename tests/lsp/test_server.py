"""Each handler of the server, asked by a client that other people wrote."""

import pytest
from lsprotocol import types
from lsprotocol.types import Position, Range, TextDocumentIdentifier
from pytest_lsp import LanguageClient

# The codec and the bytes of a column, by the unit that client and server agree on.
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

# A clef has four units of UTF-8, two of UTF-16 and one of UTF-32.
TREE = """\
0 HEAD
1 CHAR UTF-8
0 @I1@ INDI
1 NAME \U0001d11e\U0001d11e /Müller/ a@b
1 BIRT
3 DATE 3 MAR 1850
1 DEAT
2 DATE 4 MAR 1900
1 FAMS @F1@
0 @F1@ FAM
1 HUSB @I1@
0 TRLR
"""


async def opened(client: LanguageClient, uri: str, text: str):
    """Opens a file and returns its diagnostics."""
    item = types.TextDocumentItem(uri=uri, language_id="gedcom", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    return client.diagnostics[uri]


async def changed(client: LanguageClient, uri: str, version: int, text: str):
    """Replaces the text of a file without waiting."""
    document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
    change = types.TextDocumentContentChangeWholeDocument(text=text)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(text_document=document, content_changes=[change])
    )


def at(uri, line, character):
    return {"text_document": TextDocumentIdentifier(uri=uri), "position": Position(line, character)}


def applied(client, text, edit: types.WorkspaceEdit, uri):
    """Applies the edits of one file."""
    codec, size = UNITS[client.position_encoding]
    if edit.document_changes:
        edits = [one for change in edit.document_changes if change.text_document.uri == uri for one in change.edits]
    else:
        edits = edit.changes[uri]

    def offset(position):
        lines = text.split("\n")
        before = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line] if position.line < len(lines) else ""
        column = len(line.encode(codec)[: position.character * size].decode(codec))
        return before + column

    for one in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        text = text[: offset(one.range.start)] + one.new_text + text[offset(one.range.end) :]
    return text


def codes(diagnostics):
    return sorted((one.code, one.range.start.line, one.range.start.character) for one in diagnostics)


async def test_diagnostics_with_columns_of_the_client(client: LanguageClient, tree):
    uri = tree(TREE)
    codec, size = UNITS[client.position_encoding]
    line = TREE.split("\n")[3]
    column = len(line[: line.index("@b")].encode(codec)) // size
    assert codes(await opened(client, uri, TREE)) == [("E0203", 5, 0), ("E0326", 3, column)]


async def test_stale_versions_are_dropped(client: LanguageClient, tree):
    uri = tree(TREE)
    await opened(client, uri, TREE)
    for version in range(2, 30):
        await changed(client, uri, version, TREE + "9 BAD\n" * version)
    await changed(client, uri, 30, TREE.replace("a@b", ""))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert [one.code for one in client.diagnostics[uri]] == ["E0203"]


async def test_a_buffer_that_says_ansel_is_text(client: LanguageClient, tree):
    text = "0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME José\n0 TRLR\n"
    disk = text.encode("latin-1").replace(b"\xe9", b"\xe2e")
    uri = tree(disk)
    diagnostics = await opened(client, uri, disk.decode("utf-8", "replace"))
    assert [(one.code, one.range.start.line) for one in diagnostics] == [(None, 0), (None, 3), ("E0117", 1)]
    assert "shows wrong characters" in diagnostics[0].message
    for line in range(4):
        params = types.CodeActionParams(
            text_document=TextDocumentIdentifier(uri=uri),
            range=Range(Position(line, 0), Position(line, 1)),
            context=types.CodeActionContext(diagnostics=diagnostics),
        )
        [action] = await client.text_document_code_action_async(params)
        # lsprotocol takes an action with a command for the command.
        assert "elf.saveAsUtf8" in str(action.command)
    with pytest.raises(Exception, match="convert the file to UTF-8 first"):
        await client.text_document_rename_async(types.RenameParams(new_name="P7", **at(uri, 2, 4)))


async def test_actions(client: LanguageClient, tree):
    uri = tree(TREE)
    diagnostics = await opened(client, uri, TREE)
    params = types.CodeActionParams(
        text_document=TextDocumentIdentifier(uri=uri),
        range=Range(Position(3, 0), Position(3, 1)),
        context=types.CodeActionContext(diagnostics=diagnostics),
    )
    actions = await client.text_document_code_action_async(params)
    fix = next(action for action in actions if action.title.startswith("Double the at signs"))
    assert applied(client, TREE, fix.edit, uri) == TREE.replace("a@b", "a@@b")
    everything = next(action for action in actions if action.kind == "source.fixAll.elf")
    if everything.edit is None:
        everything = await client.code_action_resolve_async(everything)
    fixed = applied(client, TREE, everything.edit, uri)
    assert fixed == TREE.replace("a@b", "a@@b").replace("3 DATE", "2 DATE")


async def test_hover(client: LanguageClient, tree):
    uri = tree(TREE)
    await opened(client, uri, TREE)
    hover = await client.text_document_hover_async(types.HoverParams(**at(uri, 4, 3)))
    assert "elf:BIRTH" in hover.contents.value
    hover = await client.text_document_hover_async(types.HoverParams(**at(uri, 10, 9)))
    assert "Müller" in hover.contents.value


async def test_navigation_and_rename(client: LanguageClient, tree):
    uri = tree(TREE)
    await opened(client, uri, TREE)
    found = await client.text_document_definition_async(types.DefinitionParams(**at(uri, 10, 9)))
    assert found[0].range.start == Position(2, 3)
    context = types.ReferenceContext(include_declaration=False)
    found = await client.text_document_references_async(types.ReferenceParams(context=context, **at(uri, 2, 4)))
    assert [one.range.start for one in found] == [Position(10, 8)]
    found = await client.text_document_document_highlight_async(types.DocumentHighlightParams(**at(uri, 2, 4)))
    assert len(found) == 2
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(**at(uri, 2, 4)))
    assert prepared.placeholder == "I1"
    edit = await client.text_document_rename_async(types.RenameParams(new_name="P7", **at(uri, 2, 4)))
    assert applied(client, TREE, edit, uri) == TREE.replace("@I1@", "@P7@")
    with pytest.raises(Exception, match="F1"):
        await client.text_document_rename_async(types.RenameParams(new_name="F1", **at(uri, 2, 4)))


async def test_symbols_hints_completion_folding_and_colours(client: LanguageClient, tree):
    uri = tree(TREE)
    await opened(client, uri, TREE)
    document = TextDocumentIdentifier(uri=uri)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols[0].name.endswith("@I1@")
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="muller"))
    assert len(found) == 2

    everything = Range(Position(0, 0), Position(20, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, everything))
    assert "aged 50" in [hint.label for hint in hints]

    text = TREE.replace("1 DEAT", "1 DE")
    await changed(client, uri, 2, text)
    items = await client.text_document_completion_async(types.CompletionParams(**at(uri, 6, 4)))
    assert "DEAT" in [item.label for item in items.items]

    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert (2, 8) in [(fold.start_line, fold.end_line) for fold in folds]
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert len(tokens.data) % 5 == 0 and tokens.data
    some = types.SemanticTokensRangeParams(document, Range(Position(2, 0), Position(2, 0)))
    tokens = await client.text_document_semantic_tokens_range_async(some)
    assert len(tokens.data) == 15


async def test_elf_toml(client: LanguageClient, tree):
    uri = tree(TREE)
    config = tree('[check]\nignore = ["advice", "E0203", "at-sign-bare"]\n', name="elf.toml")
    assert codes(await opened(client, uri, TREE)) == []
    tree("[check]\n", name="elf.toml")
    change = types.FileEvent(uri=config, type=types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[change]))
    await client.wait_for_notification("textDocument/publishDiagnostics")
    assert len(client.diagnostics[uri]) == 2


async def test_a_command(client: LanguageClient, tree):
    uri = tree(TREE)
    await opened(client, uri, TREE)
    edits = []

    @client.feature("workspace/applyEdit")
    def apply(params: types.ApplyWorkspaceEditParams):
        edits.append(params.edit)
        return types.ApplyWorkspaceEditResult(applied=True)

    params = types.ExecuteCommandParams(command="elf.fixAll", arguments=[uri])
    await client.workspace_execute_command_async(params)
    # A request that is answered after the edit has come.
    await client.text_document_hover_async(types.HoverParams(**at(uri, 0, 0)))
    assert "a@@b" in applied(client, TREE, edits[0], uri)
