// One row: its predictive distribution, its intervals, its probabilities, its numbers.

// density turns quantiles into steps: the share of the distribution per unit between neighbours.
function density(levels, q) {
  const range = q[q.length - 1] - q[0],
    steps = [];
  for (let i = 0; i + 1 < q.length;) {
    let j = i + 1;
    while (j + 1 < q.length && q[j] - q[i] < range / 60) j++; // no needles where quantiles coincide
    if (q[j] > q[i]) steps.push({ lo: q[i], hi: q[j], d: (levels[j] - levels[i]) / (q[j] - q[i]) });
    i = j;
  }
  return steps;
}

// distribution draws the predictive distribution of a row above its intervals.
function distribution(data, i) {
  const q = data.q[i],
    steps = density(data.levels, q),
    seen = data.seen ? data.seen[i] : null;
  const bars = [];
  if (data.label)
    bars.push({
      name: 'label',
      lo: data.label[0][i],
      hi: data.label[1][i],
      at: null,
      c: 'c0',
      pale: true,
    });
  data.functionals.forEach((f, k) => {
    if (f.event) return;
    bars.push({
      name: f.name,
      lo: data.est[k][1][i],
      hi: data.est[k][2][i],
      at: data.est[k][0][i],
      c: 'c' + ((k + 1) % 8),
    });
  });
  const values = [q[0], q[q.length - 1], seen, ...bars.flatMap((b) => [b.lo, b.hi, b.at])].filter(
    (v) => v !== null,
  );
  const panel = {
    x: data.target,
    series: [{ entry: 0, mark: DOTS, x: values, y: values.map(() => 0) }],
    range: [0, 1],
  };
  const w = 368,
    h = 190 + 24 * bars.length,
    a = axes(panel, [true], w, h);
  const left = 64,
    right = w - 10,
    ground = 150,
    top = 22;
  const sx = (v) => left + ((v - a.x0) / (a.x1 - a.x0)) * (right - left),
    peak = Math.max(...steps.map((s) => s.d), 1e-300);
  const alt =
    `Predictive distribution of ${data.target}: ` +
    data.levels
      .map((p, j) => [p, q[j]])
      .filter(([p]) => [0.05, 0.25, 0.5, 0.75, 0.95].includes(p))
      .map(([p, v]) => `${show(100 * p)} % below ${show(v)}`)
      .join(', ');
  const root = svg('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': alt });
  for (const t of ticks(a.x0, a.x1, 4)) {
    root.append(
      svg('line', { class: 'grid', x1: sx(t), x2: sx(t), y1: top, y2: h - 38 }),
      label({ class: 'tick', x: sx(t), y: h - 22, 'text-anchor': 'middle' }, show(t)),
    );
  }
  let path = '';
  for (const s of steps) {
    const y = (ground - (s.d / peak) * (ground - top)).toFixed(1);
    const from = sx(s.lo).toFixed(1);
    path += path ? 'L' : `M${from} ${ground}L`;
    path += `${from} ${y}L${sx(s.hi).toFixed(1)} ${y}`;
  }
  if (steps.length) path += `L${sx(steps[steps.length - 1].hi).toFixed(1)} ${ground}Z`;
  root.append(
    svg('g', { class: 'c0' }, svg('path', { class: 'bar', d: path })),
    svg('line', { class: 'axis', x1: left, x2: right, y1: ground, y2: ground }),
  );
  bars.forEach((b, n) => {
    const y = ground + 16 + 24 * n;
    root.append(
      label({ x: left - 6, y: y + 4, 'text-anchor': 'end' }, b.name, 9),
    );
    if (b.lo === null) return;
    const g = svg(
      'g',
      { class: b.c },
      svg('line', {
        class: 'stroke' + (b.pale ? ' pale' : ''),
        x1: sx(b.lo),
        x2: sx(b.hi),
        y1: y,
        y2: y,
        'stroke-width': b.pale ? 12 : 6,
      }),
    );
    if (b.at !== null) g.append(svg('circle', { class: 'ring', cx: sx(b.at), cy: y, r: 4.5 }));
    root.append(g);
  });
  if (seen !== null) {
    root.append(
      svg('line', { class: 'picked', x1: sx(seen), x2: sx(seen), y1: top - 6, y2: h - 38 }),
      label(
        { x: Math.min(right - 40, Math.max(left + 40, sx(seen))), y: 12, 'text-anchor': 'middle' },
        'observed ' + show(seen),
      ),
    );
  }
  root.append(
    label({ x: (left + right) / 2, y: h - 4, 'text-anchor': 'middle' }, data.target, 44),
  );
  return root;
}

// foremost lists the functionals that a row shows: of many classes the six most probable ones.
function foremost(data, i) {
  const order = orderOf(data);
  if (!data.classes || order.length < 3) return order;
  return [...order].sort((a, b) => data.est[b][0][i] - data.est[a][0][i]).slice(0, 6);
}

