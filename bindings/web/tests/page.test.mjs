// The page in Chromium: it finds what the command finds, its downloads are the files of the command, it asks for nothing but
// its own files, and it stays usable whatever somebody drops on it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";
import { checked, command, elf, generate, jsonLines, root, temporaryFolder, written } from "./elf.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
const windows = [
  { width: 1600, height: 1000 },
  { width: 1024, height: 768 },
  { width: 700, height: 900 },
  { width: 360, height: 740 },
];
const folder = temporaryFolder();
let browser, server, address;

before(async () => {
  ({ server, address } = await serve());
  browser = await chromium.launch({ executablePath, args });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Opens the page. Every request and every message on the console is checked. */
async function openPage(options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  context.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("blob:")) faults.push(`asks for ${request.url()}`);
  });
  // The policy of the page is that of everything in it, so a violation is a fault of the page.
  page.on("console", (message) => faults.push(`says on the console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error of the script: ${error}`));
  await page.goto(address);
  await isReady(page);
  const close = async () => {
    assert.deepEqual(faults, []);
    await context.close();
  };
  return { page, close };
}

/** Waits until the engine of a page has answered. */
function isReady(page) {
  return page.waitForFunction(() => document.getElementById("version").textContent !== "");
}

const example = (name) => join(root, "examples", name);

/** Opens the page so that a test can hold back its work. */
async function openPageWithHold() {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  let held;
  await page.route("**/elf_bg.wasm", async (route) => {
    await held;
    // The worker may have ended meanwhile.
    await route.continue().catch(() => undefined);
  });
  await page.goto(address);
  await isReady(page);
  /** Holds back all work from now on, until the function that is returned is called. */
  const hold = async () => {
    let release;
    held = new Promise((resolve) => (release = resolve));
    // There is no work to cancel, but the next work needs a new worker.
    await page.evaluate(() => document.getElementById("cancel").click());
    return release;
  };
  return { page, hold, close: () => context.close() };
}

