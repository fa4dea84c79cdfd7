'use strict';
// Pictures. A chart is a list of panels with one legend; every number in it comes from Go.

const LINE = 0, DOTS = 1, BAND = 2, BARS = 3, SPANS = 4, WIDE = 5, RINGS = 6;

// html makes an element; text goes in as text alone.
function html(tag, attributes, ...children) {
  const node = document.createElement(tag);
  return fill(node, attributes, children);
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  return fill(node, attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) node.append(child); // a string becomes a text node
  }
  return node;
}

// show writes a number with four significant digits.
function show(x, digits = 4) {
  if (x === null || x === undefined) return '';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e7 || size < 1e-4) return x.toExponential(Math.max(0, digits - 2)).replace('e+', 'e');
  const places = Math.max(0, Math.min(8, digits - 1 - Math.floor(Math.log10(size))));
  return String(Number(x.toFixed(places)));
}

// ticks lists as nearly n round numbers in [lo, hi] as there are.
function ticks(lo, hi, n) {
  if (!(hi > lo)) return [lo];
  const power = 10 ** Math.floor(Math.log10((hi - lo) / n));
  let best = null;
  for (const m of [10, 5, 2.5, 2, 1]) {
    const step = m * power, list = [];
    for (let k = Math.ceil(lo / step - 1e-5); k * step <= hi + step * 1e-5; k++) {
      list.push(Number((k * step).toPrecision(12)));
    }
    if (!best || Math.abs(list.length - n) < Math.abs(best.length - n)) best = list;
  }
  return best;
}

// extent is the range of a panel's values on an axis.
function extent(panel, axis, shown) {
  let lo = Infinity, hi = -Infinity;
  const take = (v) => {
    if (v !== null && Number.isFinite(v)) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
  };
  for (const s of panel.series) {
    if (!shown[s.entry]) continue;
    if (axis === 'x') {
      const half = s.mark === BARS && s.x.length > 1 ? (s.x[1] - s.x[0]) / 2 : 0;
      s.x.forEach((v) => { take(v - half); take(v + half); });
      continue;
    }
    for (const list of [s.y, s.lo, s.hi]) (list || []).forEach(take);
    if (s.err) s.y.forEach((v, i) => { if (v !== null && s.err[i] !== null) { take(v - s.err[i]); take(v + s.err[i]); } });
    if (s.mark === BARS) take(0);
  }
  if (axis === 'y') (panel.target || []).forEach(take);
  if (panel.diagonal) { take(0); take(1); }
  if (lo > hi) { lo = 0; hi = 1; }
  if (lo === hi) { const pad = Math.abs(lo) * 0.05 || 0.5; lo -= pad; hi += pad; }
  return [lo, hi];
}

// axes are the scales of a panel drawn w wide and h high.
function axes(panel, shown, w, h) {
  let [x0, x1] = panel.names ? [-0.6, panel.names.length - 0.4] : extent(panel, 'x', shown);
  let [y0, y1] = panel.range || extent(panel, 'y', shown);
  if (!panel.range) {
    const zero = y0 === 0, pad = (y1 - y0) * 0.05;
    y0 = zero ? 0 : y0 - pad; y1 += pad;
  }
  const log = panel.logx && x0 > 0, at = log ? Math.log : (v) => v;
  if (!panel.names && !panel.series.some((s) => s.mark === BARS)) {
    const pad = (at(x1) - at(x0)) * 0.03;
    x0 = log ? Math.exp(at(x0) - pad) : x0 - pad; x1 = log ? Math.exp(at(x1) + pad) : x1 + pad;
  }
  const top = panel.title ? 24 : 10;
  const yTicks = ticks(y0, y1, Math.max(3, Math.min(7, h / 45)));
  const left = Math.max(...yTicks.map((t) => show(t).length)) * 6.6 + (panel.y ? 30 : 12);
  const slanted = Boolean(panel.names);
  const longest = slanted ? Math.max(...panel.names.map((n) => Math.min(n.length, 18))) : 0;
  const bottom = (panel.x ? 38 : 22) + (slanted ? Math.min(90, longest * 5) : 0);
  const inner = { left, top, right: w - 8, bottom: h - bottom };
  const sx = (v) => left + (at(v) - at(x0)) / (at(x1) - at(x0)) * (inner.right - left);
  const sy = (v) => inner.bottom - (v - y0) / (y1 - y0) * (inner.bottom - top);
  let xTicks = log ? [...new Set(panel.series.flatMap((s) => s.x))] : ticks(x0, x1, Math.max(3, Math.min(8, (w - left) / 70)));
  if (panel.names) {
    const every = Math.ceil(panel.names.length / Math.max(2, (inner.right - left) / 18));
    xTicks = panel.names.map((_, i) => i).filter((i) => i % every === 0);
  }
  return { x0, x1, y0, y1, sx, sy, inner, xTicks, yTicks, slanted };
}

