// Puts the page together in `dist/page`: the compiled scripts, the engine, and the digests that its policy allows.
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { initSync, report, tree } from "../dist/package/elf.js";

const page = fileURLToPath(new URL(".", import.meta.url));
const engine = join(page, "../dist/package");
const output = join(page, "../dist/page");

for (const name of ["elf.js", "elf_bg.wasm"]) copyFileSync(join(engine, name), join(output, name));
for (const name of ["style.css", "icon.svg", "page.webmanifest"]) copyFileSync(join(page, name), join(output, name));

// A picture and a report contain their styles and a script, which never change. A frame has the policy of the page besides
// its own, so the page must allow them too.
initSync({ module: readFileSync(join(engine, "elf_bg.wasm")) });
const file = new TextEncoder().encode("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n");
const made = tree(file) + report(file);
const digests = (element) =>
  [...made.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, "g"))]
    .map(([, text]) => `'sha256-${createHash("sha256").update(unescaped(text)).digest("base64")}'`)
    .join(" ");

/** What a parser makes of the text of an element of SVG. */
function unescaped(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

const html = readFileSync(join(page, "index.html"), "utf8");
const [scripts, styles] = [digests("script"), digests("style")];
if (scripts === "" || styles === "") throw new Error("no script or no style in what the engine makes");
writeFileSync(join(output, "index.html"), html.replace("{{scripts}}", scripts).replace("{{styles}}", styles));

const files = readdirSync(output).filter((name) => name !== "sw.js" && !name.endsWith(".map")).sort();
const digest = createHash("sha256");
for (const name of files) digest.update(name).update(readFileSync(join(output, name)));
const worker = readFileSync(join(page, "sw.js"), "utf8")
  .replace("{{digest}}", digest.digest("hex").slice(0, 16))
  .replace("{{files}}", JSON.stringify(["./", ...files.filter((name) => name !== "index.html")]));
writeFileSync(join(output, "sw.js"), worker);
