'use strict';
// Numbers for people.

// chance writes a probability: a bound where it is nearly 0 or 1.
function chance(p) {
  if (p > 0 && p < 0.001) return '<0.001';
  if (p < 1 && p > 0.999) return '>0.999';
  return p === null || p === 0 || p === 1 ? show(p) : p.toFixed(3);
}

// placesOf is how many decimals give the median width of intervals two digits, null where none has a width.
function placesOf(lo, hi) {
  const widths = lo.map((v, i) => (v === null || hi[i] === null ? 0 : hi[i] - v));
  const known = widths.filter((w) => w > 0).sort((a, b) => a - b);
  if (!known.length) return null;
  return Math.max(0, 1 - Math.floor(Math.log10(known[Math.floor(known.length / 2)])));
}

// placed writes a number with so many decimals.
function placed(x, places) {
  if (x === null || x === undefined) return '';
  if (places === null || places > 8) return show(x, 3);
  const text = x.toFixed(places);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

// show writes a number with four significant digits.
function show(x, digits = 4) {
  if (x === null || x === undefined) return '';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4)
    return x.toExponential(Math.max(0, digits - 2)).replace('e+', 'e');
  const places = Math.max(0, Math.min(8, digits - 1 - Math.floor(Math.log10(size))));
  return String(Number(x.toFixed(places)));
}
