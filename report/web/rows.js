// The rows: a picture of all, a table to sort and search, and the distribution of one of them.

const PAGE = 25; // rows of the table that are shown at a time

// columnsOf lists the columns of the table: name, number or text, value of a row.
function columnsOf(data) {
  const columns = [{ name: 'row', number: true, of: (i) => data.at[i] }];
  data.kept.forEach((name, k) => columns.push({ name, of: (i) => data.cells[k][i] }));
  if (data.classes) columns.push({ name: 'class', of: (i) => data.classes[data.best[i]] });
  if (data.seen) {
    columns.push({ name: 'observed', number: !data.classes,
      of: (i) => data.classes ? className(data, data.seen[i]) : data.seen[i] });
  }
  data.functionals.forEach((f, k) => ['', '_lo', '_hi'].forEach((end, part) =>
    columns.push({ name: f.name + end, number: true, of: (i) => data.est[k][part][i] })));
  if (data.label) ['pi_lo', 'pi_hi'].forEach((name, part) => columns.push({ name, number: true, of: (i) => data.label[part][i] }));
  return columns;
}

// className is the label of a class, for one that TRAIN lacks a remark.
function className(data, k) {
  if (k === null) return '';
  return k < 0 ? 'another label' : data.classes[k];
}

// compare orders two values, missing ones last whatever the direction.
function compare(a, b, number, sign) {
  const none = (v) => v === null || v === undefined || v === '';
  if (none(a) || none(b)) return none(a) - none(b);
  if (number) return sign * (a - b);
  return sign * String(a).localeCompare(String(b), 'en', { numeric: true });
}

// overview is the picture of all rows, sorted by a functional.
function overview(data, k) {
  const f = data.functionals[k], [point, lo, hi] = data.est[k];
  const order = data.at.map((_, i) => i).sort((a, b) => compare(point[a], point[b], true, 1) || a - b);
  const x = order.map((_, i) => i), take = (list) => order.map((i) => list[i]);
  const percent = show(100 * data.level) + ' %';
  const entries = [], series = [];
  const add = (name, mark, values, more) => {
    entries.push({ name, mark, ...more });
    series.push({ entry: entries.length - 1, mark, x, ...values, ...more });
  };
  if (data.label && !f.event) add(`${percent} predictive interval of the label`, WIDE, { lo: take(data.label[0]), hi: take(data.label[1]) });
  add(`${f.name} with ${percent} credible interval${data.others.length ? ', ' + data.posterior : ''}`, SPANS, { lo: take(lo), hi: take(hi) });
  const points = { entry: entries.length - 1, mark: RINGS, x, y: take(point) };
  data.others.forEach((name, m) => add(`${f.name}, ${name}`, SPANS, { lo: take(data.est[k][3 + 2 * m]), hi: take(data.est[k][4 + 2 * m]), thin: 0.5 }));
  series.push(points);
  if (data.seen && !f.event) add('observed label', DOTS, { y: take(data.seen) }, { ink: true });
  if (data.seen && data.classes) {
    add('observed: 1 for this class, 0 for another', DOTS, { y: order.map((i) => data.seen[i] === null ? null : Number(data.seen[i] === k)) }, { ink: true });
  }
  const panel = { x: `rows sorted by ${f.name}`, y: f.event ? f.name : data.target, range: f.event ? [-0.03, 1.03] : undefined,
    series, tall: 340 };
  const spec = { alt: `${order.length} rows`, columns: 1, panels: [panel], series: entries };
  return { spec, order };
}

