// The sum over the nodes of a path: the loop in which the time goes.
(function (run) {
  "use strict";
  const DEEP = 44; // nats below the largest term at which a term is left out

  /** ln(1 + sum of the weights times (g^w - 1 - w u)), or ln of the sum of g^w if that is large or small. */
  function logSum(nodes, a, y) {
    const { count, wr, wi, lr, li } = nodes;
    let top = -Infinity;
    for (let j = 0; j < count; j++) top = Math.max(top, wr[j] + a * lr[j] - y * li[j]);
    if (top < 500) {
      const found = excess(nodes, a, y, Math.min(top, 0) - DEEP);
      if (found[0] > -1) return found;
    }
    let re = 0;
    let im = 0;
    for (let j = 0; j < count; j++) {
      const e = wr[j] + a * lr[j] - y * li[j] - top;
      if (e < -DEEP) continue;
      const turn = wi[j] + a * li[j] + y * lr[j];
      const size = Math.exp(e);
      re += size * Math.cos(turn);
      im += size * Math.sin(turn);
    }
    return [top + 0.5 * Math.log(re * re + im * im), Math.atan2(im, re)];
  }

  // Plain scalars throughout: this loop is where the time goes.
  function excess(nodes, a, y, floor) {
    const { count, wr, wi, lr, li, ur, ui, kr, ki } = nodes;
    const b = a - 1;
    // g^w - 1 - w u = expm1(w ln g) - w u = g expm1((w-1) ln g) - (w-1) u: near 0 the first form, near 1 the second
    const zero = a < 0.5;
    const m = zero ? a : b;
    const length = Math.sqrt(a * a + y * y);
    const startRe = 0.5 * (a * b - y * y);
    const startIm = 0.5 * (a + b) * y;
    let re = 0;
    let im = 0;
    for (let j = 0; j < count; j++) {
      const vr = ur[j];
      const vi = ui[j];
      const size = Math.abs(vr) + Math.abs(vi);
      const reach = length * size;
      let tr;
      let ti;
      if (reach < 0.4 && size < 0.4) {
        if (wr[j] < -90) continue;
        // w (w-1) u^2/2 (1 + (w-2) u/3 (1 + (w-3) u/4 ...))
        const square = vr * vr - vi * vi;
        const cross = 2 * vr * vi;
        let cr = startRe * square - startIm * cross;
        let ci = startRe * cross + startIm * square;
        tr = cr;
        ti = ci;
        for (let k = 2; k < 40; k++) {
          const pr = (a - k) / (k + 1);
          const pi = y / (k + 1);
          const sr = pr * vr - pi * vi;
          const si = pr * vi + pi * vr;
          const next = cr * sr - ci * si;
          ci = cr * si + ci * sr;
          cr = next;
          tr += cr;
          ti += ci;
          if (Math.abs(cr) + Math.abs(ci) < 1e-17 * (Math.abs(tr) + Math.abs(ti))) break;
        }
      } else {
        const full = a * lr[j] - y * li[j];
        if (wr[j] + Math.max(full, Math.log(1 + reach)) < floor) continue;
        if (full > 300) {
          // in logarithms, against overflow; 1 + w u is then nothing beside g^w
          const term = Math.exp(wr[j] + full);
          const angle = wi[j] + a * li[j] + y * lr[j];
          re += term * Math.cos(angle);
          im += term * Math.sin(angle);
          continue;
        }
        const e = m * lr[j] - y * li[j];
        const turn = m * li[j] + y * lr[j];
        const half = Math.sin(0.5 * turn);
        const er = Math.expm1(e) * Math.cos(turn) - 2 * half * half;
        const ei = Math.exp(e) * Math.sin(turn);
        tr = (zero ? er : (1 + vr) * er - vi * ei) - (m * vr - y * vi);
        ti = (zero ? ei : (1 + vr) * ei + vi * er) - (m * vi + y * vr);
      }
      re += kr[j] * tr - ki[j] * ti;
      im += kr[j] * ti + ki[j] * tr;
    }
    return [0.5 * Math.log1p(2 * re + re * re + im * im), Math.atan2(im, 1 + re)];
  }

  Object.assign(run, { logSum });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
