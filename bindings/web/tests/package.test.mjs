// The package in Node: everything gives what the command gives.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import * as checkOnly from "../dist/package/check/elf.js";
import * as engine from "../dist/package/elf.js";
import { checked, elf, files, jsonLines, root, today, written } from "./elf.mjs";

const path = (name) => new URL(`../dist/package/${name}`, import.meta.url);
engine.initSync({ module: readFileSync(path("elf_bg.wasm")) });
checkOnly.initSync({ module: readFileSync(path("check/elf_bg.wasm")) });

const example = (name) => join(root, "examples", name);
const utf8 = (bytes) => new TextDecoder().decode(bytes);

for (const [name, module] of [["whole", engine], ["check only", checkOnly]]) {
  test(`findings are those of the command (${name})`, () => {
    for (const file of files()) {
      for (const options of [{}, { against: "5.5.1" }, { facts: true, today }]) {
        const args = options.against ? ["--against", "5.5.1"] : options.facts ? ["--facts", "--today", today] : [];
        const expected = checked(file, ...args);
        const { findings, summary, codes } = module.check(readFileSync(file), { ...options, name: file });
        assert.deepEqual({ findings, summary }, expected, file);
        assert.equal(codes.reduce((sum, { count }) => sum + count, 0), findings.length, file);
      }
    }
  });
}

test("the modules are small enough to load", () => {
  const limits = { "check/elf_bg.wasm": [2_500_000, 700_000], "elf_bg.wasm": [5_000_000, 1_500_000] };
  for (const [name, limit] of Object.entries(limits)) {
    const module = readFileSync(path(name));
    const sizes = [module.length, brotliCompressSync(module).length];
    assert.ok(sizes.every((size, at) => size <= limit[at]), `${name}: ${sizes} bytes, at most ${limit}`);
  }
});

test("details are added, and nothing else changes", () => {
  for (const file of files()) {
    const plain = engine.check(readFileSync(file), {}).findings;
    const detailed = engine.check(readFileSync(file), { details: true }).findings;
    const without = detailed.map(({ excerpt, structure, ...finding }) => finding);
    assert.deepEqual(without, plain, file);
  }
});

test("a limit leaves out findings, but counts all", () => {
  const bytes = new TextEncoder().encode(`0 HEAD\n0 @I1@ INDI\n${"1 NOTE a@b\n".repeat(50)}0 TRLR\n`);
  const { findings, codes } = engine.check(bytes, { most: 3 });
  const count = codes.find(({ code }) => code === "E0326").count;
  assert.deepEqual([findings.filter(({ code }) => code === "E0326").length, count], [3, 50]);
});

test("a function takes all findings, in portions", () => {
  for (const file of files()) {
    const bytes = readFileSync(file);
    const taken = [];
    const report = engine.check(bytes, {}, undefined, (findings) => taken.push(...findings));
    const whole = engine.check(bytes);
    assert.deepEqual(taken, whole.findings, file);
    assert.deepEqual(report, { ...whole, findings: [] }, file);
  }
  const bytes = readFileSync(example("damaged.ged"));
  const thrown = new RangeError("no");
  const fail = () => {
    throw thrown;
  };
  assert.throws(() => engine.check(bytes, {}, undefined, fail), (error) => error === thrown);
});

test("fixes are those of the command", () => {
  for (const file of files()) {
    let expected;
    try {
      expected = written("ged", "check", "--no-config", "--fix", file);
    } catch (refused) {
      assert.throws(() => engine.fix(readFileSync(file)), Error, `${file}: ${refused}`);
      continue;
    }
    assert.deepEqual(Buffer.from(engine.fix(readFileSync(file)).bytes), expected, file);
  }
});

test("info is that of the command, with the evidence", () => {
  for (const file of files()) {
    const [expected] = jsonLines(elf("info", "--format", "json", file));
    const info = engine.info(readFileSync(file), { name: file });
    for (const [member, value] of Object.entries(expected)) assert.deepEqual(info[member], value, `${file}: ${member}`);
    assert.ok(info.encoding_evidence.length > 0, file);
  }
});

test("conversions are those of the command", () => {
  const examples = ["attic.ged", "bell-ringers.ged", "cousin.ged", "diskette.ged", "haugen.ged"].map(example);
  const vendors = join(root, "tests/fixtures/vendors");
  for (const file of [...examples, ...readdirSync(vendors).map((name) => join(vendors, name))]) {
    const bytes = readFileSync(file);
    for (const toRules of [undefined, "gedcom-7", "gedcom-5.5.1"]) {
      const toOther = toRules ? ["--to-rules", toRules, "--allow-loss"] : [];
      const expected = written("ged", "convert", ...toOther, file);
      const converted = engine.convert(bytes, toRules ? { toRules } : {});
      assert.deepEqual(Buffer.from(converted.bytes), expected, `${file} to ${toRules}`);
      // Advice is about what was only written differently.
      const lost = converted.findings.filter((finding) => finding.class !== "advice");
      assert.equal(lost.length, converted.losses, `${file} to ${toRules}`);
    }
  }
  const ansel = engine.convert(readFileSync(example("haugen.ged")), { encoding: "ANSEL", lineBreak: "crlf" });
  assert.equal(engine.info(ansel.bytes).encoding.used, "ANSEL");
  assert.equal(engine.info(ansel.bytes).line_breaks.lf, 0);
});

