"""Makes docs/scoreboard.md: what ELF for Rust and its peers make of the same files. `run` installs the peers and starts it.

Everything but times and memory is the same in every run."""

import argparse
import csv
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT.parent / "shared" / "corpus"
TIMEOUT = 120


class Peer:
    def __init__(self, name, version, language, command, saves, names_only=False):
        self.name, self.version, self.language, self.command = name, version, language, command
        self.saves, self.names_only = saves, names_only

    def run(self, task, *paths):
        """Returns the output of a task, or None if the peer failed."""
        return run([*self.command, task, *map(str, paths)])

    def read(self, path):
        """Returns names, diagnostics and the message of a failure."""
        output, errors = self.run("read", path)
        if output is None:
            return None, [], errors
        value = json.loads(output.strip().split("\n")[-1])
        return value["names"], value["diagnostics"], ""

    def save(self, path, out):
        output, _ = self.run("save", path, out)
        return output is not None and out.exists() and out.read_bytes() == path.read_bytes()


class Elf(Peer):
    def read(self, path):
        output, errors = run([*self.command, "show", "--at", "INDI[*]/NAME", "--format", "json", str(path)], status=(0, 1))
        if output is None:
            return ([], [], "") if "no structure" in errors else (None, [], errors)
        names = [json.loads(line).get("payload", "") for line in output.strip().split("\n") if line]
        found, _ = run([*self.command, "check", "--no-config", "--format", "json", str(path)], status=(0, 1))
        findings = [json.loads(line) for line in (found or "").strip().split("\n") if line]
        return names, [f"line {one['line']}: {one['message']}" for one in findings if one.get("line")], ""

    def save(self, path, out):
        output, _ = run([*self.command, "edit", str(path), "-o", str(out)], status=(0, 1))
        return output is not None and out.exists() and out.read_bytes() == path.read_bytes()

    def read_command(self, path):
        return [*self.command, "show", "--at", "INDI[*]/NAME", "--format", "json", str(path)]


def run(command, status=(0,)):
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, "timeout"
    errors = done.stderr.decode("utf-8", "replace")
    if done.returncode not in status:
        return None, errors
    return done.stdout.decode("utf-8", "replace"), errors


# --- Files ------------------------------------------------------------------------------------------------------------

GIVEN = ["Zoë", "Jürgen", "François", "Ólafur", "Ærik", "Søren", "Ångela", "Peña", "Łucja", "Žofie"]
SURNAMES = ["Müller", "Çelik", "Nuñez", "Ørsted", "Þórsson", "Dvořák", "Wałęsa", "Béranger", "Weiß", "Åström"]
WEST = [name for name in GIVEN + SURNAMES if all(ord(c) < 256 for c in name)]


def people(names):
    return [f"{names[i % len(names)]} /{names[(i * 3 + 1) % len(names)]}/" for i in range(40)]


def gedcom(names, char):
    lines = ["0 HEAD", "1 GEDC", "2 VERS 5.5.1", "2 FORM LINEAGE-LINKED", *([f"1 CHAR {char}"] if char else []), "1 SUBM @U1@"]
    lines += ["1 SOUR TEST", "0 @U1@ SUBM", "1 NAME Somebody"]
    for number, name in enumerate(names, 1):
        lines += [f"0 @I{number}@ INDI", f"1 NAME {name}", "1 BIRT", f"2 DATE {number % 28 + 1} JAN 1850", "1 NOTE A note", "2 CONT in two lines"]
    return lines + ["0 TRLR"]


def ansel_tables():
    """Returns the table of the reference decoder: code points and whether they are marks, by byte."""
    rows = csv.DictReader(open(ROOT / "tests/src/reference/ansel.tsv", encoding="utf-8"), delimiter="\t")
    return {int(row["octet"], 16): (chr(int(row["code point"], 16)), bool(row["mark"])) for row in rows}


def decode_ansel(data):
    table, out, marks = ansel_tables(), [], []
    for byte in data:
        character, is_mark = (chr(byte), False) if byte < 0x80 else table.get(byte, ("\ufffd", False))
        if is_mark:
            marks.append(character)
        else:
            out += [character, *marks]
            marks = []
    return "".join(out + marks)


