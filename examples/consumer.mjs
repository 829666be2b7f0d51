// Check a function against the published vectors: node consumer.mjs dp-sgd.json
import { readFileSync } from "node:fs";

function myRdp(q, sigma, alpha) {  // yours goes here
  let total = 0, binomial = 1;  // the binomial sum of a small whole order, as an example
  for (let k = 0; k <= alpha; k++) {
    total += binomial * (1 - q) ** (alpha - k) * q ** k * Math.exp((k * k - k) / (2 * sigma ** 2));
    binomial *= (alpha - k) / (k + 1);
  }
  return Math.log(total) / (alpha - 1);
}

for (const v of JSON.parse(readFileSync(process.argv[2], "utf8")).vectors) {
  const [q, sigma, alpha] = ["q", "sigma", "alpha"].map((name) => Number(v[name].dec));
  if (!v.flags.includes("IntegerOrder") || alpha > 16) continue;  // what it supports
  const got = myRdp(q, sigma, alpha), truth = Number(v.rdp.nearest_dec);
  if (!(Math.abs(got - truth) <= 1e-6 * truth + 1e-12))
    throw new Error(`${v.id}: ${got}, and the truth is ${truth}`);
}
