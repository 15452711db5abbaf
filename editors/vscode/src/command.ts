// Finds the command `elf`.

import { execFile } from "node:child_process";

/** A command that can be started. */
export interface ElfCommand {
  readonly path: string;
  readonly version: string;
}

/** The ways to install the command, for a message. */
export const INSTALL_WORDS =
  "Install it with `pipx install elf-gedcom-cli` (Python), `npm install -g @elf-gedcom/cli` (Node.js), " +
  "`cargo install --locked elf-cli` (Rust), the Debian package or the archive for Windows, macOS and Linux. " +
  "If it is installed, name it in the setting elf.path.";

/** Why there is no command. */
export class NoCommand extends Error {}

/** The longest wait for an answer, in milliseconds. */
const PATIENCE = 10_000;

/** Returns the command at `path`, or `elf` on the search path if that is empty. */
export function findCommand(path: string): Promise<ElfCommand> {
  const named = path.trim() || "elf";
  return new Promise((resolve, reject) => {
    execFile(named, ["--version"], { timeout: PATIENCE, windowsHide: true }, (error, output) => {
      const version = /^elf (\S+)/.exec(output ?? "")?.[1];
      if (version !== undefined && !error) {
        resolve({ path: named, version });
        return;
      }
      reject(new NoCommand(reasonOf(named, error)));
    });
  });
}

function reasonOf(path: string, error: Error | null): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOENT") {
    return path === "elf"
      ? "The command `elf` is not installed, or not on your PATH."
      : `There is no command \`${path}\`.`;
  }
  if (code === "EACCES") {
    return `\`${path}\` may not be started.`;
  }
  return `\`${path}\` is not the command \`elf\` for GEDCOM files.`;
}
