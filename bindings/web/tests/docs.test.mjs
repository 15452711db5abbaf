// Runs the examples of `docs/browser.md`, after the compiler of TypeScript has looked at them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { root, temporaryFolder } from "./elf.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/browser.md"), "utf8");
const examples = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code);

test("the examples of the page compile and run", () => {
  assert.ok(examples.length > 0);
  const folder = temporaryFolder();
  cpSync(join(here, "dist/package"), join(folder, "node_modules/@elf-gedcom/web"), { recursive: true });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) {
    cpSync(join(here, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
  }
  cpSync(join(root, "examples/damaged.ged"), join(folder, "family.ged"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const options = {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    types: ["node"],
    lib: ["ES2022", "ESNext.Disposable", "DOM"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  for (const [at, code] of examples.entries()) writeFileSync(join(folder, `example${at}.ts`), code);
  execFileSync(join(here, "node_modules/.bin/tsc"), ["-p", folder], { stdio: ["ignore", "inherit", "inherit"] });
  for (const at of examples.keys()) {
    const printed = execFileSync("node", [`example${at}.js`], { cwd: folder, encoding: "utf8" });
    assert.match(printed, /level-too-deep|fixed/);
  }
  rmSync(folder, { recursive: true });
});
