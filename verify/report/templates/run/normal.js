// The normal distribution with a small relative error in the tail, and the two closed forms of delta.
(function (run) {
  "use strict";
  const SQRT_2PI = Math.sqrt(2 * Math.PI);

  const density = (x) => Math.exp(-0.5 * x * x) / SQRT_2PI;

  /** Phi(-x)/phi(x) for x >= 0: a series of positive terms below 2, Laplace's continued fraction above. */
  function mills(x) {
    if (x < 2) {
      let term = x;
      let sum = x;
      for (let n = 1; term > 1e-17 * sum; n++) {
        term *= (x * x) / (2 * n + 1);
        sum += term;
      }
      return 0.5 / density(x) - sum;
    }
    let tail = x;
    for (let n = Math.ceil(30 + 800 / (x * x)); n > 0; n--) tail = x + n / tail;
    return 1 / tail;
  }

  /** P(N(0, 1) > x). */
  const above = (x) => (x >= 0 ? density(x) * mills(x) : 1 - density(x) * mills(-x));

  /**
   * Full batches: [delta(eps), -d delta/d eps, what was subtracted], mu = sqrt(T)/sigma.
   * delta = Phi(-v) - e^eps Phi(-w), v = eps/mu - mu/2, w = eps/mu + mu/2, and e^eps phi(w) = phi(v).
   */
  function gaussian(eps, mu) {
    const v = eps / mu - mu / 2;
    const fall = density(v) * mills(eps / mu + mu / 2);
    const one = above(v);
    return [one - fall, fall, one + fall];
  }

  /** One step, removing: t* where g = e^eps; e^eps - p = expm1(eps) + q. */
  function singleRemove(eps, q, sigma) {
    const grown = Math.expm1(eps);
    const t = sigma * Math.log1p(grown / q) + 0.5 / sigma;
    const plain = above(t);
    const mixed = above(t - 1 / sigma);
    return [q * (mixed - plain) - grown * plain, (1 + grown) * plain, q * mixed + grown * plain];
  }

  /** One step, adding: t* where g = e^-eps, below the end -ln(1-q) only. */
  function singleAdd(eps, q, sigma) {
    const t = sigma * Math.log1p(Math.expm1(-eps) / q) + 0.5 / sigma; // e^-eps - p = q + expm1(-eps)
    const plain = above(-t);
    const mixed = above(1 / sigma - t);
    const one = plain * -Math.expm1(eps + Math.log1p(-q)); // 1 - p e^eps
    const two = q * Math.exp(eps) * mixed;
    return [one - two, Math.exp(eps) * ((1 - q) * plain + q * mixed), one + two];
  }

  Object.assign(run, { above, gaussian, singleRemove, singleAdd });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
