"use strict";
// Improves a report that is complete without it: search, choice of a parameter, scatter plots,
// highlighting, copying. It reads the page only and loads nothing.
(() => {
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";

  function element(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const rows = Array.from(document.querySelectorAll("table.numbers tbody tr"));
  const names = rows.map((row) => row.cells[0].textContent);
  const lowerNames = names.map((name) => name.toLowerCase());
  const numbersOf = (row) => Array.from(row.cells).slice(1).map((cell) => Number(cell.textContent));

  // A small picture of one interval on a common axis: dark for the model, light for privacy.
  function interval(row, low, high) {
    const [, , q5, median, q95, model, privacy] = numbersOf(row);
    const width = 180, at = (value) => 4 + (width - 8) * (value - low) / (high - low || 1);
    const picture = element("svg", { class: "chart", width: width, height: 18,
      viewBox: `0 0 ${width} 18`, "aria-hidden": "true" });
    if (![q5, median, q95].every(Number.isFinite)) return picture;
    const share = Number.isFinite(model + privacy) ? model / Math.hypot(model, privacy) : 1;
    const bar = (from, to, kind) => picture.append(element("rect", { class: kind, x: at(from),
      y: 5, width: Math.max(1, at(to) - at(from)), height: 8 }));
    bar(q5, q95, "privacy");
    bar(median + share * (q5 - median), median + share * (q95 - median), "model");
    picture.append(element("line", { class: "middle", x1: at(median), x2: at(median), y1: 2,
      y2: 16 }));
    return picture;
  }

  const kMatches = 50;

  function showMatches(words) {
    const wanted = words.trim().toLowerCase();
    const place = byId("matches");
    place.replaceChildren();
    if (wanted === "") {
      byId("found").textContent = `${rows.length} parameters. Type a part of a name.`;
      return;
    }
    const found = rows.filter((_, place) => lowerNames[place].includes(wanted));
    const shown = found.slice(0, kMatches);
    byId("found").textContent = found.length > kMatches
      ? `${found.length} found, the first ${kMatches} are shown.` : `${found.length} found.`;
    if (shown.length === 0) return;
    const ends = shown.flatMap((row) => numbersOf(row).slice(2, 5)).filter(Number.isFinite);
    const low = Math.min(...ends), high = Math.max(...ends);
    const table = document.createElement("table");
    table.className = shown.some((row) => row.closest("table.long")) ? "numbers long" : "numbers";
    const head = rows[0].closest("table").tHead.rows[0].cloneNode(true);
    const title = document.createElement("th");
    title.scope = "col";
    title.textContent = "90 % interval";
    head.insertBefore(title, head.cells[1]);
    table.createTHead().append(head);
    const body = table.createTBody();
    for (const row of shown) {
      const copy = row.cloneNode(true);
      const cell = document.createElement("td");
      cell.append(interval(row, low, high));
      copy.insertBefore(cell, copy.cells[1]);
      body.append(copy);
    }
    const box = document.createElement("div");
    box.className = "wide tall";
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Matches");
    box.append(table);
    place.append(box);
  }

  function setUpFinder() {
    const finder = byId("finder");
    if (!finder || rows.length < 2) return;
    finder.hidden = false;
    let waiting = 0;
    byId("find").addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => showMatches(event.target.value), 80);
    });
    showMatches("");
  }

  // The pointer on a bar marks the row of its numbers.
  function setUpHighlight() {
    // A name may be followed by the levels of its indices.
    const rowOf = new Map(rows.map((row) => [row.cells[0].firstChild.textContent.trim(), row]));
    for (const bar of document.querySelectorAll("svg g[data-name]")) {
      const row = rowOf.get(bar.dataset.name);
      if (!row) continue;
      bar.addEventListener("pointerenter", () => row.classList.add("chosen"));
      bar.addEventListener("pointerleave", () => row.classList.remove("chosen"));
    }
  }

  function setUpChooser() {
    const chooser = byId("chooser"), choose = byId("choose");
    if (!chooser) return;
    const cards = Array.from(byId("cards").children);
    if (cards.length < 2) return;
    choose.append(new Option("all", "-1"));
    cards.forEach((card, place) => {
      choose.append(new Option(card.querySelector("svg").getAttribute("aria-label"), place));
    });
    choose.addEventListener("change", () => {
      cards.forEach((card, place) => {
        card.hidden = choose.value !== "-1" && choose.value !== String(place);
      });
    });
    chooser.hidden = false;
  }

  function ticks(low, high) {
    const rough = (high - low) / 4 || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
    const result = [];
    const first = Math.ceil(low / step);
    for (let k = 0; k < 20 && (first + k) * step <= high; ++k) {
      result.push(Number(((first + k) * step).toPrecision(6)));
    }
    return result;
  }

  function shortened(name, letters) {
    const all = Array.from(name), tail = Math.floor(letters / 3);
    if (all.length <= letters) return name;
    return all.slice(0, letters - tail - 1).join("") + "…" + all.slice(-tail).join("");
  }

  function drawScatter(data, first, second) {
    const picture = byId("scatter");
    picture.replaceChildren();
    picture.setAttribute("aria-label",
      `Scatter plot of draws of ${data.names[first]} and ${data.names[second]}`);
    const points = data.draws[first].map((x, i) => [x, data.draws[second][i]])
      .filter(([x, y]) => x !== null && y !== null);
    if (points.length === 0) return;
    const range = (place) => {
      const values = points.map((point) => point[place]);
      const low = Math.min(...values), high = Math.max(...values);
      const margin = (high - low) * .05 || Math.abs(high) * .1 || 1;
      return [low - margin, high + margin];
    };
    const [left, right] = range(0), [low, high] = range(1);
    const atX = (x) => 62 + 308 * (x - left) / (right - left);
    const atY = (y) => 240 - 225 * (y - low) / (high - low);
    for (const tick of ticks(left, right)) {
      picture.append(element("line", { class: "grid", x1: atX(tick), x2: atX(tick), y1: 15,
        y2: 240 }));
      picture.append(element("text", { class: "small", x: atX(tick), y: 256,
        "text-anchor": "middle" }, String(tick)));
    }
    for (const tick of ticks(low, high)) {
      picture.append(element("line", { class: "grid", x1: 62, x2: 370, y1: atY(tick),
        y2: atY(tick) }));
      picture.append(element("text", { class: "small", x: 56, y: atY(tick) + 4,
        "text-anchor": "end" }, String(tick)));
    }
    for (const [x, y] of points) {
      picture.append(element("circle", { class: "f0", cx: atX(x), cy: atY(y), r: 2.4,
        opacity: .6 }));
    }
    picture.append(element("text", { x: 216, y: 280, "text-anchor": "middle" },
      shortened(data.names[first], 40)));
    picture.append(element("text", { transform: "translate(13 128) rotate(-90)",
      "text-anchor": "middle" }, shortened(data.names[second], 32)));
  }

  function setUpPairs() {
    const pairs = byId("pairs"), source = byId("draws");
    if (!pairs || !source) return;
    const data = JSON.parse(source.textContent);
    const first = byId("pair-x"), second = byId("pair-y");
    for (const select of [first, second]) {
      data.names.forEach((name, place) => select.append(new Option(name, place)));
      select.addEventListener("change",
        () => drawScatter(data, Number(first.value), Number(second.value)));
    }
    second.value = "1";
    drawScatter(data, 0, 1);
    pairs.hidden = false;
  }

  function setUpCopying() {
    for (const button of document.querySelectorAll("button.copy")) {
      const code = button.closest(".code").querySelector("code");
      button.setAttribute("aria-label",
        "Copy " + button.previousElementSibling.textContent);
      button.hidden = false;
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(code.textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(code);
          button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
      });
    }
  }

  // Print what is folded, except long tables.
  function setUpPrinting() {
    addEventListener("beforeprint", () => {
      for (const details of document.querySelectorAll("details:not([open])")) {
        if (!details.querySelector("table.numbers")) details.open = true;
      }
    });
  }

  setUpFinder();
  setUpHighlight();
  setUpChooser();
  setUpPairs();
  setUpCopying();
  setUpPrinting();
})();