// nameOf is a functional as the detail names it: a class by its label.
function nameOf(data, k) {
  return data.classes ? data.classes[k] : data.functionals[k].name;
}

// chances draws probabilities with their intervals, each on [0, 1].
function chances(data, i) {
  const list = foremost(data, i)
    .map((k) => ({ f: data.functionals[k], k }))
    .filter(({ f }) => f.event);
  if (!list.length) return null;
  const w = 368,
    left = 116,
    right = w - 52,
    step = 26,
    h = 10 + step * list.length + 22;
  const sx = (v) => left + v * (right - left);
  const alt = list
    .map(
      ({ f, k }) =>
        `${f.name} ${chance(data.est[k][0][i])} (${chance(data.est[k][1][i])} to ${chance(data.est[k][2][i])})`,
    )
    .join('; ');
  const root = svg('svg', {
    viewBox: `0 0 ${w} ${h}`,
    role: 'img',
    'aria-label': 'Probabilities: ' + alt,
  });
  for (const t of [0, 0.25, 0.5, 0.75, 1]) {
    root.append(
      svg('line', { class: 'grid', x1: sx(t), x2: sx(t), y1: 4, y2: h - 20 }),
      svg('text', { class: 'tick', x: sx(t), y: h - 6, 'text-anchor': 'middle' }, show(t)),
    );
  }
  list.forEach(({ f, k }, n) => {
    const [point, lo, hi] = data.est[k].map((column) => column[i]),
      y = 18 + step * n;
    root.append(
      label({ x: left - 8, y: y + 4, 'text-anchor': 'end' }, nameOf(data, k), 14),
      svg('text', { class: 'tick', x: right + 8, y: y + 4 }, chance(point)),
      svg(
        'g',
        { class: 'c0' },
        svg('line', {
          class: 'stroke',
          x1: sx(lo),
          x2: Math.max(sx(hi), sx(lo) + 1),
          y1: y,
          y2: y,
          'stroke-width': 7,
        }),
        svg('circle', { class: 'ring', cx: sx(point), cy: y, r: 4.5 }),
      ),
    );
  });
  return root;
}

// describeRow fills a node with the details of row i.
function describeRow(node, data, i) {
  const parts = [
    html('h3', {}, `Row ${data.at[i]}`),
    ...data.kept.map((name, k) => html('p', { class: 'soft' }, `${name}: ${data.cells[k][i]}`)),
  ];
  if (data.seen && data.seen[i] !== null) {
    const seen = data.classes ? [className(data, data.seen[i])] : gapped(show(data.seen[i]));
    parts.push(html('p', { class: 'soft' }, `observed ${data.target}: `, ...seen));
  }
  if (data.q) parts.push(distribution(data, i));
  const events = chances(data, i);
  if (events) parts.push(events);
  parts.push(
    html(
      'div',
      { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'estimates and intervals of the row' },
      figures(data, i),
    ),
  );
  node.replaceChildren(...parts);
}

// figures lists the numbers of a row.
function figures(data, i) {
  const row = (name, event, point, lo, hi) => {
    const places = placesOf([lo], [hi]);
    const write = event ? chance : (v) => placed(v, places);
    return html(
      'tr',
      {},
      html('th', { scope: 'row' }, name),
      html('td', { class: 'n' }, ...gapped(point === null ? '' : write(point))),
      html('td', { class: 'n' }, ...gapped(between(lo, hi, write))),
    );
  };
  const percent = show(100 * data.level) + ' %';
  const first = foremost(data, i);
  const list = first.map((k) => {
    const f = data.functionals[k];
    return row(nameOf(data, k), f.event, ...data.est[k].slice(0, 3).map((c) => c[i]));
  });
  const rest = orderOf(data).filter((k) => !first.includes(k));
  if (rest.length) {
    const together = rest.reduce((sum, k) => sum + data.est[k][0][i], 0);
    list.push(row(`${rest.length} other${rest.length > 1 ? 's' : ''}`, true, together, null, null));
  }
  data.others.forEach((name, m) =>
    first.forEach((k) =>
      list.push(
        row(
          `${nameOf(data, k)}, ${name}`,
          data.functionals[k].event,
          data.est[k][0][i],
          data.est[k][3 + 2 * m][i],
          data.est[k][4 + 2 * m][i],
        ),
      ),
    ),
  );
  if (data.label) list.push(row('single label', false, null, data.label[0][i], data.label[1][i]));
  return html(
    'table',
    {},
    html(
      'thead',
      {},
      html(
        'tr',
        {},
        html('td', {}),
        html('th', { scope: 'col', class: 'n' }, 'estimate'),
        html('th', { scope: 'col', class: 'n' }, percent + ' interval'),
      ),
    ),
    html('tbody', {}, ...list),
  );
}
