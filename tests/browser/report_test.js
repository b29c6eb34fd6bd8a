"use strict";
// report.html in a real browser.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { execFileSync } = require("node:child_process");
const { before, test } = require("node:test");
const { EXAMPLES, SCREENSHOTS, expectAccessible, expectGoodAtAllSizes, expectLegible, expectQuiet,
  open, program, state } = require("./browser.js");

const COEFFICIENTS = 19;
const MODEL = `data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real alpha;
  vector[K] beta;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  y ~ bernoulli_logit(alpha + x * beta);
}
`;

// Normal enough for a page: sums of a fixed pseudorandom sequence.
function table(rows) {
  let seed = 1;
  const uniform = () => (seed = seed * 48271 % 2147483647) / 2147483647;
  const names = Array.from({ length: COEFFICIENTS }, (_, k) => `x.${k + 1}`);
  const lines = [[...names, "y"].join()];
  for (let row = 0; row < rows; ++row) {
    const x = names.map(() => uniform() + uniform() + uniform() + uniform() - 2);
    const p = 1 / (1 + Math.exp(-(.5 + x[0] - x[1])));
    lines.push([...x.map((value) => value.toFixed(3)), Number(uniform() < p)].join());
  }
  return lines.join("\n") + "\n";
}

let fitted, examples;
const wide = () => path.join(examples, "wide", "report.html");

before(() => {
  fs.writeFileSync(path.join(state.folder, "m.stan"), MODEL);
  fs.writeFileSync(path.join(state.folder, "d.csv"), table(2000));
  program("budget", "ledger", "init", "--epsilon", "2", "--delta", "1e-5");  // its hashes are long
  program("fit", "m.stan", "d.csv", "--epsilon", "1", "--rows", "2000", "--ledger", "ledger",
    "--out", "b", "--quiet");
  fitted = path.join(state.folder, "b", "report.html");
  examples = path.join(state.folder, "examples");
  fs.mkdirSync(examples);
  execFileSync(EXAMPLES, [examples]);
});

test("a fit writes a report of 20 parameters below 400 KB", () => {
  const size = fs.statSync(fitted).size;
  console.log(`report of 20 parameters: ${size} bytes`);
  assert.ok(size < 400e3);
});

test("dpvi report writes the same page as the fit", () => {
  program("report", "b", "--out", "again.html");
  assert.deepEqual(fs.readFileSync(path.join(state.folder, "again.html")), fs.readFileSync(fitted));
});

test("the report is quiet and accessible at three sizes, light and dark", async () => {
  await expectGoodAtAllSizes(fitted, "report");
});

test("the report is complete without scripts", async () => {
  const page = await open(fitted, { scripts: false, size: "phone" });
  const text = await page.locator("main").innerText();
  for (const words of ["Can these numbers be used?", "at most 73.1 % sure", "beta[19]",
    "Posterior and prior", "Correlations", "Course of the fit", "Noise: forecast and outcome",
    "bernoulli_logit", "What was dropped", "read.csv", "from_netcdf", "How to cite"]) {
    assert.ok(text.includes(words), words);
  }
  assert.ok(await page.locator("svg.chart").count() > 35);
  assert.equal(await page.locator("button:visible, input:visible, select:visible").count(), 0);
  await page.context().close();
});

test("the report prints without controls", async () => {
  const page = await open(fitted);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("nav:visible, input:visible, button:visible").count(), 0);
  await page.setViewportSize({ width: 718, height: 1000 });  // A4 within its margins
  assert.deepEqual(await page.locator("main table, main svg, main pre, main figure").evaluateAll(
    (all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.outerHTML.slice(0, 200))), []);
  assert.ok(await page.locator("details").evaluateAll(
    (all) => all.every((one) => one.getBoundingClientRect().height > 60)));  // all are open
  await page.pdf({ path: path.join(SCREENSHOTS, "report.pdf"), format: "A4" });
  await page.context().close();
});

