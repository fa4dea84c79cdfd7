// Axes: ranges, round numbers, labels.

// The marks of a series, as report.Mark numbers them.
const LINE = 0,
  DOTS = 1,
  BAND = 2,
  BARS = 3,
  SPANS = 4,
  WIDE = 5,
  RINGS = 6,
  TILES = 7,
  HATCH = 8;

// ticks lists as nearly n round numbers in [lo, hi] as there are, whole ones if told.
function ticks(lo, hi, n, whole) {
  if (!(hi > lo)) return [lo];
  const power = 10 ** Math.floor(Math.log10((hi - lo) / n));
  let best = null;
  let steps = [10, 5, 2.5, 2, 1].map((m) => m * power);
  if (whole) steps = steps.filter(Number.isInteger);
  for (const step of steps.length ? steps : [1]) {
    const list = [];
    const first = Math.ceil(lo / step - 1e-5),
      last = Math.floor(hi / step + 1e-5);
    for (let i = 0; i <= last - first; i++) {
      list.push(Number(((first + i) * step).toPrecision(12)));
    }
    if (!best || Math.abs(list.length - n) < Math.abs(best.length - n)) best = list;
  }
  return best;
}

// WIDEST is the largest number that an axis shows, so that the length of an axis is finite.
const WIDEST = Number.MAX_VALUE / 4;

// extent is the range of a panel's values on an axis.
function extent(panel, axis, shown) {
  let lo = Infinity,
    hi = -Infinity;
  const take = (v) => {
    if (v !== null && Number.isFinite(v)) {
      const shown = Math.max(-WIDEST, Math.min(WIDEST, v));
      lo = Math.min(lo, shown);
      hi = Math.max(hi, shown);
    }
  };
  for (const s of panel.series) {
    if (!shown[s.entry]) continue;
    if (axis === 'x') {
      const half = s.mark === BARS && s.x.length > 1 ? (s.x[1] - s.x[0]) / 2 : 0;
      s.x.forEach((v) => {
        take(v - half);
        take(v + half);
      });
      continue;
    }
    for (const list of [s.y, s.lo, s.hi]) (list || []).forEach(take);
    if (s.err)
      s.y.forEach((v, i) => {
        if (v !== null && s.err[i] !== null) {
          take(v - s.err[i]);
          take(v + s.err[i]);
        }
      });
    if (s.mark === BARS) take(0);
  }
  if (axis === 'y') (panel.target || []).forEach(take);
  if (panel.diagonal) {
    take(0);
    take(1);
  }
  if (lo > hi) {
    lo = 0;
    hi = 1;
  }
  if (lo === hi) {
    const pad = Math.abs(lo) * 0.05 || 0.5;
    lo -= pad;
    hi += pad;
  }
  return [lo, hi];
}

// wrap breaks a text into lines of at most so many characters.
function wrap(text, most) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line && line.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = line ? line + ' ' + word : word;
  }
  return lines.slice(0, 3).map((line) => shorten(line, most));
}

