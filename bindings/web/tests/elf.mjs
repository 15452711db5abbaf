// The command `elf`, with which everything is compared.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
export const command = process.env.ELF ?? join(target, "debug/elf");

/** The day on which tests ask about facts. */
export const today = "2026-11-28";

/** Runs the command, and returns what it printed. Exit status 1 only means that something was found. */
export function elf(...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 1 << 30 });
  if (error !== undefined) throw error;
  if (status > 1) throw new Error(`elf ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The objects of JSON Lines. */
export function jsonLines(output) {
  return output.toString().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** What `elf check` finds in a file: the findings and the summary. */
export function checked(file, ...args) {
  const lines = jsonLines(elf("check", "--no-config", "--format", "json", ...args, file));
  const { summary } = lines.pop();
  return { findings: lines.map(withoutFetching), summary };
}

/** Only the command can get schemas from the network, and says how. */
function withoutFetching(finding) {
  const message = finding.message.replace(
    /^cannot get (the external schema `.*`): the network is only used with `--fetch`$/,
    "$1 is not available",
  );
  return { ...finding, message };
}

/** The output of the command that it writes to a file. */
export function written(ending, ...args) {
  const folder = temporaryFolder();
  const output = join(folder, `output.${ending}`);
  elf(...args, "-o", output);
  const bytes = readFileSync(output);
  rmSync(folder, { recursive: true });
  return bytes;
}

export function temporaryFolder() {
  return mkdtempSync(join(tmpdir(), "elf-web-"));
}

/** The example files, and the fixtures of all layers. */
export function files() {
  const all = [];
  const open = [join(root, "examples"), join(root, "tests/fixtures")];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.name.endsWith(".ged")) all.push(path);
    }
  }
  return all.sort();
}

/** Writes a generated file. */
export function generate(megabytes, output) {
  const arguments_ = ["run", "--locked", "--quiet", "-p", "xtask", "--", "generate", "--megabytes", String(megabytes), "-o", output];
  execFileSync("cargo", arguments_, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}