test("the keyboard reaches search, choice and copying", async () => {
  const page = await open(fitted);
  const focused = () => page.evaluate(() => document.activeElement.id
    || document.activeElement.className);
  const wanted = new Set(["find", "choose", "pair-x", "pair-y", "copy"]);
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "skip");
  for (let press = 0; press < 120 && wanted.size > 0; ++press) {
    await page.keyboard.press("Tab");
    const name = await focused();
    if (!wanted.delete(name)) continue;
    if (name === "find") {
      await page.keyboard.type("beta[7");
      // While the keys are typed, the page may show what the first letters find.
      await page.locator("#found", { hasText: /^1 found\.$/ }).waitFor();
      assert.equal(await page.locator("#matches tbody tr").count(), 1);
      assert.equal(await page.locator("#found").innerText(), "1 found.");
    } else if (name === "choose") {
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.locator("#cards figure:visible").count(), 1);
    } else if (name === "pair-y") {
      await page.keyboard.press("ArrowDown");
      assert.match(await page.locator("#scatter").getAttribute("aria-label"), /alpha and beta\[2\]/);
    }
  }
  assert.deepEqual([...wanted], []);
  await expectQuiet(page);
  await expectAccessible(page);
  await page.context().close();
});

test("a copied text is the code", async () => {
  const page = await open(fitted, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator("#loading button.copy").first().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^draws <- read\.csv/);
  await page.context().close();
});

test("the pointer on a bar marks its row", async () => {
  const page = await open(fitted);
  // The point of the estimate lies on the bar.
  await page.locator("g[data-name='beta[3]'] rect").last().hover({ force: true });
  assert.equal(await page.locator("tr.chosen th").innerText(), "beta[3]");
  await page.context().close();
});

test("5 000 parameters stay usable", async () => {
  for (const size of ["phone", "tablet"]) {
    const small = await open(wide(), { size });
    await expectQuiet(small);
    await small.screenshot({ path: path.join(SCREENSHOTS, `wide-${size}.png`), fullPage: true });
    await small.context().close();
  }
  const page = await open(wide());
  await expectAccessible(page);
  const start = Date.now();
  await page.locator("#find").fill("theta[4321]");
  await page.locator("#matches td svg").first().waitFor();
  const searched = Date.now() - start;
  await page.locator("details:not([open]) > summary").filter({ hasText: "theta[1]" }).click();
  await page.locator("th", { hasText: /^theta\[1\]$/ }).first().waitFor();
  console.log(`report of 5000 parameters: ${fs.statSync(wide()).size} bytes, `
    + `search ${searched} ms, search and table ${Date.now() - start} ms`);
  await page.screenshot({ path: path.join(SCREENSHOTS, "wide-desktop.png"), fullPage: true });
  await expectQuiet(page);
  await page.context().close();
});

test("no name or text of a bundle becomes markup or a script", async () => {
  const page = await open(path.join(examples, "hostile", "report.html"));
  await expectQuiet(page);
  await expectLegible(page);
  assert.equal(await page.evaluate(() => globalThis.attacked), undefined);
  assert.equal(await page.locator("main script:not([type='application/json'])").count(), 0);
  assert.equal(await page.locator("img, iframe, object, b, [onload], [onerror]").count(), 0);
  assert.ok((await page.locator("#parameters").innerText()).includes("<img src=x"));
  // One parameter has this name, and one index has it as its level.
  await page.locator("#find").fill("attacked=1");
  await page.locator("#matches td svg").first().waitFor();
  assert.equal(await page.locator("#matches tbody tr").count(), 2);
  assert.equal(await page.evaluate(() => globalThis.attacked), undefined);
  await expectQuiet(page);
  await page.context().close();
});

