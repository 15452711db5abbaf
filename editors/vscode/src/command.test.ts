import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { INSTALL_WORDS, findCommand } from "./command";

const folder = mkdtempSync(join(tmpdir(), "elf-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

function script(name: string, text: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, mode);
  return path;
}

test("the command is known by its version", async () => {
  const path = script("elf", "echo 'elf 0.1.0'");
  assert.deepEqual(await findCommand(` ${path} `), { path, version: "0.1.0" });
});

test("without a setting the search path counts", async () => {
  process.env.PATH = `${folder}:${process.env.PATH}`;
  assert.equal((await findCommand("")).path, "elf");
});

test("other programs and missing ones are refused, with the reason", async () => {
  await assert.rejects(findCommand(join(folder, "none")), /There is no command/);
  await assert.rejects(findCommand(script("other", "echo 'readelf 2'")), /is not the command/);
  await assert.rejects(findCommand(script("failing", "echo 'elf 1'; exit 3")), /is not the command/);
  process.env.PATH = "/nonexistent";
  await assert.rejects(findCommand(""), /is not installed/);
});

test("all ways to install the command are named", () => {
  const ways = ["pipx install elf-gedcom-cli", "npm install -g @elf-gedcom/cli", "cargo install --locked elf-cli", "Debian", "Windows"];
  for (const way of ways) assert.ok(INSTALL_WORDS.includes(way), way);
});