def encode_ansel(text):
    inverse = {character: byte for byte, (character, _) in ansel_tables().items()}
    out = bytearray()
    for base in re.findall(r"[^\u0300-\u036f][\u0300-\u036f]*", unicodedata.normalize("NFD", text)):
        for character in [*base[1:], base[0]]:
            out.append(ord(character) if ord(character) < 0x80 else inverse[character])
    return bytes(out)


def encoded_files():
    """Returns files of 40 people in the encodings that programs write, each with the names of its people."""
    all_names, west = people(GIVEN + SURNAMES), people(WEST)
    def text(names, char):
        return "\n".join(gedcom(names, char)) + "\n"
    yield "UTF-8", text(all_names, "UTF-8").encode("utf-8"), all_names
    yield "UTF-8 with a mark", b"\xef\xbb\xbf" + text(all_names, "UTF-8").encode("utf-8"), all_names
    yield "UTF-8 without CHAR", text(all_names, None).encode("utf-8"), all_names
    yield "UTF-8, CHAR ANSEL", text(all_names, "ANSEL").encode("utf-8"), all_names
    yield "UTF-16LE", b"\xff\xfe" + text(all_names, "UNICODE").encode("utf-16-le"), all_names
    yield "UTF-16BE", b"\xfe\xff" + text(all_names, "UNICODE").encode("utf-16-be"), all_names
    yield "UTF-16LE without a mark", text(all_names, "UNICODE").encode("utf-16-le"), all_names
    yield "ANSEL", encode_ansel(text(all_names, "ANSEL")), all_names
    yield "windows-1252, CHAR ANSI", text(west, "ANSI").encode("cp1252"), west
    yield "windows-1252, CHAR ANSEL", text(west, "ANSEL").encode("cp1252"), west
    yield "ISO-8859-1", text(west, "ISO-8859-1").encode("latin-1"), west
    west_dos = people([name for name in WEST if encodes(name, "cp850")])
    yield "DOS page 850, CHAR IBMPC", text(west_dos, "IBMPC").encode("cp850"), west_dos
    west_mac = people([name for name in WEST if encodes(name, "mac-roman")])
    yield "Macintosh", text(west_mac, "MACINTOSH").encode("mac-roman"), west_mac


def encodes(text, encoding):
    try:
        text.encode(encoding)
        return True
    except UnicodeEncodeError:
        return False


# The content of a file of the corpus, by the column `encoding` of its manifest.
CONTENTS = {
    "ascii7": lambda data: data.decode("ascii"),
    "utf8-bom": lambda data: data.decode("utf-8-sig"),
    "utf8-nobom": lambda data: data.decode("utf-8"),
    "utf16le-bom": lambda data: data[2:].decode("utf-16-le"),
    "utf16le-nobom": lambda data: data.decode("utf-16-le"),
    "utf16be-bom": lambda data: data[2:].decode("utf-16-be"),
    "8bit-ansel": decode_ansel,
    "8bit-cp1252": lambda data: data.decode("cp1252"),
    "8bit-declared-ISO8859-1": lambda data: data.decode("latin-1"),
}


def names_of(text):
    names, is_person = [], False
    for line in re.split(r"[\r\n]+", text):
        match = re.match(r"\s*(\d+)\s+(?:@[^@]*@\s+)?(\w+) ?(.*)", line)
        if match and match[1] == "0":
            is_person = match[2] == "INDI"
        elif match and is_person and match[1] == "1" and match[2] == "NAME":
            names.append(match[3])
    return names