/** Opens the page with a statement at the start of the function that collects the findings of a search in the worker. */
async function openPageWithCollect(statement) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const workers = [];
  page.on("worker", (worker) => workers.push(worker));
  await page.route("**/filter.js", async (route) => {
    const response = await route.fetch();
    // Only a worker has no document.
    const start = `$& if (typeof document === "undefined") ${statement}`;
    await route.fulfill({ response, body: (await response.text()).replace(/function collect\(.*\{/, start) });
  });
  await page.goto(address);
  await isReady(page);
  return { page, workers, close: () => context.close() };
}

/** Makes a file with more findings than are listed. The last person has the name Zacharias, and died before his birth. */
function makeManyFindings(name) {
  const person = (at) => `0 @I${at}@ INDI\n1 NAME Ada /Doe/\n1 BIRT\n2 DATE 31 FEB 1850\n`;
  const people = Array.from({ length: 1500 }, (_, at) => person(at + 1)).join("");
  const last = "0 @I1501@ INDI\n1 NAME Zacharias /Doe/\n1 BIRT\n2 DATE 1 JAN 1850\n1 DEAT\n2 DATE 1 JAN 1840\n";
  writeFileSync(join(folder, name), `0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n${people}${last}0 TRLR\n`);
  return join(folder, name);
}

/** Types into the filter, and waits until the search has begun. */
async function typeFilter(page, words) {
  await page.fill("#filter-form input[name=text]", words);
  await page.waitForTimeout(500);
}

async function choose(page, file) {
  await page.setInputFiles("#file-input", file);
  await page.waitForSelector("#file:not([hidden]), #message:not([hidden])", { timeout: 120_000 });
}

/** Reads all findings from the page: code, line and message. */
async function findingsOnPage(page) {
  for (const group of await page.$$("#groups > details")) {
    await group.evaluate((details) => (details.open = true));
    for (const more of await group.$$("button")) while (await more.isVisible()) await more.click();
  }
  return page.evaluate(() =>
    [...document.querySelectorAll("#groups > details")].flatMap((group) => {
      const code = /E\d{4}|P\d\d/.exec(group.querySelector(".explanation summary").textContent)[0];
      return [...group.querySelectorAll(".finding")].map((finding) => {
        const line = /^Line ([\d,]+)/.exec(finding.querySelector(".place").textContent)?.[1].replaceAll(",", "");
        return [code, line ?? "", finding.querySelector(".words").textContent].join(" ");
      });
    }),
  );
}

function expectedFindings(file, ...args) {
  const sentence = (text) => {
    const plain = (text.charAt(0).toUpperCase() + text.slice(1)).replaceAll("`", "");
    return /[.!?]$/.test(plain) ? plain : `${plain}.`;
  };
  return checked(file, ...args).findings.map(({ code, line, message }) => [code, line ?? "", sentence(message)].join(" "));
}

async function download(page, button) {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
  return readFileSync(await saved.path());
}

test("findings are those of the command, in UTF-8, in ANSEL and in a large file", async () => {
  const large = join(folder, "fifty.ged");
  generate(50, large);
  const ansel = join(folder, "ansel.ged");
  writeFileSync(ansel, readFileSync(example("damaged.ged"), "utf8").replace("CHAR UTF-8", "CHAR ANSEL").replace("è", "\u00e1e"), "latin1");
  // The large file has no faults: some are added at its end.
  const text = readFileSync(large, "utf8").replace(/0 TRLR\s*$/, "0 @N9999999@ NOTE a@b\n1 DATE 31 FEB 1850\n3 PLAC x\n0 TRLR\n");
  writeFileSync(large, text);
  const { page, close } = await openPage();
  for (const file of [example("damaged.ged"), example("attic.ged"), ansel, large]) {
    await choose(page, file);
    const found = await findingsOnPage(page);
    assert.ok(found.length > 0, file);
    assert.deepEqual(found.sort(), expectedFindings(file).sort(), file);
    await page.click("#close");
  }
  await close();
});

test("the encoding and its evidence are shown", async () => {
  const { page, close } = await openPage();
  await choose(page, example("diskette.ged"));
  await page.click("#evidence summary");
  assert.ok((await page.locator("#encoding-evidence li").count()) > 0);
  assert.match(await page.innerText("#facts"), /Encoding\s+\S+/);
  await close();
});

test("a fixed download is the file that --fix writes", async () => {
  const { page, close } = await openPage();
  await choose(page, example("damaged.ged"));
  await page.click("#fix");
  const fixed = await download(page, "#fixed button.primary");
  assert.deepEqual(fixed, written("ged", "check", "--no-config", "--fix", example("damaged.ged")));
  await page.click("text=Check the fixed file");
  await page.waitForFunction(() => document.getElementById("file-name").textContent === "damaged-fixed.ged");
  assert.match(await page.innerText("#summary"), /No problems were found/);
  await close();
});

test("the fix of another line shows its new text", async () => {
  const file = join(folder, "elsewhere.ged");
  writeFileSync(file, "0 HEAD\n1 SOUR x\n1 CHAR ANSEL\n1 GEDC\n2 VERS 5.5.1\n0 @I1@ INDI\n1 NAME Jos\u00e9\n1 NOTE a@b\n0 TRLR\n");
  const { page, close } = await openPage();
  await choose(page, file);
  await findingsOnPage(page);
  const fixes = await page.$$eval(".finding .fix", (fixes) =>
    fixes.map((fix) => [fix.querySelector("p").textContent, ...[...fix.querySelectorAll("del, ins")].map((line) => line.textContent)]),
  );
  const expected = [
    // E0105 is found where the first byte is that is not ASCII, E0117 in the line itself.
    ["The fix replaces line 3:", "3 + 1 CHAR UTF-8"],
    ["The fix:", "3 - 1 CHAR ANSEL", "3 + 1 CHAR UTF-8"],
    ["The fix:", "8 - 1 NOTE a@b", "8 + 1 NOTE a@@b"],
  ];
  assert.deepEqual(fixes.sort(), expected.sort());
  await close();
});

test("findings that were never counted as fixable are not listed after a fix", async () => {
  const file = join(folder, "alias.ged");
  writeFileSync(file, "0 HEAD\n1 SOUR x\n1 CHAR IBMPC\n1 GEDC\n2 VERS 5.5.1\n0 @I1@ INDI\n1 NOTE a@b\n0 TRLR\n");
  const { page, close } = await openPage();
  await choose(page, file);
  assert.match(await page.innerText("#groups"), /encoding/i);
  assert.match(await page.innerText("#fixing-words"), /^1 finding can be fixed/);
  await page.click("#fix");
  await page.waitForSelector("#fixed button");
  const text = await page.innerText("#fixed");
  assert.match(text, /^Fixed 1 finding\./);
  assert.doesNotMatch(text, /E0107|not fixed/);
  await close();
});

test("options, filter and explanation", async () => {
  const { page, close } = await openPage();
  await choose(page, example("attic.ged"));
  const before = await page.innerText("#summary");
  await page.selectOption("select[name=against]", "5.5.1");
  await page.waitForFunction((text) => document.getElementById("summary").textContent !== text, before);
  assert.deepEqual((await findingsOnPage(page)).sort(), expectedFindings(example("attic.ged"), "--against", "5.5.1").sort());
  await page.fill("input[name=text]", "31 FEB");
  await page.waitForFunction(() => /^1 finding of/.test(document.getElementById("filtered").textContent));
  await page.click(".explanation summary");
  await page.waitForSelector(".manual h3");
  // They are those of one file.
  await page.click("#close");
  await choose(page, example("attic.ged"));
  assert.deepEqual([await page.inputValue("select[name=against]"), await page.inputValue("input[name=text]")], ["", ""]);
  assert.equal(await page.innerText("#summary"), before);
  await close();
});

test("a search looks at all findings, and not only at those that are listed", async () => {
  const person = (at) => `0 @I${at}@ INDI\n1 NAME ${at === 1400 ? "Zacharias" : "Ada"} /Doe/\n1 BIRT\n2 DATE 31 FEB 1850\n`;
  const many = join(folder, "many.ged");
  const people = Array.from({ length: 1500 }, (_, at) => person(at + 1)).join("");
  writeFileSync(many, `0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n${people}0 TRLR\n`);
  const { page, close } = await openPage();
  await choose(page, many);
  assert.match(await page.innerText("#filtered"), /first 1,000 are listed\. A search looks at all [\d,]+ findings/);
  await page.fill("#filter-form input[name=text]", "zacharias");
  await page.waitForFunction(() => /^1 finding of/.test(document.getElementById("filtered").textContent));
  assert.match(await page.innerText("#groups .finding"), /Zacharias/);
  await page.fill("#filter-form input[name=text]", "31 feb doe");
  await page.waitForFunction(() => /^1,500 findings of/.test(document.getElementById("filtered").textContent));
  assert.match(await page.innerText("#groups details"), /500 more findings are not listed/);
  await page.fill("#filter-form input[name=text]", "nobody");
  await page.waitForFunction(() => /^0 findings of/.test(document.getElementById("filtered").textContent));
  await close();
});

test("a search waits for other work, and does not end it", async () => {
  const { page, hold, close } = await openPageWithHold();
  await choose(page, makeManyFindings("waits.ged"));
  assert.doesNotMatch(await page.innerText("#summary"), /question/);
  const release = await hold();
  await page.check("input[name=facts]");
  await page.click("#tab-convert");
  await page.click("#convert-form button");
  await page.click("#tab-findings");
  for (const words of ["z", "zach", "zacharias"]) await typeFilter(page, words);
  release();
  await page.waitForSelector("#converted button", { state: "attached" });
  await page.waitForFunction(() => /1 question/.test(document.getElementById("summary").textContent));
  await page.waitForFunction(() => /^1 finding of/.test(document.getElementById("filtered").textContent));
  assert.ok(await page.isHidden("#message"));
  await close();
});

test("the message about work that failed is shown while a search waits", async () => {
  const { page, hold, close } = await openPageWithHold();
  await choose(page, makeManyFindings("fails.ged"));
  const release = await hold();
  await page.click("#tab-convert");
  await page.evaluate(() => (document.querySelector("#convert-form input").value = "gedcom-8"));
  await page.click("#convert-form button");
  await page.click("#tab-findings");
  await typeFilter(page, "zacharias");
  release();
  await page.waitForFunction(() => /^0 findings of/.test(document.getElementById("filtered").textContent));
  assert.match(await page.innerText("#message"), /gedcom-8/);
  await close();
});

test("a search has the options of the report that is shown", async () => {
  const { page, hold, close } = await openPageWithHold();
  await choose(page, makeManyFindings("options.ged"));
  await page.check("input[name=facts]");
  await page.waitForFunction(() => /1 question/.test(document.getElementById("summary").textContent));
  const release = await hold();
  await page.uncheck("input[name=facts]");
  await page.click("#cancel");
  await page.waitForSelector("#message:not([hidden])");
  release();
  await typeFilter(page, "zacharias");
  await page.waitForFunction(() => /^1 finding of/.test(document.getElementById("filtered").textContent));
  assert.match(await page.innerText("#groups .finding"), /Zacharias/);
  await close();
});

test("a search ends the search before it", async () => {
  const { page, workers, close } = await openPageWithCollect('while (filter.words[0] === "forever");');
  await choose(page, makeManyFindings("forever.ged"));
  await typeFilter(page, "forever");
  const before = workers.length;
  await typeFilter(page, "zacharias");
  await page.waitForFunction(() => /^0 findings of/.test(document.getElementById("filtered").textContent));
  assert.equal(workers.length, before + 1);
  await close();
});

test("a search that needs too much memory ends its worker, and the next work has a new one", async () => {
  const { page, workers, close } = await openPageWithCollect('throw new RangeError("Invalid array length");');
  await choose(page, makeManyFindings("memory.ged"));
  await typeFilter(page, "zacharias");
  await page.waitForSelector("#message:not([hidden])");
  assert.match(await page.innerText("#message"), /needs more memory than your browser gives to a page/);
  const before = workers.length;
  await page.click("#tab-convert");
  await page.click("#convert-form button");
  await page.waitForSelector("#converted button");
  assert.equal(workers.length, before + 1);
  await close();
});

test("the standards of the page are those of the command", async () => {
  const help = elf("check", "--help").toString();
  const section = /--against <STANDARD>([^]*?)\n\s+--\w/.exec(help)[1];
  const named = [...section.matchAll(/^\s+- ([\w.-]+): +(.+)$/gm)].map(([, name, title]) => [name, title]);
  const { page, close } = await openPage();
  const [[usual], ...offered] = await page.$$eval("select[name=against] option", (options) =>
    options.map(({ value, textContent }) => [value, textContent]),
  );
  assert.equal(usual, "");
  assert.deepEqual(offered.sort(), named.sort());
  // What is found by default is advice; under a standard that is named, it is non-conformant.
  const file = join(folder, "repeated.ged");
  writeFileSync(file, "0 HEAD\n1 SOUR x\n1 SUBM @U1@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @U1@ SUBM\n1 NAME A\n0 @I1@ INDI\n1 SEX M\n1 SEX F\n0 TRLR\n");
  await choose(page, file);
  for (const against of ["", ...offered.map(([name]) => name)]) {
    await page.selectOption("select[name=against]", against);
    await page.waitForFunction(() => document.getElementById("work").hidden);
    const args = against === "" ? [] : ["--against", against];
    await assertEventually(async () => {
      assert.deepEqual((await findingsOnPage(page)).sort(), expectedFindings(file, ...args).sort(), against);
    });
  }
  await close();
});

/** Waits until an assertion holds. */
async function assertEventually(assertion) {
  for (let tries = 0; ; tries++) {
    try {
      return await assertion();
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

test("the fixed file is checked with the options of the file", async () => {
  const { page, close } = await openPage();
  await choose(page, example("damaged.ged"));
  await page.selectOption("select[name=against]", "5.5.1");
  await page.click("#fix");
  await page.click("text=Check the fixed file");
  await page.waitForFunction(() => document.getElementById("file-name").textContent === "damaged-fixed.ged");
  assert.equal(await page.inputValue("select[name=against]"), "5.5.1");
  await close();
});

test("the server answers HEAD as GET, without the content", async () => {
  const [head, get] = await Promise.all(["HEAD", "GET"].map((method) => fetch(`${address}main.js`, { method })));
  assert.deepEqual([head.status, get.status], [200, 200]);
  for (const name of ["content-type", "content-length"]) assert.equal(head.headers.get(name), get.headers.get(name));
  assert.equal(Number(get.headers.get("content-length")), (await get.arrayBuffer()).byteLength);
  assert.equal(await head.text(), "");
  assert.equal((await fetch(`${address}none.js`, { method: "HEAD" })).status, 404);
  assert.equal((await fetch(address, { method: "POST" })).status, 405);
});

test("a tree has the colours of the page", async () => {
  for (const [colorScheme, isDark] of [["light", false], ["dark", true]]) {
    const { page, close } = await openPage({ colorScheme });
    await choose(page, example("haugen.ged"));
    await page.click("#tab-tree");
    await page.waitForSelector("#drawing svg");
    const lightness = (selector) =>
      page.evaluate((selector) => {
        const [red, green, blue] = getComputedStyle(document.querySelector(selector)).fill.match(/\d+/g).map(Number);
        return (red + green + blue) / 3;
      }, selector);
    for (const selector of [".paper", ".area"]) assert.equal((await lightness(`#drawing ${selector}`)) < 128, isDark, selector);
    for (const selector of [".heading", ".name", ".small"]) {
      assert.equal((await lightness(`#drawing ${selector}`)) > 128, isDark, selector);
    }
    // The file is for paper.
    assert.match((await download(page, "#drawing button.primary")).toString(), /\.paper \{ fill: #fff; \}/);
    await close();
  }
});

test("conversions and the copy without living people are downloaded", async () => {
  const { page, close } = await openPage();
  await choose(page, example("cousin.ged"));
  await page.click("#tab-convert");
  await page.check("input[value=gedcom-7]");
  await page.click("#convert-form button");
  await page.waitForSelector("#converted button");
  const expected = written("ged", "convert", "--to-rules", "gedcom-7", example("cousin.ged"));
  assert.deepEqual(await download(page, "#converted button"), expected);
  await page.click("#tab-redact");
  await page.click("#redact-form button");
  await page.waitForSelector("#redacted button");
  assert.deepEqual(await download(page, "#redacted button"), written("ged", "redact", example("cousin.ged")));
  await close();
});

test("a copy in which nobody is hidden says what it lacks", async () => {
  const head = "0 HEAD\n1 CHAR UTF-8\n1 SUBM @U1@\n1 FILE secret.ged\n";
  const file = join(folder, "dead.ged");
  const submitter = "0 @U1@ SUBM\n1 NAME Ada Doe\n1 ADDR Street 1\n2 CONT Town\n1 EMAIL ada@@example.org\n";
  writeFileSync(file, `${head}${submitter}0 @I1@ INDI\n1 NAME Bob\n1 DEAT\n2 DATE 1850\n0 TRLR\n`);
  const { summary } = jsonLines(elf("redact", "--format", "json", "-o", join(folder, "dead-public.ged"), file)).pop();
  assert.equal(summary.structures, 3);
  const { page, close } = await openPage();
  await choose(page, file);
  await page.click("#tab-redact");
  await page.click("#redact-form button");
  await page.waitForSelector("#redacted button");
  const text = await page.innerText("#redacted");
  assert.match(text, /nobody is hidden\./);
  assert.match(text, /File names, and the names and addresses of submitters, are left out of every copy or hidden\./);
  assert.match(text, /3 structures were removed from records that are kept\./);
  await close();
});

test("what a conversion says at its head agrees with its lists", async () => {
  const head = "0 HEAD\n1 SOUR x\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n";
  const make = (name, records) => {
    writeFileSync(join(folder, name), `${head}${records}0 TRLR\n`);
    return join(folder, name);
  };
  const { page, close } = await openPage();
  const converted = async (file) => {
    await choose(page, file);
    await page.click("#tab-convert");
    await page.check("input[value=gedcom-7]");
    await page.click("#convert-form button");
    await page.waitForSelector("#converted button");
    const lists = await page.$$eval("#converted ul", (lists) => lists.map((list) => list.children.length));
    const text = await page.innerText("#converted");
    await page.click("#close");
    return { lists, text };
  };
  const media = "0 @I1@ INDI\n1 NAME Ada\n1 RIN 5\n1 OBJE\n2 FILE a.jpg\n2 FORM jpeg\n";
  const kept = await converted(make("kept.ged", media));
  assert.match(kept.text, /^Converted\. Nothing in the GEDCOM file was lost\.\s+These changes were made:/);
  assert.equal(kept.lists.length, 1);
  const lost = await converted(make("lost.ged", `${media}1 ASSO @I9@\n2 TYPE INDI\n2 RELA x\n1 FAMC @F9@\n`));
  const [, number] = /^Converted\. (\d+) things? could not be converted:/.exec(lost.text);
  assert.equal(Number(number), lost.lists[0], lost.text);
  assert.ok(!lost.text.includes("was lost") && lost.lists.length === 2, lost.text);
  await close();
});

test("the people of an earlier file are gone, and a long list tells how long it is", async () => {
  const many = join(folder, "people.ged");
  const people = Array.from({ length: 300 }, (_, at) => `0 @I${at}@ INDI\n1 NAME ${at % 2 === 0 ? "Ada" : "Bob"} /Doe/\n`).join("");
  writeFileSync(many, `0 HEAD\n1 CHAR UTF-8\n${people}0 TRLR\n`);
  const { page, close } = await openPage();
  await choose(page, many);
  await page.click("#tab-tree");
  await page.waitForSelector("#drawing svg");
  assert.match(await page.innerText("#people-words"), /^300 people in the file\. The first 120 are listed/);
  assert.equal(await page.locator("#people button.person").count(), 6);
  await page.click("#people >> text=Show 30 more of 114");
  assert.equal(await page.locator("#people button.person").count(), 36);
  await page.fill("#tree-form input[name=name]", "ada");
  await page.waitForFunction(() => /^150 people found\./.test(document.getElementById("people-words").textContent));
  await page.click("#close");
  const nobody = join(folder, "nobody.ged");
  writeFileSync(nobody, "0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n0 TRLR\n");
  await choose(page, nobody);
  assert.equal(await page.textContent("#people-words"), "");
  await page.click("#tab-tree");
  await page.waitForFunction(() => document.getElementById("people-words").textContent === "There are no people in this file.");
  assert.equal(await page.locator("#people button.person").count(), 0);
  await close();
});

test("a person is found, and a tree is drawn around them", async () => {
  const { page, close } = await openPage();
  await choose(page, example("haugen.ged"));
  await page.click("#tab-tree");
  await page.waitForSelector("#drawing svg");
  await page.fill("#tree-form input[name=name]", "ostbo");
  await page.click("#people >> text=Ragnhild");
  await page.waitForFunction(() => document.querySelector("#drawing svg title")?.textContent.includes("Ragnhild"));
  const height = await page.evaluate(() => getComputedStyle(document.querySelector("#drawing .heading")).fontWeight);
  assert.equal(height, "700", "the style of the picture is allowed");
  await close();
});

test("each person is drawn, even if the identifier is missing or not unique", async () => {
  const file = join(folder, "twice.ged");
  const people = ["@I1@ INDI\n1 NAME Ada", "@I1@ INDI\n1 NAME Bob", "INDI\n1 NAME Cleo"].map((record) => `0 ${record}\n`);
  writeFileSync(file, `0 HEAD\n1 CHAR UTF-8\n${people.join("")}0 TRLR\n`);
  const { page, close } = await openPage();
  await choose(page, file);
  await page.click("#tab-tree");
  await page.waitForSelector("#drawing svg");
  for (const name of ["Bob", "Cleo", "Ada"]) {
    await page.click(`#people >> text=${name}`);
    await page.waitForFunction((name) => document.querySelector("#drawing svg title")?.textContent.includes(name), name);
  }
  await close();
});

test("the person of a large tree is in the middle of the frame", async () => {
  const file = join(folder, "wide.ged");
  const records = [];
  const family = (person, generation) => {
    if (generation === 6) return;
    const parents = [2 * person, 2 * person + 1];
    records.push(`0 @F${person}@ FAM\n1 HUSB @I${parents[0]}@\n1 WIFE @I${parents[1]}@\n1 CHIL @I${person}@\n`);
    for (const parent of parents) {
      records.push(`0 @I${parent}@ INDI\n1 NAME Parent ${parent}\n1 FAMS @F${person}@\n${generation < 5 ? `1 FAMC @F${parent}@\n` : ""}`);
      family(parent, generation + 1);
    }
  };
  family(1, 0);
  writeFileSync(file, `0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Root\n1 FAMC @F1@\n${records.join("")}0 TRLR\n`);
  const { page, close } = await openPage({ viewport: { width: 700, height: 700 } });
  await choose(page, file);
  await page.click("#tab-tree");
  await page.fill("#tree-form input[name=up]", "6");
  await page.waitForFunction(() => /6 generations/.test(document.querySelector("#drawing desc")?.textContent));
  const [distance, excess] = await page.evaluate(() => {
    const frame = document.querySelector(".picture");
    const [box, root] = [frame, frame.querySelector(".root")].map((element) => element.getBoundingClientRect());
    return [root.top + root.height / 2 - box.top - box.height / 2, frame.scrollHeight - frame.clientHeight];
  });
  assert.ok(excess > 1000, `the picture is only ${excess} pixels too high`);
  assert.ok(Math.abs(distance) < 20, `${distance} pixels from the middle`);
  await close();
});

test("the report is shown in a frame without rights", async () => {
  const { page, close } = await openPage();
  await choose(page, example("haugen.ged"));
  await page.click("#tab-report");
  await page.click("#report-form button");
  const frame = page.frameLocator("iframe.report");
  await frame.locator("h1").waitFor();
  assert.match(await frame.locator("h1").innerText(), /haugen\.ged/);
  assert.equal(await page.getAttribute("iframe.report", "sandbox"), "allow-scripts");
  // A link to a part of the report must not lead the frame away.
  await frame.locator('a[href^="#"]').last().click();
  assert.match(await frame.locator("h1").innerText(), /haugen\.ged/);
  await page.click('#report-form input[name="living"]');
  assert.equal(await page.locator("iframe.report").count(), 0);
  await close();
});

test("bad files get a reason, and the page stays usable", async () => {
  const make = (name, content) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const huge = make("huge.ged", "0 HEAD\n");
  truncateSync(huge, 2_000_000_000);
  const { page, close } = await openPage();
  for (const [file, reason] of [
    [make("empty.ged", ""), /empty\.ged: The file is empty: it has 0 bytes/],
    [
      make("letter.txt", "Dear Anna,\n\nthank you for your letter.\n1 more thing: come soon.\nYours, Bob\n"),
      /letter\.txt: This is not a GEDCOM file: expected 0 HEAD as the first line\./,
    ],
    [make("table.csv", 'name,birth\n"Smith, John",1850\n'), /table\.csv: This is not a GEDCOM file: the file contains no valid line\./],
    [make("letter.pdf", "%PDF-1.7\nabc\n"), /looks like a PDF/],
    [make("noise.ged", Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919 + (at >> 3)) % 256)), /noise\.ged: .*(not a GEDCOM|looks like)/],
    [huge, /2\.00 GB.*up to 500 MB/],
    [make("secret.zip", encryptedZip("secret.ged", "0 HEAD\n0 TRLR\n")), /secret\.zip!secret\.ged: It is encrypted/],
    [make("torn.zip", tornZip("in/torn.ged", "0 HEAD\n0 TRLR\n")), /^torn\.zip!in\/torn\.ged: .*checksum/i],
    [make("cut.zip", encryptedZip("x.ged", "0 HEAD\n").subarray(0, 40)), /cut\.zip: .*(cut off|damaged)/],
  ]) {
    await choose(page, file);
    assert.match(await page.innerText("#message"), reason);
    assert.ok(await page.isVisible("#choose-file"), file);
  }
  // A file that lost its header is GEDCOM.
  await choose(page, make("cut.ged", "0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n"));
  assert.equal(await page.innerText("#file-name"), "cut.ged");
  await page.click("#close");
  await choose(page, example("attic.ged"));
  assert.equal(await page.innerText("#file-name"), "attic.ged");
  await close();
});

test("a file that is not GEDCOM can be read in an encoding, as with --encoding", async () => {
  const { page, close } = await openPage();
  const offered = await page.$$eval("#force-form option", (options) => options.map(({ value }) => value));
  const refused = spawnSync(command, ["check", "--encoding", "x", "y"]).stderr.toString();
  assert.deepEqual(offered.sort(), /expected one of ([^\n]*)/.exec(refused)[1].split(", ").sort());
  const picture = join(folder, "tree.png");
  const text = "\n0 HEAD\n1 CHAR UNICODE\n0 @I1@ INDI\n1 NAME Jürgen /Doe/\n0 TRLR\n";
  writeFileSync(picture, Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from(text, "utf16le")]));
  await choose(page, picture);
  assert.match(await page.innerText("#message"), /looks like a picture/);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#choose-other")]);
  assert.ok(chooser);
  await page.selectOption("#force-form select", "UTF-16LE");
  await page.click("text=Read it anyway");
  await page.waitForSelector("#file:not([hidden])");
  assert.match(await page.innerText("#facts"), /Encoding\s+UTF-16LE/);
  assert.ok(await page.isHidden("#force-form"));
  assert.deepEqual((await findingsOnPage(page)).sort(), expectedFindings(picture, "--encoding", "UTF-16LE").sort());
  await page.click("#tab-tree");
  assert.match(await page.innerText("#people"), /Jürgen/);
  await page.click("#tab-convert");
  await page.click("#convert-form button");
  const expected = written("ged", "convert", "--from-encoding", "UTF-16LE", picture);
  assert.deepEqual(await download(page, "#converted button"), expected);
  await close();
});

test("an encoding is not offered for a file whose reading was cancelled", async () => {
  const picture = join(folder, "cancelled.png");
  writeFileSync(picture, Buffer.from("\x89PNG\r\n\x1a\n\n0 HEAD\n0 TRLR\n", "latin1"));
  const { page, hold, close } = await openPageWithHold();
  const readAnyway = async () => {
    await choose(page, picture);
    await page.waitForSelector("#force-form:not([hidden])");
    const release = await hold();
    await page.click("text=Read it anyway");
    await page.waitForSelector("#work:not([hidden])");
    return release;
  };
  const release = await readAnyway();
  await page.click("#cancel");
  await page.waitForSelector("#message:not([hidden])");
  assert.equal(await page.innerText("#message"), "Cancelled.");
  assert.ok(await page.isHidden("#force-form"));
  release();
  // The form must not appear while another file is read.
  const releaseOther = await readAnyway();
  await page.setInputFiles("#file-input", example("attic.ged"));
  await page.waitForFunction(() => /Looking at/.test(document.getElementById("work-words").textContent));
  assert.ok(await page.isHidden("#force-form"));
  releaseOther();
  await page.waitForSelector("#file:not([hidden])");
  assert.equal(await page.innerText("#file-name"), "attic.ged");
  await close();
});

/** A ZIP archive with one stored entry, whose checksum is wrong. */
function tornZip(name, text) {
  const zip = encryptedZip(name, text);
  for (const header of ["PK\x03\x04", "PK\x01\x02"]) {
    const start = zip.indexOf(header) + (header === "PK\x03\x04" ? 4 : 6);
    zip.writeUInt16LE(0, start + 2);
    zip.writeUInt32LE(1, start + 10);
  }
  return zip;
}

/** A ZIP archive with one stored entry, which is marked as encrypted. */
function encryptedZip(name, text) {
  const [label, data] = [Buffer.from(name), Buffer.from(text)];
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(1, 2);
  head.writeUInt32LE(data.length, 14);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt16LE(label.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, label, data]);
  const listed = Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), head, Buffer.alloc(14), label]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, listed, Buffer.from("PK\x05\x06"), end]);
}