// density turns quantiles into steps: the share of the distribution per unit between neighbours.
function density(levels, q) {
  const range = q[q.length - 1] - q[0], steps = [];
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
  const q = data.q[i], steps = density(data.levels, q), seen = data.seen ? data.seen[i] : null;
  const bars = [];
  if (data.label) bars.push({ name: 'label', lo: data.label[0][i], hi: data.label[1][i], at: null, c: 'c0', pale: true });
  data.functionals.forEach((f, k) => {
    if (f.event) return;
    bars.push({ name: f.name, lo: data.est[k][1][i], hi: data.est[k][2][i], at: data.est[k][0][i], c: 'c' + (k + 1) % 8 });
  });
  const values = [q[0], q[q.length - 1], seen, ...bars.flatMap((b) => [b.lo, b.hi, b.at])].filter((v) => v !== null);
  const panel = { x: data.target, series: [{ entry: 0, mark: DOTS, x: values, y: values.map(() => 0) }], range: [0, 1] };
  const w = 368, h = 190 + 24 * bars.length, a = axes(panel, [true], w, h);
  const left = 64, right = w - 10, ground = 150, top = 22;
  const sx = (v) => left + (v - a.x0) / (a.x1 - a.x0) * (right - left), peak = Math.max(...steps.map((s) => s.d), 1e-300);
  const alt = `predictive distribution of ${data.target}: ` + data.levels.map((p, j) => [p, q[j]])
    .filter(([p]) => [0.05, 0.25, 0.5, 0.75, 0.95].includes(p)).map(([p, v]) => `${show(100 * p)} % below ${show(v)}`).join(', ');
  const root = svg('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': alt });
  for (const t of ticks(a.x0, a.x1, 4)) {
    root.append(svg('line', { class: 'grid', x1: sx(t), x2: sx(t), y1: top, y2: h - 38 }),
      svg('text', { class: 'tick', x: sx(t), y: h - 22, 'text-anchor': 'middle' }, show(t)));
  }
  let path = '';
  for (const s of steps) {
    const y = (ground - s.d / peak * (ground - top)).toFixed(1);
    path += `${path ? 'L' : `M${sx(s.lo).toFixed(1)} ${ground}L`}${sx(s.lo).toFixed(1)} ${y}L${sx(s.hi).toFixed(1)} ${y}`;
  }
  if (steps.length) path += `L${sx(steps[steps.length - 1].hi).toFixed(1)} ${ground}Z`;
  root.append(svg('g', { class: 'c0' }, svg('path', { class: 'bar', d: path })),
    svg('line', { class: 'axis', x1: left, x2: right, y1: ground, y2: ground }));
  bars.forEach((b, n) => {
    const y = ground + 16 + 24 * n;
    root.append(svg('text', { x: left - 6, y: y + 4, 'text-anchor': 'end' }, b.name.length > 9 ? b.name.slice(0, 8) + '…' : b.name));
    if (b.lo === null) return;
    const g = svg('g', { class: b.c }, svg('line', { class: 'stroke' + (b.pale ? ' pale' : ''), x1: sx(b.lo), x2: sx(b.hi), y1: y, y2: y, 'stroke-width': b.pale ? 12 : 6 }));
    if (b.at !== null) g.append(svg('circle', { class: 'ring', cx: sx(b.at), cy: y, r: 4.5 }));
    root.append(g);
  });
  if (seen !== null) {
    root.append(svg('line', { class: 'picked', x1: sx(seen), x2: sx(seen), y1: top - 6, y2: h - 38 }),
      svg('text', { x: Math.min(right - 40, Math.max(left + 40, sx(seen))), y: 12, 'text-anchor': 'middle' }, 'observed ' + show(seen)));
  }
  root.append(svg('text', { x: (left + right) / 2, y: h - 4, 'text-anchor': 'middle' }, data.target));
  return root;
}