test("a fit by measurements shows estimates, priors and chains", async () => {
  fs.writeFileSync(path.join(state.folder, "t.stan"), `data {
  int<lower=0> N;
  vector[N] x;
  array[N] int<lower=0, upper=1> y;
}
parameters { real alpha; real beta; }
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  y ~ bernoulli_logit(alpha + beta * x);
}
generated quantities { vector[N] p = inv_logit(alpha + beta * x); }
`);
  const rows = table(2000).trim().split("\n").slice(1).map((line) => line.split(","));
  fs.writeFileSync(path.join(state.folder, "t.csv"),
    "x,y\n" + rows.map((row) => `${row[0]},${row[COEFFICIENTS]}\n`).join(""));
  program("fit", "t.stan", "t.csv", "--epsilon", "1", "--rows", "2000", "--posterior", "trace",
    "--out", "t", "--quiet");
  const file = path.join(state.folder, "t", "report.html");
  await expectGoodAtAllSizes(file, "measured");
  const page = await open(file);
  const text = await page.locator("main").innerText();
  for (const words of ["Every release was a measurement", "usable records, as measured",
    "residuals of the measurements", "largest R-hat of the chains", "divergences",
    "p: depends on record data", "They are Markov chains"]) {
    assert.ok(text.includes(words), words);
  }
  assert.equal(await page.locator("#cards svg").filter({ hasText: "prior" }).count(), 2);
  assert.equal(await page.locator("#iterates svg.chart").count(), 2);
  assert.equal(await page.locator("#iterates svg .shade").count(), 0);
  assert.equal(await page.locator("#iterates svg polygon").count(), 2);  // 90 % of the posterior
  await page.context().close();
});

test("headings are in order and every chart is described", async () => {
  const page = await open(fitted);
  const levels = await page.locator("h1, h2, h3, h4").evaluateAll(
    (headings) => headings.map((heading) => Number(heading.tagName[1])));
  assert.equal(levels[0], 1);
  levels.slice(1).forEach((level, place) => {
    assert.ok(level > 1 && level <= levels[place] + 1, `heading ${place + 1}: ${levels}`);
  });
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const charts = nodes.filter((node) => ["img", "image"].includes(node.role?.value));
  assert.ok(charts.length > 35, `${charts.length} charts`);
  for (const chart of charts) {
    assert.ok(chart.name?.value, JSON.stringify(chart));
  }
  const belief = charts.find((chart) => chart.name.value.startsWith("Belief before and after"));
  assert.match(belief.description.value, /50 % becomes at most 73\.1 % and at least 26\.9 %/);
  await page.context().close();
});

test("the widths of all intervals show two parts that can be seen", async () => {
  const page = await open(fitted);
  const widths = await page.locator("#parameters g[data-name]").evaluateAll(
    (bars) => bars.map((bar) => {
      const rects = Array.from(bar.querySelectorAll("rect"));
      const widest = (kind) => Math.max(...rects.filter((rect) => rect.classList.contains(kind))
        .map((rect) => rect.getBoundingClientRect().width));
      return [widest("model"), widest("privacy")];
    }));
  assert.equal(widths.length, 1 + COEFFICIENTS);
  for (const [model, total] of widths) {
    assert.ok(model >= 2 && total >= model, `model ${model} of ${total} pixels`);
  }
  await page.context().close();
});

test("a bundle without protection says so first", async () => {
  const page = await open(path.join(examples, "not_private", "report.html"));
  assert.match(await page.locator("header").innerText(), /NOT PRIVATE/);
  await expectQuiet(page);
  await expectAccessible(page);
  await page.context().close();
});

test("a diverged fit and a fit with one draw have a report", async () => {
  for (const name of ["diverged", "exploded", "one_draw"]) {
    const page = await open(path.join(examples, name, "report.html"));
    await expectQuiet(page);
    assert.ok(!/nan|inf\b/i.test(await page.locator("svg.chart").evaluateAll(
      (charts) => charts.map((chart) => chart.innerHTML.replace(/<(title|desc)>.*?<\/\1>/g, ""))
        .join())), name);
    await page.context().close();
  }
});