test("a file can be opened before the engine is loaded", async () => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/elf_bg.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "load" });
  await page.setInputFiles("#file-input", example("attic.ged"));
  await page.waitForSelector("#work:not([hidden])");
  assert.ok(!(await page.isVisible("#message")));
  release();
  await page.waitForSelector("#file:not([hidden])");
  await isReady(page);
  await context.close();
});

test("looking at files can be cancelled", async () => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  // The engine is never loaded.
  await page.route("**/elf_bg.wasm", () => undefined);
  await page.goto(address);
  await page.setInputFiles("#file-input", example("attic.ged"));
  await page.click("#cancel");
  await page.waitForSelector("#message:not([hidden])");
  assert.equal(await page.innerText("#message"), "Cancelled.");
  assert.equal(await page.evaluate(() => document.activeElement.id), "message");
  await context.close();
});

test("a download from an archive has the name of the archive, and does not claim to be all of it", async () => {
  const picture = join(folder, "a.jpg");
  writeFileSync(picture, "not a picture");
  const source = join(folder, "album-source.ged");
  writeFileSync(source, "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @O1@ OBJE\n1 FILE a.jpg\n2 FORM image/jpeg\n1 NOTE a@b\n0 TRLR\n");
  const packed = join(folder, "album.gdz");
  writeFileSync(packed, written("gdz", "convert", "--to-rules", "gedcom-7", source));
  assert.ok(readFileSync(packed).includes("a.jpg"));
  const { page, close } = await openPage();
  await choose(page, packed);
  for (const [tab, result, name] of [["convert", "#converted", "album-utf8.ged"], ["redact", "#redacted", "album-public.ged"]]) {
    await page.click(`#tab-${tab}`);
    await page.click(`#${tab}-form button`);
    await page.waitForSelector(`${result} button`);
    const text = await page.innerText(result);
    assert.ok(text.includes(`Download ${name}`), text);
    assert.match(text, /Pictures and other files of album\.gdz are not in it\./);
    // A conversion of all files would not hide anybody.
    assert.equal(text.includes("elf convert --out-dir"), tab === "convert");
    assert.ok(!text.includes("Nothing was lost"), text);
  }
  // Nothing is missing in what is made of a file that is not in an archive.
  await choose(page, source);
  await page.click("#tab-convert");
  await page.click("#convert-form button");
  await page.waitForSelector("#converted button");
  assert.doesNotMatch(await page.innerText("#converted"), /Pictures and other files/);
  await close();
});