// chances draws probabilities with their intervals, each on [0, 1].
function chances(data, i) {
  const list = data.functionals.map((f, k) => ({ f, k })).filter(({ f }) => f.event);
  if (!list.length) return null;
  const w = 368, left = 110, right = w - 52, step = 26, h = 10 + step * list.length + 22;
  const sx = (v) => left + v * (right - left);
  const alt = list.map(({ f, k }) => `${f.name}: ${show(data.est[k][0][i], 3)}, from ${show(data.est[k][1][i], 3)} to ${show(data.est[k][2][i], 3)}`).join('; ');
  const root = svg('svg', { viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': 'probabilities. ' + alt });
  for (const t of [0, 0.25, 0.5, 0.75, 1]) {
    root.append(svg('line', { class: 'grid', x1: sx(t), x2: sx(t), y1: 4, y2: h - 20 }), svg('text', { class: 'tick', x: sx(t), y: h - 6, 'text-anchor': 'middle' }, show(t)));
  }
  list.forEach(({ f, k }, n) => {
    const [point, lo, hi] = data.est[k].map((column) => column[i]), y = 18 + step * n;
    const name = f.name.length > 16 ? f.name.slice(0, 15) + '…' : f.name;
    root.append(svg('text', { x: left - 8, y: y + 4, 'text-anchor': 'end' }, name), svg('text', { class: 'tick', x: right + 8, y: y + 4 }, show(point, 3)),
      svg('g', { class: 'c' + (k + 1) % 8 }, svg('line', { class: 'stroke', x1: sx(lo), x2: Math.max(sx(hi), sx(lo) + 1), y1: y, y2: y, 'stroke-width': 7 }), svg('circle', { class: 'ring', cx: sx(point), cy: y, r: 4.5 })));
  });
  return root;
}

// figures lists the numbers of a row.
function figures(data, i) {
  const row = (name, point, lo, hi) => html('tr', {}, html('th', { scope: 'row' }, name),
    html('td', { class: 'n' }, show(point)), html('td', { class: 'n' }, lo === null ? '' : `${show(lo)} to ${show(hi)}`));
  const percent = show(100 * data.level) + ' %';
  const list = data.functionals.map((f, k) => row(f.name, ...data.est[k].slice(0, 3).map((c) => c[i])));
  data.others.forEach((name, m) => data.functionals.forEach((f, k) =>
    list.push(row(`${f.name}, ${name}`, data.est[k][0][i], data.est[k][3 + 2 * m][i], data.est[k][4 + 2 * m][i]))));
  if (data.label) list.push(row('a label', null, data.label[0][i], data.label[1][i]));
  return html('table', {}, html('thead', {}, html('tr', {}, html('td', {}), html('th', { scope: 'col', class: 'n' }, 'estimate'),
    html('th', { scope: 'col', class: 'n' }, percent + ' interval'))), html('tbody', {}, ...list));
}

// rows fills host with picture, table and detail.
function rows(host, data) {
  const columns = columnsOf(data), all = data.at.map((_, i) => i);
  const texts = all.map((i) => columns.filter((c) => !c.number).map((c) => c.of(i)).join('\u0000').toLowerCase());
  const state = { sort: 0, sign: 1, page: 0, found: all, picked: null, functional: 0 };
  const picture = html('div', {}), body = html('tbody', {}), count = html('span', { class: 'soft', role: 'status' });
  const detail = html('div', { class: 'detail', role: 'region', 'aria-label': 'the chosen row', 'aria-live': 'polite' });
  const search = html('input', { type: 'search', oninput: () => { state.page = 0; refresh(); } });
  const button = (text, step) => html('button', { type: 'button', onclick: () => { state.page += step; refresh(); } }, text);
  const back = button('Previous', -1), next = button('Next', 1);
  let mark = () => {}, order = all;

  const paint = () => {
    const made = overview(data, state.functional);
    order = made.order;
    mark = chart(picture, made.spec, (x) => { if (order[x] !== undefined) pick(order[x], true); });
    if (state.picked !== null) mark(order.indexOf(state.picked));
  };
  const choice = data.functionals.length < 2 ? null : html('label', {}, 'Picture of', html('select', {
    onchange: (event) => { state.functional = event.target.selectedIndex; paint(); } },
  ...data.functionals.map((f) => html('option', {}, f.name))));

  const heads = columns.map((c, k) => html('th', { scope: 'col', class: c.number ? 'n' : null }, html('button', { type: 'button', onclick: () => {
    state.sign = state.sort === k ? -state.sign : 1;
    state.sort = k; state.page = 0;
    refresh();
  } }, c.name)));

  function refresh() {
    const wanted = search.value.trim().toLowerCase(), c = columns[state.sort];
    const matches = (i) => texts[i].includes(wanted) || String(data.at[i]) === wanted
      || (data.seen && !data.classes && show(data.seen[i]) === wanted);
    state.found = all.filter((i) => wanted === '' || matches(i))
      .sort((a, b) => compare(c.of(a), c.of(b), c.number, state.sign) || a - b);
    const last = Math.max(0, Math.ceil(state.found.length / PAGE) - 1);
    state.page = Math.max(0, Math.min(last, state.page));
    const from = state.page * PAGE, part = state.found.slice(from, from + PAGE);
    heads.forEach((head, k) => {
      head.setAttribute('aria-sort', k !== state.sort ? 'none' : state.sign > 0 ? 'ascending' : 'descending');
      head.firstChild.textContent = columns[k].name + (k !== state.sort ? '' : state.sign > 0 ? ' ▲' : ' ▼');
    });
    body.replaceChildren(...part.map((i) => html('tr', { 'data-i': i, 'aria-current': i === state.picked ? 'true' : null, onclick: () => pick(i) },
      ...columns.map((column, k) => html('td', { class: column.number ? 'n' : null }, k === 0
        ? html('button', { type: 'button', 'aria-label': `row ${column.of(i)}` }, String(column.of(i)))
        : column.number ? show(column.of(i)) : column.of(i))))));
    count.textContent = part.length ? `${from + 1} to ${from + part.length} of ${state.found.length} rows` : 'no row';
    back.disabled = state.page === 0; next.disabled = state.page === last;
  }

  function pick(i, seek) {
    state.picked = i;
    const at = state.found.indexOf(i);
    if (seek && at >= 0 && Math.floor(at / PAGE) !== state.page) { state.page = Math.floor(at / PAGE); refresh(); }
    for (const tr of body.children) {
      if (tr.dataset.i === String(i)) tr.setAttribute('aria-current', 'true'); else tr.removeAttribute('aria-current');
    }
    const kept = data.kept.map((name, k) => `${name}: ${data.cells[k][i]}`);
    const told = data.seen && data.seen[i] !== null
      ? `observed ${data.target}: ${data.classes ? className(data, data.seen[i]) : show(data.seen[i])}` : null;
    detail.replaceChildren(html('h3', {}, `Row ${data.at[i]}`), ...[...kept, told].filter(Boolean).map((t) => html('p', { class: 'soft' }, t)));
    if (data.q) detail.append(distribution(data, i));
    const events = chances(data, i);
    if (events) detail.append(events);
    detail.append(html('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'numbers of the row' }, figures(data, i)));
    mark(order.indexOf(i));
  }

  body.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], tr = event.target.closest('tr');
    const to = step && tr && (step > 0 ? tr.nextElementSibling : tr.previousElementSibling);
    if (!to) return;
    event.preventDefault();
    to.querySelector('button').focus();
    pick(Number(to.dataset.i));
  });
  const list = html('div', {}, html('div', { class: 'tools' }, html('label', {}, data.kept.length || data.classes ? 'Search row or text' : 'Search row', search), count, back, next),
    html('div', { class: 'scroll list', tabindex: 0, role: 'group', 'aria-label': 'table of rows' },
      html('table', {}, html('thead', {}, html('tr', {}, ...heads)), body)));
  host.append(choice ? html('div', { class: 'tools' }, choice) : '', picture, html('div', { class: 'split' }, list, detail));
  paint();
  refresh();
  pick(order[Math.floor(order.length / 2)], false);
}
