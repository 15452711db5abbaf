// The manual pages of codes as elements. They use headings, paragraphs, lists, code and nothing else.
import { make } from "./dom.js";

/** Makes elements of a manual page, without its title. */
export function manualPage(markdown: string): HTMLElement {
  const page = make("div", { class: "manual" });
  for (const block of blocks(markdown)) page.append(element(block));
  return page;
}

/** Splits a page at blank lines that are not within code. */
function blocks(markdown: string): string[][] {
  const found: string[][] = [];
  let block: string[] = [];
  let isCode = false;
  for (const line of markdown.split("\n").filter((line) => !line.startsWith("# "))) {
    if (line.startsWith("```")) isCode = !isCode;
    if (line.trim() === "" && !isCode) {
      if (block.length > 0) found.push(block);
      block = [];
    } else {
      block.push(line);
    }
  }
  if (block.length > 0) found.push(block);
  return found;
}

function element(block: string[]): HTMLElement {
  const first = block[0] ?? "";
  if (first.startsWith("```")) {
    const code = make("code", {}, block.slice(1, -1).join("\n"));
    return make("pre", { tabindex: "0" }, code);
  }
  if (first.startsWith("## ")) return make("h3", {}, first.slice(3));
  if (first.startsWith("- ")) return make("ul", {}, ...items(block).map((item) => make("li", {}, ...inline(item))));
  if (first.startsWith("|")) return make("pre", { tabindex: "0" }, block.join("\n"));
  return make("p", {}, ...inline(block.join(" ")));
}

/** The items of a list; a line that does not start one continues the one before. */
function items(block: string[]): string[] {
  const found: string[] = [];
  for (const line of block) {
    if (line.startsWith("- ")) found.push(line.slice(2));
    else found.push(`${found.pop() ?? ""} ${line.trim()}`);
  }
  return found;
}

/** Text with code in backticks, and without the signs of other marks. */
function inline(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => {
    if (index % 2 === 1) return make("code", {}, part);
    return part.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*?([^*]+)\*\*?/g, "$1");
  });
}