test("a GEDZIP archive and a folder are opened", async () => {
  const packed = join(folder, "family.gdz");
  writeFileSync(packed, written("gdz", "convert", "--to-rules", "gedcom-7", example("haugen.ged")));
  const { page, close } = await openPage();
  await choose(page, packed);
  assert.equal(await page.innerText("#file-name"), "family.gdz!gedcom.ged");
  await page.click("#close");
  await page.setInputFiles("#folder-input", join(root, "examples"));
  await page.waitForSelector("#files:not([hidden])");
  const listed = await page.$$eval("#file-list button", (buttons) => buttons.map(({ textContent }) => textContent));
  assert.ok(listed.length > 3);
  assert.deepEqual(listed, [...listed].sort());
  await page.click("#file-list >> text=attic.ged");
  await page.waitForSelector("#file:not([hidden])");
  assert.match(await page.innerText("#file-name"), /attic\.ged$/);
  await close();
});

test("work is cancelled, and the page goes on", async () => {
  const { page, close } = await openPage();
  await page.setInputFiles("#file-input", join(folder, "fifty.ged"));
  await page.click("#cancel");
  await page.waitForSelector("#message:not([hidden])");
  assert.match(await page.innerText("#message"), /Cancelled/);
  // Closing a file also ends its work, which is no news then.
  await choose(page, join(folder, "fifty.ged"));
  await page.check("input[name=facts]");
  await page.waitForSelector("#work:not([hidden])");
  await page.click("#close");
  await page.waitForTimeout(300);
  assert.deepEqual([await page.isVisible("#message"), await page.isVisible("#work")], [false, false]);
  await choose(page, example("attic.ged"));
  assert.equal(await page.innerText("#file-name"), "attic.ged");
  await close();
});