// axes are the scales of a panel drawn w wide and h high.
function axes(panel, shown, w, h) {
  let [x0, x1] = panel.names ? [-0.6, panel.names.length - 0.4] : extent(panel, 'x', shown);
  const rows = panel.namesY;
  let [y0, y1] = rows ? [-0.5, rows.length - 0.5] : panel.range || extent(panel, 'y', shown);
  if (!panel.range && !rows) {
    const zero = y0 === 0,
      pad = (y1 - y0) * 0.05;
    y0 = zero ? 0 : y0 - pad;
    y1 += pad;
  }
  const log = panel.logx && x0 > 0,
    at = log ? Math.log : (v) => v;
  if (!panel.names) {
    const pad = (at(x1) - at(x0)) * 0.03;
    x0 = log ? Math.exp(at(x0) - pad) : x0 - pad;
    x1 = log ? Math.exp(at(x1) + pad) : x1 + pad;
  }
  const top = panel.title ? 24 : 10;
  const yTicks = rows ? rows.map((_, i) => i) : ticks(y0, y1, Math.max(3, Math.min(7, h / 45)));
  const yText = (t) => (rows ? rows[t] : show(t));
  const left = Math.max(...yTicks.map((t) => Math.min(18, spaced(yText(t)).length))) * 6.6 + (panel.y ? 30 : 12);
  const texts = panel.marks ? Object.values(panel.marks) : panel.names || [];
  const longest = Math.max(0, ...texts.map((n) => Math.min(n.length, 18)));
  const slanted = longest > 0 && longest * 6.6 + 10 > (w - 8 - left) / texts.length;
  const label = panel.x ? wrap(panel.x, Math.max(16, (w - left) / 7.4)) : [];
  const bottom = 22 + 16 * label.length + (slanted ? longest * 5.8 : 0);
  const inner = { left, top, right: w - 8, bottom: h - bottom };
  const sx = (v) => left + ((at(v) - at(x0)) / (at(x1) - at(x0))) * (inner.right - left);
  const sy = (v) => inner.bottom - ((v - y0) / (y1 - y0)) * (inner.bottom - top);
  let xTicks = log
    ? [...new Set(panel.series.flatMap((s) => s.x))]
    : ticks(x0, x1, Math.max(3, Math.min(8, (w - left) / 70)), panel.ranks);
  if (panel.marks) xTicks = Object.keys(panel.marks).map(Number);
  else if (panel.names) {
    const every = Math.ceil(panel.names.length / Math.max(2, (inner.right - left) / 18));
    xTicks = panel.names.map((_, i) => i).filter((i) => i % every === 0);
  }
  return { x0, x1, y0, y1, sx, sy, inner, xTicks, yTicks, yText, slanted, label };
}

// frame draws grid, ticks and labels.
function frame(panel, a, w, h) {
  const g = svg('g', {}),
    { inner } = a;
  for (const t of a.yTicks) {
    const y = a.sy(t);
    if (!panel.namesY)
      g.append(svg('line', { class: 'grid', x1: inner.left, x2: inner.right, y1: y, y2: y }));
    g.append(
      label({ class: 'tick', x: inner.left - 6, y: y + 4, 'text-anchor': 'end' }, a.yText(t)),
    );
  }
  for (const t of a.xTicks) {
    const x = a.sx(t);
    g.append(
      svg('line', {
        class: panel.names ? 'axis' : 'grid',
        x1: x,
        x2: x,
        y1: panel.names ? inner.bottom : inner.top,
        y2: inner.bottom + 4,
      }),
    );
    const text = (panel.marks || panel.names || {})[t] ?? show(t);
    g.append(
      a.slanted
        ? label(
            {
              class: 'tick',
              transform: `translate(${x + 4},${inner.bottom + 8}) rotate(-60)`,
              'text-anchor': 'end',
            },
            text,
          )
        : label({ class: 'tick', x, y: inner.bottom + 17, 'text-anchor': 'middle' }, text),
    );
  }
  g.append(
    svg('line', {
      class: 'axis',
      x1: inner.left,
      x2: inner.right,
      y1: inner.bottom,
      y2: inner.bottom,
    }),
  );
  if (panel.title)
    g.append(label({ x: inner.left, y: 14, 'font-weight': 600 }, panel.title, (w - inner.left) / 7.5));
  a.label.forEach((line, i) =>
    g.append(
      svg(
        'text',
        {
          x: (inner.left + inner.right) / 2,
          y: h - 4 - 16 * (a.label.length - 1 - i),
          'text-anchor': 'middle',
        },
        line,
      ),
    ),
  );
  if (panel.y) {
    g.append(
      label(
        {
          transform: `translate(12,${(inner.top + inner.bottom) / 2}) rotate(-90)`,
          'text-anchor': 'middle',
        },
        panel.y,
        (inner.bottom - inner.top + 40) / 7.4,
      ),
    );
  }
  return g;
}
