// Pictures. A chart is a list of panels with one legend; every number in it comes from Go.

// marks draws one series.
function marks(s, a) {
  const g = svg('g', { class: s.ink ? 'ink' : 'c' + (s.entry % 8) });
  const pen = (i) => `${a.sx(s.x[i]).toFixed(1)} `;
  const level = (v) => Math.max(a.inner.top - 4, Math.min(a.inner.bottom + 4, a.sy(v))).toFixed(1);
  const known = s.x.map((_, i) => i).filter((i) => (s.y ? s.y[i] : s.lo[i]) !== null);
  const gap = (a.inner.right - a.inner.left) / Math.max(1, a.x1 - a.x0);
  const wide = Math.max(0.6, Math.min(9, gap * 0.7));
  const spans = (width, name) =>
    svg('path', {
      class: name,
      'stroke-width': width,
      d: known.map((i) => `M${pen(i)}${level(s.lo[i])}V${level(s.hi[i])}`).join(''),
    });
  switch (s.mark) {
    case BAND: {
      const up = known.map((i) => pen(i) + level(s.hi[i])),
        down = known.map((i) => pen(i) + level(s.lo[i])).reverse();
      if (known.length)
        g.append(svg('path', { class: 'area', d: 'M' + up.concat(down).join('L') + 'Z' }));
      return g;
    }
    case TILES:
      return tiles(g, s, a);
    case HATCH:
      for (const i of known) g.append(hatched(s, a, i));
      return g;
    case WIDE:
      g.append(spans(wide, 'stroke pale'));
      return g;
    case SPANS:
      g.append(spans(Math.max(0.5, wide * 0.4 * (s.thin || 1)), 'stroke'));
      return g;
    case BARS: {
      const half = s.x.length > 1 ? (s.x[1] - s.x[0]) / 2 : 0.5;
      for (const i of known) {
        const x = a.sx(s.x[i] - half),
          y = a.sy(Math.max(0, s.y[i]));
        g.append(
          svg('rect', {
            class: 'bar',
            x,
            y,
            width: Math.max(0.5, a.sx(s.x[i] + half) - x),
            height: Math.max(0, a.sy(0) - y),
          }),
        );
      }
      break;
    }
    case LINE:
      if (known.length)
        g.append(
          svg('path', {
            class: 'stroke',
            'stroke-width': 1.8,
            d: 'M' + known.map((i) => pen(i) + level(s.y[i])).join('L'),
          }),
        );
  }
  if (s.err) {
    g.append(
      svg('path', {
        class: 'stroke',
        d: known
          .filter((i) => s.err[i])
          .map((i) => `M${pen(i)}${level(s.y[i] - s.err[i])}V${level(s.y[i] + s.err[i])}`)
          .join(''),
      }),
    );
  }
  if (s.mark === RINGS && known.length > 300) {
    // rings would hide each other
    g.append(
      svg('path', { class: 'over', d: 'M' + known.map((i) => pen(i) + level(s.y[i])).join('L') }),
    );
  } else if (s.mark === DOTS || s.mark === RINGS || (s.mark === LINE && known.length <= 40)) {
    const r = s.mark === LINE ? 2.5 : Math.max(1.6, Math.min(3.4, wide / 2 + 0.8));
    for (const i of known)
      g.append(
        svg('circle', {
          class: s.mark === RINGS ? 'ring' : 'fill',
          cx: a.sx(s.x[i]),
          cy: level(s.y[i]),
          r,
        }),
      );
  }
  return g;
}

// tiles draws squares with their numbers, where there is room.
function tiles(g, s, a) {
  const w = a.sx(1) - a.sx(0),
    h = a.sy(0) - a.sy(1);
  s.x.forEach((x, i) => {
    g.append(
      svg('rect', {
        class: 'fill',
        'fill-opacity': s.shade[i],
        x: a.sx(x - 0.5),
        y: a.sy(s.y[i] + 0.5),
        width: w,
        height: h,
      }),
    );
    if (s.told[i].length * 6.6 + 4 <= w && h >= 14)
      g.append(
        svg(
          'text',
          { class: 'in', x: a.sx(x), y: a.sy(s.y[i]) + 4, 'text-anchor': 'middle' },
          s.told[i],
        ),
      );
  });
  return g;
}

// slanted is the path of lines at 45 degrees in a rectangle.
function slanted(left, top, right, bottom) {
  const w = right - left,
    h = bottom - top;
  let d = '';
  for (let from = 4 - h; from < w; from += 8) {
    const first = Math.max(0, from),
      last = Math.min(w, from + h);
    if (last > first)
      d += `M${(left + first).toFixed(1)} ${(bottom - first + from).toFixed(1)}L${(left + last).toFixed(1)} ${(bottom - last + from).toFixed(1)}`;
  }
  return svg('path', { class: 'hatch', d });
}

