"use strict";
// index.html of `dpvi reproduce` in a real browser. Figure 4 needs no data from outside.
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { before, test } = require("node:test");
const { expectGoodAtAllSizes, open, program, state } = require("./browser.js");

const EXPERIMENTS = path.join(__dirname, "../../experiments/uai2017");
const READING = "as-text.toml";  // one of several; all would take long
let file;

before(() => {
  const experiments = path.join(state.folder, "experiments");
  fs.mkdirSync(path.join(state.folder, "no-data"));
  fs.mkdirSync(experiments);
  fs.copyFileSync(path.join(EXPERIMENTS, READING), path.join(experiments, READING));
  fs.symlinkSync(path.join(EXPERIMENTS, "models"), path.join(experiments, "models"));
  try {
    program("reproduce", "fig4", "--data", "no-data", "--runs", "2", "--quick", "--quiet",
      "--experiments", experiments, "--out", "figures");
  } catch (error) {
    assert.equal(error.status, 1, error.stderr);  // a target was missed, which is not the question
  }
  file = path.join(state.folder, "figures", "index.html");
});

test("the figures are quiet and accessible at three sizes, light and dark", async () => {
  await expectGoodAtAllSizes(file, "reproduce");
});

test("every panel has its rows beside it", async () => {
  const page = await open(file);
  const panels = page.locator(".side");
  assert.ok(await panels.count() >= 3);
  for (const panel of await panels.all()) {
    assert.equal(await panel.locator("svg.chart").count(), 1);
    assert.ok(await panel.locator("tbody tr").count() >= 1);
    assert.ok(await panel.locator("polyline").count() <= 2);
    // An error bar is a line with an end inside the frame.
    const [top, bottom] = await panel.locator("svg.chart line.axis").evaluateAll((axes) => {
      const ends = axes.flatMap(
        (axis) => ["y1", "y2"].map((name) => Number(axis.getAttribute(name))));
      return [Math.min(...ends), Math.max(...ends)];
    });
    const bars = await panel.locator("svg.chart line[class^='s']").evaluateAll((lines) => lines
      .filter((line) => line.getAttribute("x1") === line.getAttribute("x2"))
      .map((line) => [line.getAttribute("y1"), line.getAttribute("y2")].map(Number)));
    assert.ok(bars.length > 0);
    for (const bar of bars) {
      assert.ok(Math.min(...bar) > top && Math.max(...bar) < bottom, `${bar} in ${top}..${bottom}`);
    }
  }
  await page.context().close();
});
