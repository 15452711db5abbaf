// Starts `elf lsp` for GEDCOM files.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { INSTALL_WORDS, findCommand } from "./command";

/** Where to read how the command is installed. */
const INSTALLING = "https://github.com/fhiso/elf-rust/blob/main/docs/install.md";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("elf.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("elf.path") || change.affectsConfiguration("elf.facts")) {
        await restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("elf");
  try {
    const command = await findCommand(settings.get("path", ""));
    client = new LanguageClient("elf", "ELF", serverOf(command.path), optionsOf(settings));
    await client.start();
  } catch (error) {
    client = undefined;
    await explain(error instanceof Error ? error.message : String(error));
  }
}

function serverOf(path: string): ServerOptions {
  return { command: path, args: ["lsp"] };
}

function optionsOf(settings: vscode.WorkspaceConfiguration): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: "file", language: "gedcom" },
      { scheme: "untitled", language: "gedcom" },
    ],
    initializationOptions: { facts: settings.get("facts", false) },
    middleware: {
      // The commands of the palette are about the file in the active editor.
      executeCommand: (command, args: unknown[], next) => next(command, args.length > 0 ? args : activeFile()),
    },
  };
}

function activeFile(): string[] {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const converter = client?.code2ProtocolConverter;
  return uri && converter ? [converter.asUri(uri)] : [];
}

/** Says why there is no server, and what to do. */
async function explain(reason: string): Promise<void> {
  const install = "How to install";
  const settings = "Open settings";
  const chosen = await vscode.window.showErrorMessage(`${reason} ${INSTALL_WORDS}`, install, settings);
  if (chosen === install) {
    await vscode.env.openExternal(vscode.Uri.parse(INSTALLING));
  } else if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "elf.path");
  }
}