// hatched is one stripe of a series, of the whole height if it has no row.
function hatched(s, a, i) {
  const left = Math.max(a.inner.left, a.sx(s.lo[i])),
    right = Math.min(a.inner.right, a.sx(s.hi[i]));
  return s.y
    ? slanted(left, a.sy(s.y[i] + 0.5), right, a.sy(s.y[i] - 0.5))
    : slanted(left, a.inner.top, right, a.inner.bottom);
}

// guides draws dashed lines.
function guides(panel, a) {
  const g = svg('g', {});
  for (const t of panel.target || []) {
    g.append(
      svg('line', {
        class: 'guide',
        x1: a.inner.left,
        x2: a.inner.right,
        y1: a.sy(t),
        y2: a.sy(t),
      }),
    );
  }
  if (panel.diagonal)
    g.append(svg('line', { class: 'guide', x1: a.sx(0), y1: a.sy(0), x2: a.sx(1), y2: a.sy(1) }));
  return g;
}

// drawPanel returns a panel as SVG. pick, if given, is called with the number of the nearest X.
function drawPanel(panel, shown, size, pick, picked) {
  const [w, h] = size,
    a = axes(panel, shown, w, h);
  const root = svg('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': size.alt });
  root.append(frame(panel, a, w, h));
  const clip = svg('g', {});
  for (const s of panel.series) if (shown[s.entry]) clip.append(marks(s, a));
  root.append(clip, guides(panel, a));
  if (picked !== undefined && picked !== null) {
    root.append(
      svg('line', {
        class: 'picked',
        x1: a.sx(picked),
        x2: a.sx(picked),
        y1: a.inner.top,
        y2: a.inner.bottom,
      }),
    );
  }
  if (pick) {
    root.append(
      svg('rect', {
        class: 'hit',
        x: a.inner.left,
        y: a.inner.top,
        width: a.inner.right - a.inner.left,
        height: a.inner.bottom - a.inner.top,
        onclick: (event) => {
          const box = root.getBoundingClientRect(),
            x = ((event.clientX - box.left) * w) / box.width;
          pick(
            Math.round(
              a.x0 + ((x - a.inner.left) / (a.inner.right - a.inner.left)) * (a.x1 - a.x0),
            ),
          );
        },
      }),
    );
  }
  return root;
}

// swatch is the mark of a legend's entry.
function swatch(entry, i) {
  const thick = [BAND, BARS, WIDE, TILES].includes(entry.mark);
  const dot = entry.mark === DOTS || entry.mark === RINGS;
  return svg(
    'svg',
    { viewBox: '0 0 22 12', 'aria-hidden': 'true', class: entry.ink ? 'ink' : 'c' + (i % 8) },
    entry.mark === HATCH
      ? slanted(0, 0, 22, 12)
      : dot
      ? svg('circle', { class: entry.mark === RINGS ? 'ring' : 'fill', cx: 11, cy: 6, r: 4 })
      : svg('line', {
          class: 'stroke' + (thick ? ' pale' : ''),
          x1: 0,
          x2: 22,
          y1: 6,
          y2: 6,
          'stroke-width': thick ? 10 : 3,
        }),
  );
}

// describe is the accessible name of a panel.
function describe(spec, panel) {
  const names = [...new Set(panel.series.map((s) => spec.series[s.entry].name))];
  const where = [panel.title, panel.y && panel.x ? `${panel.y} by ${panel.x}` : panel.y || panel.x]
    .filter(Boolean)
    .join(': ');
  return [spec.alt, where, names.length ? 'Series: ' + names.join(', ') : '']
    .filter(Boolean)
    .join('. ');
}

// chart fills host with a chart and keeps it as wide as the page. It returns a function that draws
// it anew, with another X marked.
function chart(host, spec, pick) {
  const shown = spec.series.map((s) => !s.off);
  const grid = html('div', { class: 'panels' });
  grid.style.gridTemplateColumns = `repeat(${Math.min(spec.columns, 3)}, minmax(0, 1fr))`;
  let picked = null,
    width = 0;
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
    host.append(
      html(
        'ul',
        { class: 'legend', 'aria-label': 'legend: press a name to show or hide it' },
        ...spec.series.map((entry, i) =>
          html(
            'li',
            {},
            html(
              'button',
              {
                type: 'button',
                'aria-pressed': String(shown[i]),
                onclick: (event) => {
                  shown[i] = !shown[i];
                  event.currentTarget.setAttribute('aria-pressed', String(shown[i]));
                  draw();
                },
              },
              swatch(entry, i),
              entry.name,
            ),
          ),
        ),
      ),
    );
  }
  host.append(grid);
  draw();
  new ResizeObserver(() => {
    if (Math.abs(grid.clientWidth - width) > 1) {
      width = grid.clientWidth;
      draw();
    }
  }).observe(grid);
  return (x) => {
    picked = x;
    draw();
  };
}
