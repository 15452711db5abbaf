#!/usr/bin/env node
// Runs the program of the package for this system, and exits as it does.
"use strict";

const { spawnSync } = require("child_process");

const name = `@elf-gedcom/cli-${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "elf.exe" : "elf";

let path;
try {
  path = require.resolve(`${name}/${program}`);
} catch {
  console.error(
    `error: the package ${name} is not installed. Install @elf-gedcom/cli without --omit=optional; ` +
      "if your system has no package, build the command with `cargo install elf-cli`.",
  );
  process.exit(2);
}

// The program handles an interrupt itself, for example by removing temporary files.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const ended = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`error: cannot run ${path}: ${ended.error.message}`);
  process.exit(2);
}
process.exit(ended.status === null ? 2 : ended.status);
