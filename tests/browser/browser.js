"use strict";
// Opens pages in Chromium and watches what they do.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { execFileSync } = require("node:child_process");
const { after, before } = require("node:test");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");
const axe = require("axe-core");

const PROGRAM = process.env.DPVI_PROGRAM;
const EXAMPLES = process.env.DPVI_WRITE_EXAMPLE_BUNDLES;
const SCREENSHOTS = process.env.DPVI_SCREENSHOTS;
const SIZES = { phone: [360, 780], tablet: [820, 1180], desktop: [1280, 900] };

// A busy machine is slow; no test measures time.
const PATIENCE = 300e3;  // ms

const state = {};

before(async () => {
  state.folder = fs.mkdtempSync(path.join(os.tmpdir(), "dpvi-pages-"));
  fs.mkdirSync(SCREENSHOTS, { recursive: true });
  state.browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    // Root cannot use the sandbox. The pages are our own.
    args: ["--disable-dev-shm-usage", ...process.getuid() === 0 ? ["--no-sandbox"] : []],
    timeout: PATIENCE,
  });
});

after(async () => {
  await state.browser?.close();
  fs.rmSync(state.folder, { recursive: true, force: true });
});

function program(...words) {
  return execFileSync(PROGRAM, words, { cwd: state.folder, encoding: "utf8", stdio: "pipe" });
}

// Opens a file and returns its page; `page.seen` collects messages, errors and requests.
async function open(file, { size = "desktop", scripts = true, ...options } = {}) {
  const [width, height] = SIZES[size];
  const context = await state.browser.newContext(
    { viewport: { width, height }, javaScriptEnabled: scripts, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  page.seen = [];
  page.on("console", (message) => page.seen.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => page.seen.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { page.seen.push("dialog"); dialog.dismiss(); });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) page.seen.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return page;
}

// Fails if the page printed a message, had an error, asked for a file or is wider than its window.
async function expectQuiet(page) {
  assert.deepEqual(page.seen, []);
  const [needed, given] =
    await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(needed <= given, `the page is ${needed} pixels wide in a window of ${given}`);
}

// Texts of charts that reach beyond their chart, or lie on each other.
async function expectLegible(page) {
  assert.deepEqual(await page.evaluate(() => {
    const found = [];
    for (const chart of document.querySelectorAll("svg.chart")) {
      const frame = chart.getBoundingClientRect();
      const texts = Array.from(chart.querySelectorAll("text"))
        .map((text) => [text.textContent, text.getBoundingClientRect()])
        .filter(([, box]) => frame.width > 0 && box.width > 0);
      texts.forEach(([words, box], place) => {
        if (box.left < frame.left - 1 || box.right > frame.right + 1
            || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
          found.push(`cut: ${words}`);
        }
        for (const [others, other] of texts.slice(place + 1)) {
          const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
          const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
          if (across > 1 && down > 3) found.push(`overlap: ${words} and ${others}`);
        }
      });
    }
    return found;
  }), []);
}

async function expectAccessible(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run(
    // The rows of a long table are alike.
    { exclude: ["tbody tr:nth-child(n+30)"] }, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
  assert.deepEqual(
    serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html)}`), []);
}

// The page at three sizes and in both colours: quiet and photographed. Its elements are the same at
// all sizes, so the accessibility of the smallest and of the largest is examined.
async function expectGoodAtAllSizes(file, name) {
  for (const size of Object.keys(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(file, { size, colorScheme });
      await expectQuiet(page);
      if (colorScheme === "light") await expectLegible(page);
      const examined = colorScheme === "light" ? "phone" : "desktop";
      if (size === examined) await expectAccessible(page);
      await page.screenshot(
        { timeout: PATIENCE, path: path.join(SCREENSHOTS, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      await page.context().close();
    }
  }
}

module.exports = { EXAMPLES, SCREENSHOTS, expectAccessible, expectGoodAtAllSizes, expectLegible,
  expectQuiet, open, program, state };