DAMAGES = [
    ("text without CONT", lambda lines, at: [*lines[: at + 1], "and a line that lost its CONT", *lines[at + 1 :]], 1),
    ("a blank line", lambda lines, at: [*lines[: at + 1], "", *lines[at + 1 :]], 1),
    ("a skipped level", lambda lines, at: replaced(lines, at, "3 DATE 3 JAN 1850"), 0),
    ("no level", lambda lines, at: replaced(lines, at, "DATE 3 JAN 1850"), 0),
    ("no tag", lambda lines, at: replaced(lines, at, "2"), 0),
    ("two blanks", lambda lines, at: replaced(lines, at, "2  DATE 3 JAN 1850"), 0),
    ("leading blanks", lambda lines, at: replaced(lines, at, "    2 DATE 3 JAN 1850"), 0),
    ("a leading zero", lambda lines, at: replaced(lines, at, "02 DATE 3 JAN 1850"), 0),
    ("no blank after the level", lambda lines, at: replaced(lines, at, "2DATE 3 JAN 1850"), 0),
    ("a control character", lambda lines, at: replaced(lines, at, "2 PLAC a\x01b"), 0),
    ("a NUL character", lambda lines, at: replaced(lines, at, "2 PLAC a\x00b"), 0),
    ("a single at sign", lambda lines, at: replaced(lines, at, "2 PLAC a@b"), 0),
    ("an unresolved pointer", lambda lines, at: replaced(lines, at, "2 SOUR @S9@"), 0),
    ("an identifier without its end", lambda lines, at: replaced(lines, at, "2 SOUR @S9"), 0),
    ("an impossible date", lambda lines, at: replaced(lines, at, "2 DATE 31 FEB 1850"), 0),
    ("an unknown tag", lambda lines, at: replaced(lines, at, "2 DTAE 3 JAN 1850"), 0),
    ("a line of 70,000 characters", lambda lines, at: replaced(lines, at, "2 PLAC " + "a" * 70_000), 0),
    ("a byte that is not UTF-8", lambda lines, at: replaced(lines, at, "2 PLAC a\udcffb"), 0),
    ("a second header", lambda lines, at: [*lines[: at - 3], "0 HEAD", *lines[at - 3 :]], -3),
    ("no trailer", lambda lines, at: lines[:-1], None),
]


def replaced(lines, at, line):
    return [*lines[:at], line, *lines[at + 1 :]]


def damaged_files():
    """Returns files with one broken line in the 24th person of 40, each with the number of that line."""
    names = [f"Person{number} /Family{number}/" for number in range(1, 41)]
    lines = gedcom(names, "UTF-8")
    at = lines.index("0 @I24@ INDI") + 3
    for name, damage, offset in DAMAGES:
        broken = damage(lines, at)
        number = len(broken) if offset is None else at + offset + 1
        yield name, ("\n".join(broken) + "\n").encode("utf-8", "surrogateescape"), names, number


# --- Measures ---------------------------------------------------------------------------------------------------------


def normal(names):
    plain = (unicodedata.normalize("NFC", re.sub(r"[/\s]+", " ", name)).strip() for name in names)
    return [name for name in plain if name]


def has_place(diagnostics, number):
    """Returns whether a message has the number of a line, counted from 1 or from 0."""
    return any(re.search(rf"\b({number}|{number - 1})\b", text) for text in diagnostics)


def measure(peer, file, folder):
    """Returns seconds and megabytes of the better of two runs that read the names of all people."""
    command = peer.read_command(file) if isinstance(peer, Elf) else [*peer.command, "names" if peer.names_only else "read", str(file)]
    best = None
    for _ in range(2):
        with open(folder / "out", "wb") as out:
            start = time.perf_counter()
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        if status not in (0, 256 if isinstance(peer, Elf) else 0):
            return None
        cost = (seconds, usage.ru_maxrss / 1000)
        best = min(best or cost, cost)
    return best