// frame draws grid, ticks and labels.
function frame(panel, a, w, h) {
  const g = svg('g', {}), { inner } = a;
  for (const t of a.yTicks) {
    g.append(svg('line', { class: 'grid', x1: inner.left, x2: inner.right, y1: a.sy(t), y2: a.sy(t) }),
      svg('text', { class: 'tick', x: inner.left - 6, y: a.sy(t) + 4, 'text-anchor': 'end' }, show(t)));
  }
  for (const t of a.xTicks) {
    const x = a.sx(t);
    g.append(svg('line', { class: a.slanted ? 'axis' : 'grid', x1: x, x2: x, y1: a.slanted ? inner.bottom : inner.top, y2: inner.bottom + 4 }));
    const name = panel.names ? panel.names[t] : show(t);
    const text = name.length > 18 ? name.slice(0, 17) + '…' : name;
    g.append(a.slanted
      ? svg('text', { class: 'tick', transform: `translate(${x + 4},${inner.bottom + 8}) rotate(-60)`, 'text-anchor': 'end' }, text)
      : svg('text', { class: 'tick', x, y: inner.bottom + 17, 'text-anchor': 'middle' }, text));
  }
  g.append(svg('line', { class: 'axis', x1: inner.left, x2: inner.right, y1: inner.bottom, y2: inner.bottom }));
  if (panel.title) g.append(svg('text', { x: inner.left, y: 14, 'font-weight': 600 }, panel.title));
  if (panel.x) g.append(svg('text', { x: (inner.left + inner.right) / 2, y: h - 4, 'text-anchor': 'middle' }, panel.x));
  if (panel.y) {
    g.append(svg('text', { transform: `translate(12,${(inner.top + inner.bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' }, panel.y));
  }
  return g;
}

// marks draws one series.
function marks(s, a) {
  const g = svg('g', { class: s.ink ? 'ink' : 'c' + s.entry % 8 });
  const pen = (i) => `${a.sx(s.x[i]).toFixed(1)} `;
  const level = (v) => Math.max(-1e4, Math.min(1e4, a.sy(v))).toFixed(1);
  const known = s.x.map((_, i) => i).filter((i) => (s.y ? s.y[i] : s.lo[i]) !== null);
  const gap = (a.inner.right - a.inner.left) / Math.max(1, a.x1 - a.x0);
  const wide = Math.max(0.6, Math.min(9, gap * 0.7));
  const spans = (width, name) => svg('path', { class: name, 'stroke-width': width,
    d: known.map((i) => `M${pen(i)}${level(s.lo[i])}V${level(s.hi[i])}`).join('') });
  switch (s.mark) {
    case BAND: {
      const up = known.map((i) => pen(i) + level(s.hi[i])), down = known.map((i) => pen(i) + level(s.lo[i])).reverse();
      if (known.length) g.append(svg('path', { class: 'area', d: 'M' + up.concat(down).join('L') + 'Z' }));
      return g;
    }
    case WIDE: g.append(spans(wide, 'stroke pale')); return g;
    case SPANS: g.append(spans(Math.max(0.5, wide * 0.4 * (s.thin || 1)), 'stroke')); return g;
    case BARS: {
      const half = s.x.length > 1 ? (s.x[1] - s.x[0]) / 2 : 0.5;
      for (const i of known) {
        const x = a.sx(s.x[i] - half), y = a.sy(Math.max(0, s.y[i]));
        g.append(svg('rect', { class: 'bar', x, y, width: Math.max(0.5, a.sx(s.x[i] + half) - x), height: Math.max(0, a.sy(0) - y) }));
      }
      break;
    }
    case LINE:
      if (known.length) g.append(svg('path', { class: 'stroke', 'stroke-width': 1.8, d: 'M' + known.map((i) => pen(i) + level(s.y[i])).join('L') }));
  }
  if (s.err) {
    g.append(svg('path', { class: 'stroke', d: known.filter((i) => s.err[i])
      .map((i) => `M${pen(i)}${level(s.y[i] - s.err[i])}V${level(s.y[i] + s.err[i])}`).join('') }));
  }
  if (s.mark === RINGS && known.length > 300) { // rings would hide each other
    g.append(svg('path', { class: 'over', d: 'M' + known.map((i) => pen(i) + level(s.y[i])).join('L') }));
  } else if (s.mark === DOTS || s.mark === RINGS || (s.mark === LINE && known.length <= 40)) {
    const r = s.mark === LINE ? 2.5 : Math.max(1.6, Math.min(3.4, wide / 2 + 0.8));
    for (const i of known) g.append(svg('circle', { class: s.mark === RINGS ? 'ring' : 'fill', cx: a.sx(s.x[i]), cy: level(s.y[i]), r }));
  }
  return g;
}

// guides draws dashed lines.
function guides(panel, a) {
  const g = svg('g', {});
  for (const t of panel.target || []) {
    g.append(svg('line', { class: 'guide', x1: a.inner.left, x2: a.inner.right, y1: a.sy(t), y2: a.sy(t) }));
  }
  if (panel.diagonal) g.append(svg('line', { class: 'guide', x1: a.sx(0), y1: a.sy(0), x2: a.sx(1), y2: a.sy(1) }));
  return g;
}

// drawPanel returns a panel as SVG. pick, if given, is called with the number of the nearest X.
function drawPanel(panel, shown, size, pick, picked) {
  const [w, h] = size, a = axes(panel, shown, w, h);
  const root = svg('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': size.alt });
  root.append(frame(panel, a, w, h));
  const clip = svg('g', {});
  for (const s of panel.series) if (shown[s.entry]) clip.append(marks(s, a));
  root.append(clip, guides(panel, a));
  if (picked !== undefined && picked !== null) {
    root.append(svg('line', { class: 'picked', x1: a.sx(picked), x2: a.sx(picked), y1: a.inner.top, y2: a.inner.bottom }));
  }
  if (pick) {
    root.append(svg('rect', { class: 'hit', x: a.inner.left, y: a.inner.top, width: a.inner.right - a.inner.left,
      height: a.inner.bottom - a.inner.top, onclick: (event) => {
        const box = root.getBoundingClientRect(), x = (event.clientX - box.left) * w / box.width;
        pick(Math.round(a.x0 + (x - a.inner.left) / (a.inner.right - a.inner.left) * (a.x1 - a.x0)));
      } }));
  }
  return root;
}

// swatch is the mark of a legend's entry.
function swatch(entry, i) {
  const thick = [BAND, BARS, WIDE].includes(entry.mark);
  const dot = entry.mark === DOTS || entry.mark === RINGS;
  return svg('svg', { viewBox: '0 0 22 12', 'aria-hidden': 'true', class: entry.ink ? 'ink' : 'c' + i % 8 },
    dot ? svg('circle', { class: entry.mark === RINGS ? 'ring' : 'fill', cx: 11, cy: 6, r: 4 })
      : svg('line', { class: 'stroke' + (thick ? ' pale' : ''), x1: 0, x2: 22, y1: 6, y2: 6, 'stroke-width': thick ? 10 : 3 }));
}

// describe is the text for those who do not see a panel.
function describe(spec, panel) {
  const names = [...new Set(panel.series.map((s) => spec.series[s.entry].name))];
  const where = [panel.title, panel.y && panel.x ? `${panel.y} by ${panel.x}` : panel.y || panel.x].filter(Boolean).join(': ');
  return [spec.alt, where, names.length ? 'shown: ' + names.join(', ') : ''].filter(Boolean).join('. ');
}

// chart fills host with a chart and keeps it as wide as the page. It returns a function that draws
// it anew, with another X marked.
function chart(host, spec, pick) {
  const shown = spec.series.map((s) => !s.off);
  const grid = html('div', { class: 'panels' });
  grid.style.gridTemplateColumns = `repeat(${Math.min(spec.columns, 3)}, minmax(0, 1fr))`;
  let picked = null, width = 0;
  const draw = () => {
    grid.replaceChildren();
    for (const panel of spec.panels) {
      const cell = html('div', { class: 'panel' });
      grid.append(cell);
      const w = Math.max(240, cell.clientWidth || 600);
      const size = [w, panel.tall || Math.max(220, Math.min(360, w * 0.6))];
      size.alt = describe(spec, panel);
      cell.append(drawPanel(panel, shown, size, pick, picked));
    }
  };
  host.replaceChildren();
  if (spec.series.length > 1) {
    host.append(html('ul', { class: 'legend', 'aria-label': 'legend: press to show or hide' }, ...spec.series.map((entry, i) => html('li', {},
      html('button', { type: 'button', 'aria-pressed': String(shown[i]), onclick: (event) => {
        shown[i] = !shown[i];
        event.currentTarget.setAttribute('aria-pressed', String(shown[i]));
        draw();
      } }, swatch(entry, i), entry.name)))));
  }
  host.append(grid);
  draw();
  new ResizeObserver(() => {
    if (Math.abs(grid.clientWidth - width) > 1) { width = grid.clientWidth; draw(); }
  }).observe(grid);
  return (x) => { picked = x; draw(); };
}
