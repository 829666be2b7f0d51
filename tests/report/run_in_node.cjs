// Asked by tests: standard input is {folder, scripts, sources, runs}; standard output the answers of sgmRun.account.
// `sources` replaces scripts by others, so that a test can break one. `read` alone: what was read, and no account of it.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const given = JSON.parse(fs.readFileSync(0, "utf8"));
for (const name of given.scripts) {
  const source = given.sources[name] || fs.readFileSync(path.join(given.folder, `${name}.js`), "utf8");
  vm.runInThisContext(source, { filename: `${name}.js` });
}
const answers = given.runs.map((fields) => {
  const read = globalThis.sgmRun.parse({ ...fields, unit: fields.unit || "steps" });
  if (read.problems) return read;
  if (given.read) return { ...read.values, command: globalThis.sgmRun.command(read.typed) };
  const { q, sigma, steps, delta } = read.values;
  const found = { outside: globalThis.sgmRun.outside(read.values), command: globalThis.sgmRun.command(read.typed) };
  return found.outside ? found : { ...found, ...globalThis.sgmRun.account(q, sigma, steps, delta) };
});
process.stdout.write(JSON.stringify(answers));