def score(peer, folder, generated):
    result = {}
    path, out = folder / "file.ged", folder / "saved.ged"
    corpus = corpus_files()
    read = saved = characters = with_characters = 0
    for file, content in corpus:
        names, _, _ = peer.read(file)
        expected = normal(names_of(CONTENTS[content](file.read_bytes()))) if content in CONTENTS else None
        read += names is not None and (bool(names) or not expected)
        out.unlink(missing_ok=True)
        saved += peer.saves and peer.save(file, out)
        if expected:
            with_characters += 1
            characters += names is not None and normal(names) == expected
    result["read"], result["saved"] = (read, len(corpus)), (saved, len(corpus)) if peer.saves else None
    result["corpus characters"] = (characters, with_characters)
    right, wrong = 0, []
    files = list(encoded_files())
    for name, data, names in files:
        path.write_bytes(data)
        found, _, _ = peer.read(path)
        if found is not None and normal(found) == normal(names):
            right += 1
        else:
            wrong.append(name)
    result["characters"], result["characters wrong"] = (right, len(files)), wrong
    survived, placed, lost = 0, 0, []
    files = list(damaged_files())
    for name, data, names, number in files:
        path.write_bytes(data)
        found, diagnostics, errors = peer.read(path)
        if found is not None and normal(found) == normal(names):
            survived += 1
        else:
            lost.append(name)
        placed += has_place([*diagnostics, errors.strip().splitlines()[-1] if errors.strip() else ""], number)
    result["survived"], result["lost"], result["placed"] = (survived, len(files)), lost, (placed, len(files))
    result["cost"] = measure(peer, generated, folder)
    return result


def corpus_files():
    manifest = CORPUS / "manifest.tsv"
    if not manifest.exists():
        return []
    rows = csv.DictReader(open(manifest, encoding="utf-8"), delimiter="\t")
    # One is a web page.
    rows = [row for row in rows if not row["why"].startswith("negative:") and (CORPUS / row["file"]).exists()]
    return [(CORPUS / row["file"], row["encoding"]) for row in rows]


# --- The page ---------------------------------------------------------------------------------------------------------


def of(pair):
    return "–" if pair is None else f"{pair[0]} of {pair[1]}"


def cost(pair, at):
    return "–" if pair is None else (f"{pair[at]:.2f}" if at == 0 else f"{pair[at]:.0f}")


def page(peers, results, megabytes):
    template = (Path(__file__).parent / "page.md").read_text(encoding="utf-8")
    table = ["| program | version | files read | saved alike | names right, corpus | names right, generated | broken lines survived | diagnostics with a place | seconds | MB |"]
    table += ["| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for peer in peers:
        r = results[peer.name]
        cells = [f"{peer.name} ({peer.language})", peer.version, of(r["read"]), of(r["saved"]), of(r["corpus characters"])]
        cells += [of(r["characters"]), of(r["survived"]), of(r["placed"]), cost(r["cost"], 0), cost(r["cost"], 1)]
        table.append("| " + " | ".join(cells) + " |")
    details = []
    for peer in peers:
        r = results[peer.name]
        details.append(f"| {peer.name} | {'; '.join(r['characters wrong']) or 'none'} | {'; '.join(r['lost']) or 'none'} |")
    words = {
        "DATE": f"{date.today():%-d %B %Y}",
        "MACHINE": f"{os.cpu_count()} processors, Linux {platform.machine()}, Python {platform.python_version()}",
        "MEGABYTES": str(megabytes),
        "TABLE": "\n".join(table),
        "DETAILS": "\n".join(details),
        "CORPUS": str(len(corpus_files())),
        "ENCODINGS": str(len(list(encoded_files()))),
        "DAMAGES": str(len(DAMAGES)),
    }
    for word, value in words.items():
        template = template.replace("{" + word + "}", value)
    return template


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", required=True, help="a JSON file that lists the peers")
    parser.add_argument("--megabytes", type=int, default=10)
    parser.add_argument("--generated", required=True, help="the generated file for times")
    parser.add_argument("--output", default=ROOT / "docs/scoreboard.md")
    arguments = parser.parse_args()
    rows = json.loads(Path(arguments.peers).read_text(encoding="utf-8"))
    peers = [(Elf if row["name"] == "ELF for Rust" else Peer)(**row) for row in rows]
    if not corpus_files():
        print("skipped: there is no corpus beside the repository", file=sys.stderr)
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for peer in peers:
            results[peer.name] = score(peer, Path(folder), Path(arguments.generated))
            print(peer.name, json.dumps(results[peer.name]), file=sys.stderr)
    Path(arguments.output).write_text(page(peers, results, arguments.megabytes), encoding="utf-8")


main()
