"use strict";
// Shows one plan of the grid at a time. All privacy costs were computed before; the script looks
// them up and divides by the number of rows.
(() => {
  const byId = (id) => document.getElementById(id);
  const grid = JSON.parse(byId("grid").textContent);
  const cards = Array.from(byId("beliefs").children);
  const epsilon = byId("epsilon"), steps = byId("steps"), rows = byId("rows");
  const parameters = byId("parameters");
  const shown = (value) => Number(value.toPrecision(3)).toLocaleString("en");

  function show(input, text) {
    byId(input.id + "-now").textContent = text;
    input.setAttribute("aria-valuetext", text);
  }

  function update() {
    const e = Number(epsilon.value), t = Number(steps.value);
    const count = Math.round(10 ** (Number(rows.value) / 2));
    show(epsilon, shown(grid.epsilons[e]));
    show(steps, grid.steps[t].toLocaleString("en"));
    const dimension = [1, 2, 5, 10, 20, 50, 100, 200, 500][Number(parameters.value)];
    show(parameters, String(dimension));
    show(rows, count.toLocaleString("en"));
    cards.forEach((card, place) => { card.hidden = place !== e; });
    const noise = grid.noise[t][e];
    if (noise === null) {
      byId("answer").textContent = "No noise multiplier reaches this epsilon with these steps.";
      return;
    }
    const summed = noise / (grid.rate * Math.sqrt(grid.steps[t]));
    const ratio = summed * Math.sqrt(dimension / count);
    byId("answer").textContent =
      `Noise multiplier ${shown(noise)}. After all steps, the mean over ${count.toLocaleString("en")}`
      + ` rows has noise of ${shown(summed / count)} clip bounds. With ${dimension} parameters that`
      + ` share the clip bound equally, it is ${shown(ratio)} times the sampling error of each.`
      + ` Both are equal with ${shown(Math.ceil(dimension * summed * summed))} rows.`;
  }

  epsilon.max = grid.epsilons.length - 1;
  epsilon.value = grid.epsilon;
  steps.max = grid.steps.length - 1;
  steps.value = grid.step;
  for (const input of [epsilon, steps, rows, parameters]) input.addEventListener("input", update);
  byId("explorer").hidden = false;
  update();
})();
