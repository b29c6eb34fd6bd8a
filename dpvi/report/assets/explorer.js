"use strict";
// Shows one plan of the grid at a time. All privacy costs were computed before; the script looks
// them up and divides by the number of rows.
(() => {
  const byId = (id) => document.getElementById(id);
  const grid = JSON.parse(byId("grid").textContent);
  const cards = Array.from(byId("beliefs").children);
  const epsilon = byId("epsilon"), steps = byId("steps"), rows = byId("rows");
  const parameters = byId("parameters");
  const shown = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3 });

  function show(input, text) {
    byId(input.id + "-now").textContent = text;
    input.setAttribute("aria-valuetext", text);
  }

  // Draws into a chart with two logarithmic axes: a line between two points, and a ring around its
  // chosen point. What lies outside the frame is not drawn.
  function markIn(id, line, chosen) {
    const holder = document.querySelector(`#${id} [data-scale]`);
    const [left, right, fromX, toX, low, high, fromY, toY] =
      holder.dataset.scale.split(" ").map(Number);
    const at = (value, first, last, from, to) =>
      from + (to - from) * Math.log(value / first) / Math.log(last / first);
    const place = ([x, y]) => [at(x, left, right, fromX, toX), at(y, low, high, fromY, toY)]
      .map((pixel) => pixel.toFixed(1));
    // The end of the line from one point to another, moved along the line to the edge of the frame.
    const inside = ([x, y], [otherX, otherY]) => {
      const edge = Math.min(Math.max(y, low), high);
      if (edge === y) return [x, y];
      return [x * (otherX / x) ** (Math.log(edge / y) / Math.log(otherY / y)), edge];
    };
    const framed = ([x, y]) => x >= left && x <= right && y >= low && y <= high;
    const add = (name, attributes) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key in attributes) made.setAttribute(key, attributes[key]);
      holder.append(made);
    };
    holder.replaceChildren();
    const ends = line.length > 0 ? [inside(line[0], line[1]), inside(line[1], line[0])] : [];
    if (ends.length > 0 && ends.every(framed)) {
      const points = ends.map((point) => place(point).join()).join(" ");
      add("polyline", { class: "level", points });
    }
    if (!chosen || !framed(chosen)) return;
    const [x, y] = place(chosen);
    add("circle", { class: "level", cx: x, cy: y, r: 7, "stroke-width": 2 });
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
      markIn("noise-chart", [], null);
      markIn("rows-chart", [], null);
      return;
    }
    const summed = noise / (grid.rate * Math.sqrt(grid.steps[t]));
    markIn("noise-chart", [], [grid.epsilons[e], noise]);
    markIn("rows-chart", [[100, summed / 100], [1e7, summed / 1e7]], [count, summed / count]);
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
  byId("beliefs").classList.add("single");
  byId("explorer").hidden = false;
  update();
})();
