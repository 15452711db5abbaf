// Opens pages in headless Chromium and checks them: rules of accessibility by axe-core, nothing wider than the window, no
// request to a network, links that lead somewhere, and all of it without the page's script, too.
//
//   node check.mjs page.html …
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const windows = [
  { width: 1200, height: 900, colorScheme: "light" },
  { width: 1200, height: 900, colorScheme: "dark" },
  { width: 420, height: 900, colorScheme: "light" },
];
let faults = 0;

function fault(page, text) {
  faults += 1;
  console.log(`${page}: ${text}`);
}

async function check(browser, file, { width, height, colorScheme }, javaScriptEnabled) {
  const name = `${file} (${width}, ${colorScheme}${javaScriptEnabled ? "" : ", no script"})`;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    javaScriptEnabled,
    // axe-core is added to the page, whose policy allows no script but its own.
    bypassCSP: javaScriptEnabled,
  });
  const page = await context.newPage();
  const address = pathToFileURL(resolve(file)).href;
  page.on("request", (request) => {
    if (request.url() !== address) fault(name, `asks for ${request.url()}`);
  });
  page.on("console", (message) => fault(name, `says on the console: ${message.text()}`));
  page.on("pageerror", (error) => fault(name, `error of the script: ${error}`));
  await page.goto(address);
  const text = await page.innerText("body");
  if (text.trim().length < 100) fault(name, "is empty");
  if (javaScriptEnabled) {
    await page.evaluate(axe);
    const found = await page.evaluate(() => {
      for (const folded of document.querySelectorAll("details")) folded.open = true;
      return globalThis.axe.run(document, { resultTypes: ["violations"] });
    });
    for (const { id, help, nodes } of found.violations) {
      fault(name, `${id}: ${help}: ${nodes.length} places, first ${nodes[0].html.slice(0, 200)}`);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) fault(name, `is ${wide} pixels wider than the window`);
    const broken = await page.evaluate(() => {
      const targets = [...document.querySelectorAll("a[href^='#']")].map((link) => link.getAttribute("href").slice(1));
      return targets.filter((id) => !document.getElementById(id));
    });
    if (broken.length > 0) fault(name, `links to nothing: ${broken.slice(0, 3)}`);
  }
  await context.close();
}

const files = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args });
for (const file of files) {
  for (const window of windows) await check(browser, file, window, true);
  await check(browser, file, windows[0], false);
}
await browser.close();
console.log(`${files.length} pages, ${faults} faults`);
process.exit(faults === 0 && files.length > 0 ? 0 : 1);