test("redactions, trees and reports are those of the command", () => {
  for (const name of ["attic.ged", "cousin.ged", "haugen.ged"]) {
    const bytes = readFileSync(example(name));
    const redacted = written("ged", "redact", "--today", today, example(name));
    const copy = engine.redact(bytes, { today });
    assert.deepEqual(Buffer.from(copy.bytes), redacted, name);
    const { summary } = jsonLines(elf("redact", "--today", today, "--format", "json", "-o", devNull, example(name))).pop();
    assert.equal(copy.structures, summary.structures, name);
    const tree = elf("tree", example(name), "--format", "svg").toString();
    assert.equal(engine.tree(bytes), tree, name);
    const report = written("html", "report", "--no-config", "--today", today, example(name)).toString();
    assert.equal(engine.report(bytes, { today, name: example(name) }), report, name);
  }
});

test("a document keeps every byte that is not edited", () => {
  const file = Buffer.from("0 HEAD\r\n1 CHAR ANSEL\r\n0 @I1@ INDI\r\n  1 NAME Jo\xe4ao\r\n1 SEX M\r\n0 TRLR\r\n", "latin1");
  const document = engine.Document.open(file);
  assert.equal(document.encoding.used, "ANSEL");
  assert.deepEqual(Buffer.from(document.toBytes()), file);
  document.set("@I1@/SEX", "F");
  assert.ok(document.isEdited);
  const expected = Buffer.from(file.toString("latin1").replace("SEX M", "SEX F"), "latin1");
  assert.deepEqual(Buffer.from(document.toBytes()), expected);
  const [sex] = document.structures("@I1@/SEX");
  assert.deepEqual([sex.path, sex.line, sex.tag, sex.payload], ["@I1@/SEX", 5, "SEX", "F"]);
  assert.throws(() => document.set("@I1@/BIRT/DATE", "1900"), /BIRT/);
  document.set("@I1@/BIRT/DATE", "1900", { create: true });
  document.rename("@I1@", "@P1@");
  assert.match(utf8(document.toBytes()), /0 @P1@ INDI[^]*1 BIRT\r\n2 DATE 1900\r\n/);
  document.remove("@P1@/BIRT");
  assert.deepEqual(document.structures("@P1@/BIRT"), []);
  document.free();
});

test("structures are those of the command", () => {
  for (const name of ["attic.ged", "bell-ringers.ged", "haugen.ged"]) {
    const expected = jsonLines(elf("show", "--form", "typed", "--format", "json", "--at", "INDI[*]", example(name)));
    const document = engine.Document.open(readFileSync(example(name)));
    const found = document.structures("INDI[*]").map(({ path, line, ...structure }) => structure);
    assert.deepEqual(found, expected, name);
  }
});

test("people are found as by the command", () => {
  const file = example("haugen.ged");
  const document = engine.Document.open(readFileSync(file));
  for (const [query, args] of [
    [{}, []],
    [{ name: "ostbo" }, ["--name", "ostbo"]],
    [{ born: "1830..1840", name: "haugen" }, ["--born", "1830..1840", "--name", "haugen"]],
  ]) {
    const expected = jsonLines(elf("find", "--format", "json", ...args, file));
    const without = expected.map(({ file, given, surname, ...person }) => person);
    assert.deepEqual(document.people(query), without);
  }
  assert.equal(document.people({ most: 3 }).length, 3);
  const { svg, tree } = document.tree("@I26@", { up: 2 });
  assert.ok(svg.startsWith("<svg") && tree.persons[0].id === "I26");
});

test("a person whose identifier is not unique is drawn by the line", () => {
  const people = ["@I1@ INDI\n1 NAME Ada", "@I1@ INDI\n1 NAME Bob", "INDI\n1 NAME Cleo"].map((record) => `0 ${record}\n`);
  const bytes = new TextEncoder().encode(`0 HEAD\n1 CHAR UTF-8\n${people.join("")}0 TRLR\n`);
  const document = engine.Document.open(bytes);
  const rows = document.people();
  assert.deepEqual(rows.map(({ line }) => line), [3, 5, 7]);
  for (const { line, name } of rows) {
    const { tree } = document.tree(undefined, { line });
    assert.deepEqual(tree.persons.map((person) => [person.line, person.name]), [[line, name]]);
    assert.ok(engine.tree(bytes, undefined, { line }).includes(name));
  }
  assert.throws(() => document.tree("@I1@"), /several people have the identifier `@I1@`/);
  assert.throws(() => document.tree(undefined, { line: 4 }), /line 4/);
  document.free();
});

test("every code has a page", () => {
  assert.match(engine.explain("level-too-deep").page, /^# E0203 level-too-deep\n/);
  assert.throws(() => engine.explain("E9999"), /E9999/);
});

test("options are checked", () => {
  const bytes = readFileSync(example("attic.ged"));
  assert.throws(() => engine.check(bytes, { aginst: "7.0" }), /unknown field `aginst`/);
  assert.throws(() => engine.check(bytes, { against: "8" }), /7\.0/);
  assert.throws(() => engine.check(bytes, { facts: true, today: "28 NOV" }), /2026-11-22/);
  assert.throws(() => engine.convert(bytes, { toRules: "gedcom-8" }), /gedcom-7/);
  assert.throws(() => engine.tree(bytes, "@X9@"), /@X9@/);
});

test("progress is reported up to the end", () => {
  const bytes = new TextEncoder().encode(`0 HEAD\n${"0 NOTE a long enough line\n".repeat(150_000)}0 TRLR\n`);
  const parts = [];
  engine.check(bytes, {}, (done, all) => parts.push(done / all));
  assert.ok(parts.length >= 3 && parts.at(-1) === 1, String(parts));
  assert.deepEqual(parts, [...parts].sort((one, other) => one - other));
});

test("no content makes an exception", () => {
  for (const bytes of [new Uint8Array(), new Uint8Array(5000), Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)]) {
    assert.ok(engine.check(bytes).findings.some(({ code }) => code.startsWith("E01")));
    engine.info(bytes);
    engine.Document.open(bytes).free();
  }
});
