// What was typed, as numbers or as one sentence that says what is wrong; and numbers as text.
(function (run) {
  "use strict";
  const DECIMAL = /^[+]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

  /** A decimal or a fraction of two; null if it is neither. */
  function number(text) {
    const parts = text.trim().split("/").map((part) => part.trim());
    if (parts.length > 2 || !parts.every((part) => DECIMAL.test(part))) return null;
    const value = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
    return Number.isFinite(value) ? value : null;
  }

  const LOADERS = ["poisson", "shuffle", "fixed-size"];

  /** As the command line takes it: no spaces. */
  const plain = (text) => text.replace(/\s+/g, "").replace(/^\+/, "");

  /** A whole number without a sign; 0 if it is none. */
  const whole = (text) => (/^\d+([eE]\+?\d+)?$/.test(text.trim()) ? Number(text) : 0);
  const counting = (such) => [(v) => v >= 1 && v <= 1e12, `must be a whole number from 1 to 1e12, such as ${such}.`, whole];

  /** Two ways to give a run: as a loader makes it, or as the accountant takes it. The form shows the fields of one. */
  const WAYS = { records: ["records", "batch", "epochs"], rate: ["q", "count"] };
  const wayOf = ({ way }) => (way in WAYS ? way : "rate");

  const RULES = {
    records: counting(50000),
    batch: counting(512),
    epochs: counting(20),
    q: [(v) => v > 0 && v <= 1, "must be above 0 and at most 1: batch size over data set size, such as 256/60000."],
    sigma: [(v) => v >= 0.05 && v <= 1e6, "must be from 0.05 to 1000000."],
    count: [(v) => v > 0 && v <= 1e12, "must be above 0 and at most 1e12."],
    delta: [(v) => v > 0 && v < 1, "must be above 0 and below 1, such as 1e-5."],
  };
  const NAMES = { records: "The number of records", batch: "The batch size", epochs: "The number of epochs", q: "The sampling rate", sigma: "The noise multiplier", count: "The number of steps or epochs", delta: "delta" };

  /**
   * {values: {q, sigma, steps, delta}, typed: the same as text} or {problems: {field: sentence}}.
   * Beside a rate, epochs become steps as a loader counts them: an epoch has 1/q batches, rounded up (a smaller last one is a step), or down if
   * the loader drops a smaller last one.
   */
  function parse(fields) {
    const problems = {};
    const values = {};
    const way = wayOf(fields);
    for (const name of [...WAYS[way], "sigma", "delta"]) {
      const [fits, rule, read = number] = RULES[name];
      const text = fields[name] || "";
      const value = read(text);
      if (text.trim() === "") problems[name] = `${NAMES[name]} is missing.`;
      else if (value === null) problems[name] = `${NAMES[name]} must be a number such as 0.01 or 1e-5, or a fraction such as 1/100.`;
      else if (!fits(value)) problems[name] = `${NAMES[name]} ${rule}`;
      else values[name] = value;
    }
    if (values.batch > values.records) {
      problems.batch = `The batch size must not be above the number of records, ${values.records}.`;
    }
    const byEpochs = fields.unit === "epochs" || fields.unit === "dropped";
    if ("count" in values && !byEpochs && !Number.isInteger(values.count)) {
      problems.count = "The number of steps must be whole.";
    }
    if (Object.keys(problems).length) return { problems };
    const { sigma, delta } = values;
    const counted = way === "records" ? ofLoader(values, Boolean(fields.dropped)) : ofRate(values, byEpochs, fields);
    if (counted.steps > 1e12) return { problems: { [WAYS[way].at(-1)]: "These are more than 1e12 steps." } };
    const { q, steps, batches } = counted;
    const loader = LOADERS.includes(fields.loader) ? fields.loader : LOADERS[0];
    const typed = { ...counted, q: plain(fields.q || ""), sigma: plain(fields.sigma), delta: plain(fields.delta), loader };
    return { values: { q, sigma, steps, delta, batches, loader }, typed };
  }

  /** An epoch is counted in whole batches, never the whole run: 20 epochs of 98 batches, not 20 * 97.66 steps. */
  function ofLoader({ records, batch, epochs }, dropped) {
    const batches = dropped ? Math.floor(records / batch) : Math.ceil(records / batch);
    return { q: batch / records, steps: batches * epochs, batches, epochs, batch, records, dropped, byLoader: true };
  }

  function ofRate({ q, count }, byEpochs, fields) {
    // 1/(256/65536) is a whole number of batches in spite of rounding
    const whole = fields.unit === "dropped" ? Math.floor((1 / q) * (1 + 4e-16)) : Math.ceil((1 / q) * (1 - 4e-16));
    const batches = Math.max(1, whole);
    const steps = byEpochs ? Math.max(1, Math.ceil(count * batches * (1 - 4e-16))) : count;
    const epochs = Math.max(1, Math.ceil((steps / batches) * (1 - 4e-16)));
    const [batch, records] = /^\d+\/\d+$/.test(plain(fields.q)) && byEpochs && Number.isInteger(count) ? plain(fields.q).split("/") : [];
    return { q, steps, batches, epochs, batch, records, dropped: fields.unit === "dropped" };
  }

  /** Where this arithmetic was compared with certified values; elsewhere it gives no number. */
  function outside({ q, sigma, steps, delta }) {
    const within = (v, low, high) => v >= low && v <= high;
    return !(within(q, 1e-6, 1) && within(sigma, 0.2, 100) && within(steps, 1, 1e7) && within(delta, 1e-15, 0.1));
  }

  /** A shuffled loader is asked about by its epochs, and by its last, smaller batch where the numbers tell. */
  function command({ q, sigma, steps, delta, loader = LOADERS[0], batches, epochs, batch, records, dropped, byLoader }) {
    const byEpochs = records
      ? `--records ${records} --batch ${batch} --epochs ${epochs}${dropped ? " --drop-last" : ""} --sigma ${sigma}`
      : `--sigma ${sigma} --steps ${batches} --epochs ${epochs}`;
    const run = byLoader || loader === "shuffle" ? byEpochs : `--q ${q} --sigma ${sigma} --steps ${steps}`;
    const whole = loader === "fixed-size" && (byLoader ? Number(batch) === Number(records) : Number(q) === 1);
    const relation = whole ? " --relation replace-one" : ""; // a batch of all records cannot lack one
    return `sgm-verify epsilon ${run} --sampling ${loader}${relation} --delta ${delta}`;
  }

  /** A number for people, to some significant digits; zeros at the end only if they are to be kept. */
  function shown(value, digits = 6, keep = false) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e-4 && size < Math.min(1e7, 10 ** digits)) {
      const text = value.toPrecision(digits);
      return keep ? text : String(Number(text));
    }
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${keep ? mantissa : Number(mantissa)}e${Number(exponent)}`;
  }

  const NAMES_IN_ADDRESS = {
    records: ["records", "batch", "epochs", "dropped", "sigma", "delta", "loader"],
    rate: ["q", "sigma", "count", "unit", "delta", "loader"],
  };

  /** The form in the address, and back; null if the address is about something else. */
  const toHash = (fields) =>
    `#run:${NAMES_IN_ADDRESS[wayOf(fields)].map((name) => `${name}=${encodeURIComponent((fields[name] || "").trim()).replace(/%2F/g, "/")}`).join(";")}`;

  function fromHash(hash) {
    if (!hash.startsWith("#run:")) return null;
    const found = {};
    for (const pair of hash.slice(5).split(";")) {
      const at = pair.indexOf("=");
      const name = pair.slice(0, at);
      if (at < 0 || !Object.values(NAMES_IN_ADDRESS).flat().includes(name)) continue;
      try {
        found[name] = decodeURIComponent(pair.slice(at + 1)).slice(0, 40);
      } catch {
        // a broken escape: as if it were not there
      }
    }
    return { ...found, way: "records" in found ? "records" : "rate" };
  }

  Object.assign(run, { WAYS, wayOf, parse, outside, command, shown, toHash, fromHash });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
