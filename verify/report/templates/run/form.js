// The interface: reads the form as one types, answers, draws, and keeps the form in the address.
(function (run) {
  "use strict";
  const TYPED = [...Object.values(run.WAYS).flat(), "sigma", "delta"];
  const FIELDS = ["way", ...TYPED, "dropped", "unit", "loader"];
  const PAUSE = 120; // milliseconds without a key before computing
  const SLICE = 25; // milliseconds of drawing between two looks at the keyboard
  const POINTS = 25; // of the curve
  const CONVERSION = { cks: "CKS, Balle", mironov: "Mironov" }; // the two of the first give the same number

  const byId = (id) => document.getElementById(`run-${id}`);
  const get = (input) => (input.type !== "checkbox" ? input.value : input.checked ? "1" : "");
  const set = (input, text) => (input.type !== "checkbox" ? (input.value = text) : (input.checked = Boolean(text)));
  const fields = () => Object.fromEntries(FIELDS.map((name) => [name, get(byId(name))]));
  const emptied = new Set(); // fields that Clear has emptied and nobody has filled since: no mistake yet

  function show(id, text) {
    byId(id).textContent = text;
  }

  function complain(problems) {
    for (const name of TYPED) {
      const problem = emptied.has(name) ? "" : problems[name] || "";
      show(`${name}-problem`, problem);
      byId(name).setAttribute("aria-invalid", problem ? "true" : "false");
    }
  }

  const digits = (found) => (found.cannot ? "not in float64" : run.shown(found.epsilon, 10, true));

  function answer(values, found) {
    const { tight, remove, add } = found;
    byId("answer").hidden = false;
    byId("result").classList.toggle("cannot", Boolean(tight.cannot));
    if (tight.cannot) {
      show("epsilon", "no number here");
      show("said", tight.why || `float64 cannot give eight certain digits for this run (${tight.cannot}). Ask the command below: it proves every digit it prints, or says why it cannot.`);
    } else {
      show("epsilon", `ε = ${run.shown(tight.epsilon, 10, true)}`);
      show("said", explained(values, tight));
    }
    for (const part of byId("answer").querySelectorAll(".run-columns:not(#run-drawings)")) part.hidden = Boolean(tight.why);
    show("remove", digits(remove));
    show("add", digits(add));
    table(found);
    losses(found);
  }

  function explained({ delta, steps }, { epsilon, unsure }) {
    const where = `at δ = ${run.shown(delta)} after ${steps} ${steps === 1 ? "step" : "steps"}`;
    if (epsilon === 0) return `the exact curve in float64, unproved, ${where}: δ is so large that even ε = 0 is kept`;
    return `the exact curve in float64, unproved, ${where}; off by at most ${run.shown(Math.max(unsure, 1e-10 * epsilon), 1)}, by its own estimate and rounding`;
  }

  function row(cells) {
    const made = document.createElement("tr");
    cells.forEach((text, i) => {
      const cell = document.createElement(i ? "td" : "th");
      if (!i) cell.scope = "row";
      cell.textContent = text;
      made.append(cell);
    });
    return made;
  }

  function table({ rdp, tight }) {
    const rows = rdp.filter(({ conversion }) => conversion in CONVERSION);
    byId("rdp").replaceChildren(
      ...rows.map(({ orders, conversion, epsilon, order, cannot }) =>
        row([
          `${CONVERSION[conversion]}, ${orders}`,
          cannot ? "not in float64" : run.shown(epsilon, 8, true),
          cannot ? "" : run.shown(order, 5, true),
          cannot || tight.cannot || !tight.epsilon ? "" : `+${run.shown(100 * (epsilon / tight.epsilon - 1), 3)} %`,
        ]),
      ),
    );
  }

  const pick = (rdp, orders, conversion) => rdp.find((r) => r.orders === orders && r.conversion === conversion);

  /** What loses how much, as the command prints it. */
  function losses({ rdp, tight }) {
    const best = pick(rdp, "all real orders", "cks");
    const basic = pick(rdp, "all real orders", "mironov");
    const said = [];
    const lost = (what, from, to) => {
      if (from.cannot || to.cannot) return;
      said.push([what, run.shown(Math.max(0, from.epsilon - to.epsilon), 3)]);
    };
    lost("RDP instead of the exact curve (best order, better conversion)", best, tight);
    lost("the basic conversion instead of the better one", basic, best);
    lost("the orders of dp-accounting instead of all", pick(rdp, "dp-accounting", "cks"), best);
    lost("the orders of Opacus instead of all", pick(rdp, "opacus", "cks"), best);
    byId("losses").replaceChildren(...said.map(row));
  }

  function libraries(values, order) {
    const near = run.librariesNear(values.q, values.sigma, order);
    byId("libraries").hidden = near === null;
    if (near === null) return;
    const list = byId("off");
    list.replaceChildren(
      ...near.off.map(({ title, text }) => {
        const item = document.createElement("li");
        const name = document.createElement("b");
        name.textContent = title;
        item.append(name, `: ${text}`);
        return item;
      }),
    );
    show("near", near.asked
      ? `One-step RDP of ${near.off.length + near.fine.length} families of libraries, recorded at ${near.asked} points of training runs in this cell (${near.where}).`
      : `No point was recorded in this cell (${near.where}).`);
    show("fine", near.asked && near.fine.length ? `${near.off.length ? "Right" : "All right"} at every point: ${near.fine.join(", ")}.` : "");
  }

  let turn = 0; // of the latest input; what was begun for an older one stops

  /** The curve, a few milliseconds at a time. */
  function curve(mine, values, found, best) {
    const high = 1.25 * Math.max(found.tight.epsilon, best) || 1;
    const epsilons = Array.from({ length: POINTS }, (_, i) => (high * i) / (POINTS - 1));
    const { q, sigma, steps } = values;
    const at = [true, false].map((remove) => run.curve(q, sigma, steps, remove));
    const rows = [];
    const go = () => {
      if (mine !== turn) return;
      const begun = performance.now();
      while (rows.length < POINTS && performance.now() - begun < SLICE) {
        const epsilon = epsilons[rows.length];
        rows.push({ epsilon, remove: at[0](epsilon), add: at[1](epsilon) });
      }
      if (rows.length < POINTS) return void setTimeout(go);
      run.drawCurve(byId("curve"), rows, values.delta, found.tight.epsilon, best);
      byId("drawings").hidden = false;
      byId("result").setAttribute("aria-busy", "false");
    };
    setTimeout(go);
  }

  function integrand(values, order) {
    const modes = run.drawIntegrand(byId("integrand"), values.q, values.sigma, order);
    const [high, low] = [...modes].sort((a, b) => b.size - a.size);
    show("modes", low
      ? `Order ${run.shown(order, 5)}, the best for this run: two peaks, the one at t = ${run.shown(low.t, 3)} lower by a factor of ${run.shown(1 / low.size, 2)}.`
      : `Order ${run.shown(order, 5)}, the best for this run: one peak, at t = ${run.shown(high.t, 3)}.`);
  }

  function update() {
    const typed = fields();
    const read = run.parse(typed);
    const mine = ++turn;
    const way = run.wayOf(typed);
    for (const part of document.querySelectorAll("#run-form [data-way]")) part.hidden = part.dataset.way !== way;
    note(typed, read);
    complain(read.problems || {});
    byId("command").hidden = Boolean(read.problems);
    byId("drawings").hidden = true;
    if (read.problems) {
      byId("answer").hidden = byId("libraries").hidden = true;
      show("epsilon", "");
      show("said", "Waiting for the numbers of the run.");
      return;
    }
    const { values } = read;
    show("code", run.command(read.typed));
    byId("result").setAttribute("aria-busy", "true");
    const found = values.loader !== "poisson" ? otherLoader(values) : run.outside(values) ? unanswered() : run.account(values.q, values.sigma, values.steps, values.delta);
    answer(values, found);
    const best = pick(found.rdp, "all real orders", "cks");
    libraries(values, best && !best.cannot ? best.order : NaN);
    byId("result").setAttribute("aria-busy", "false");
    if (found.tight.cannot || !best || best.cannot) return;
    integrand(values, best.order);
    curve(mine, values, found, best.epsilon);
  }

  /** Steps as they were counted; and the rate made of a batch size, for samplings that have one. */
  function note({ unit }, { values, typed }) {
    const steps = values ? `= ${values.steps} steps: ${values.batches} batches an epoch` : "";
    show("steps-note", unit === "steps" ? "" : steps);
    show("epochs-note", steps);
    const rated = values && typed.byLoader && values.loader !== "shuffle";
    show("batch-note", rated ? `rate ${typed.batch}/${typed.records} = ${run.shown(values.q)}` : "");
    const uneven = rated && values.loader === "poisson" && typed.records % typed.batch;
    show("opacus", uneven ? `Opacus draws with 1/${values.batches}, one over the batches of an epoch: for it, give q = 1/${values.batches} and ${values.steps} steps.` : "");
  }

  /** The Poisson number would be false for these: none is shown. */
  function otherLoader({ loader }) {
    const why = loader === "shuffle"
      ? "A shuffled loader has another ε, often many times larger, and nobody knows it exactly. The Poisson number is not valid for it. The command below gives a proved bracket, for one record replaced."
      : "Batches of a fixed size have another ε, often several times larger. The Poisson number is not valid for them. The command below has it.";
    const found = unanswered("not Poisson sampling");
    return { ...found, tight: { ...found.tight, why } };
  }

  function unanswered(cannot = "outside q from 1e-6, sigma 0.2 to 100, 1e7 steps, delta 1e-15 to 0.1, where it was tested") {
    const rdp = ["cks", "mironov"].flatMap((conversion) =>
      ["dp-accounting", "opacus", "all real orders"].map((orders) => ({ orders, conversion, cannot })));
    return { tight: { cannot }, remove: { cannot }, add: { cannot }, rdp };
  }

  async function copy() {
    const text = byId("code").textContent;
    try {
      await navigator.clipboard.writeText(text);
      show("copied", "copied");
    } catch {
      getSelection().selectAllChildren(byId("code")); // no clipboard here: at least it is selected
      show("copied", "selected: press Ctrl+C");
    }
    setTimeout(() => show("copied", ""), 2500);
  }

  function load() {
    const found = run.fromHash(location.hash);
    if (!found) return false;
    for (const name of FIELDS) if (name in found) set(byId(name), found[name]);
    if (byId("unit").value === "") byId("unit").value = "steps";
    if (byId("loader").value === "") byId("loader").value = "poisson";
    return true;
  }

  function start() {
    const data = byId("data");
    if (!run.libraries && data) run.libraries = JSON.parse(data.textContent);
    let waiting = 0;
    const changed = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        history.replaceState(null, "", run.toHash(fields()));
        update();
      }, PAUSE);
    };
    for (const name of FIELDS) {
      byId(name).addEventListener("input", () => {
        emptied.delete(name);
        changed();
      });
    }
    byId("form").addEventListener("submit", (event) => event.preventDefault());
    byId("clear").addEventListener("click", () => {
      clearTimeout(waiting);
      for (const name of [...TYPED, "dropped"]) set(byId(name), "");
      TYPED.forEach((name) => emptied.add(name));
      history.replaceState(null, "", "#run");
      update();
      byId(run.WAYS[run.wayOf(fields())][0]).focus();
    });
    byId("copy").addEventListener("click", copy);
    addEventListener("hashchange", () => load() && update());
    if (load()) document.getElementById("run").scrollIntoView();
    update();
  }

  if (typeof document !== "undefined") {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", start);
    else start();
  }
})((globalThis.sgmRun = globalThis.sgmRun || {}));