test("the keyboard is enough", async () => {
  const { page, close } = await openPage();
  await choose(page, example("damaged.ged"));
  await page.focus("#tab-findings");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.isVisible("#panel-redact"));
  await page.keyboard.press("Home");
  assert.ok(await page.isVisible("#panel-findings"));
  await page.focus("#groups summary");
  const isOpen = () => page.evaluate(() => document.querySelector("#groups details").open);
  const before = await isOpen();
  await page.keyboard.press("Enter");
  assert.equal(await isOpen(), !before);
  // The focus stays where the work goes on, although a button disappears.
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.focus("#fix");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#fixed button");
  assert.equal(await focused(), "Download damaged-fixed.ged");
  await choose(page, example("haugen.ged"));
  await page.click("#tab-tree");
  await page.waitForSelector("#drawing svg");
  await page.click("#drawing summary");
  await page.focus("#drawing .people button");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.getAttribute("aria-label") === "Family tree");
  await close();
});

test("after the first visit, the page works without a network", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller === null) {
      await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
    }
  });
  await context.setOffline(true);
  await page.reload();
  await isReady(page);
  await choose(page, example("attic.ged"));
  assert.equal(await page.innerText("#file-name"), "attic.ged");
  await context.close();
});

test("no rule of accessibility is broken, and nothing is wider than the window", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of windows) {
      // axe-core is added to the page, whose policy allows no script but its own.
      const { page, close } = await openPage({ viewport, colorScheme, bypassCSP: true });
      await page.evaluate(axe);
      const check = async (what) => {
        // The frame of the report has another origin: axe-core cannot examine it, and its messages to it are errors.
        const options = { resultTypes: ["violations"], iframes: false };
        const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), options);
        const words = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].html.slice(0, 200)}`);
        assert.deepEqual(words, [], `${what} (${viewport.width}, ${colorScheme})`);
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(excess <= 0, `${what} is ${excess} pixels wider than ${viewport.width}`);
      };
      await check("the start");
      await choose(page, example("damaged.ged"));
      await findingsOnPage(page);
      for (const summary of await page.$$(".explanation summary, .private summary")) if (await summary.isVisible()) await summary.click();
      await page.click("#fix");
      await page.waitForSelector("#fixed button");
      await check("findings");
      await page.click("#close");
      await choose(page, example("haugen.ged"));
      for (const [tab, button, result] of [
        ["convert", "#convert-form button", "#converted button"],
        ["redact", "#redact-form button", "#redacted button"],
        ["tree", undefined, "#drawing svg"],
        ["report", "#report-form button", "iframe.report"],
      ]) {
        await page.click(`#tab-${tab}`);
        if (button !== undefined) await page.click(button);
        await page.waitForSelector(result);
        await check(tab);
      }
      await close();
    }
  }
});
