"use strict";
// The page of `dpvi plan --html` in a real browser.
const assert = require("node:assert/strict");
const path = require("node:path");
const { before, test } = require("node:test");
const { expectGoodAtAllSizes, expectLegible, expectQuiet, open, program, state } =
  require("./browser.js");

let file, plan;

before(() => {
  file = path.join(state.folder, "epsilon.html");
  plan = JSON.parse(program("plan", "--epsilon", "1", "--delta", "1e-6", "--sampling-rate", ".1",
    "--steps", "1000", "--html", file, "--json"));
});

test("the explorer is quiet and accessible at three sizes, light and dark", async () => {
  await expectGoodAtAllSizes(file, "explorer");
});

test("without scripts the explorer shows all numbers", async () => {
  const page = await open(file, { scripts: false });
  const text = await page.locator("main").innerText();
  assert.ok(text.includes(Number(plan.noise_multiplier.toPrecision(4)).toString()));
  assert.equal(await page.locator("#beliefs figure:visible").count(), 12);
  assert.equal(await page.locator("input:visible").count(), 0);
  await page.context().close();
});

test("a plan far from the others has its ring on its line and its numbers in words", async () => {
  for (const [epsilon, belief] of [[".001", "50.02 %"], ["100", "above 99.95 %"]]) {
    const far = path.join(state.folder, `far${epsilon}.html`);
    program("plan", "--epsilon", epsilon, "--delta", "1e-6", "--sampling-rate", "1",
      "--steps", "100", "--html", far, "--quiet");
    const page = await open(far);
    await expectQuiet(page);
    await expectLegible(page);
    const text = await page.locator("#answer").innerText();
    assert.doesNotMatch(text, / 0 clip bounds| 0 times/);
    assert.ok((await page.locator("#beliefs figure:visible").innerHTML()).includes(belief));
    for (const rows of ["4", "9", "14"]) {
      await page.locator("#rows").fill(rows);
      const distance = await page.locator("#rows-chart [data-scale]").evaluate((holder) => {
        const ring = holder.querySelector("circle");
        const [[x1, y1], [x2, y2]] = holder.querySelector("polyline").getAttribute("points")
          .split(" ").map((point) => point.split(",").map(Number));
        const share = (Number(ring.getAttribute("cx")) - x1) / (x2 - x1);
        return Math.abs(Number(ring.getAttribute("cy")) - (y1 + share * (y2 - y1)));
      });
      assert.ok(distance < .5, `epsilon ${epsilon}, rows ${rows}: ${distance} pixels`);
    }
    await page.context().close();
  }
});

test("the keyboard moves epsilon, and the answer is the solved plan", async () => {
  const page = await open(file);
  const answer = () => page.locator("#answer").innerText();
  assert.ok((await answer()).startsWith(
    `Noise multiplier ${Number(plan.noise_multiplier.toPrecision(3))}.`), await answer());
  await page.locator("#epsilon").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("#epsilon").getAttribute("aria-valuetext"), "1.5");
  const other = JSON.parse(program("plan", "--epsilon", "1.5", "--delta", "1e-6",
    "--sampling-rate", ".1", "--steps", "1000", "--json"));
  assert.ok((await answer()).startsWith(
    `Noise multiplier ${Number(other.noise_multiplier.toPrecision(3))}.`), await answer());
  assert.equal(await page.locator("#beliefs figure:visible").count(), 1);
  const ring = page.locator("#noise-chart [data-scale] circle");
  const right = Number(await ring.getAttribute("cx"));
  await page.keyboard.press("ArrowLeft");
  assert.ok(Number(await ring.getAttribute("cx")) < right);
  assert.equal(await page.locator("#rows-chart [data-scale] polyline").count(), 1);
  await expectQuiet(page);
  await page.context().close();
});
