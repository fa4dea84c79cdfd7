// The rows: a picture of all, and a table to sort and search.

const PAGE = 25; // rows of the table that are shown at a time

// columnsOf lists the columns of the table: name, number or text, value of a row. The answers come
// after the first kept column, so that others do not hide them.
function columnsOf(data) {
  const columns = [{ name: 'row', number: true, of: (i) => data.at[i] }];
  const kept = data.kept.map((name, k) => ({ name, of: (i) => data.cells[k][i] }));
  columns.push(...kept.slice(0, 1));
  if (data.classes) columns.push({ name: 'class', of: (i) => data.classes[data.best[i]] });
  if (data.seen) {
    columns.push({
      name: 'observed',
      number: !data.classes,
      of: (i) => (data.classes ? className(data, data.seen[i]) : data.seen[i]),
    });
  }
  if (data.classes && data.classes.length > 2) {
    const best = [0, 1, 2].map((part) => data.best.map((k, i) => data.est[k][part][i]));
    columns.push(estimates('probability', true, best));
  } else
    for (const k of orderOf(data))
      columns.push(estimates(data.functionals[k].name, data.functionals[k].event, data.est[k]));
  if (data.label) {
    const [lo, hi] = data.label,
      places = placesOf(lo, hi);
    columns.push({
      name: 'predictive interval',
      number: true,
      of: (i) => lo[i],
      text: (i) => between(lo[i], hi[i], (v) => placed(v, places)),
    });
  }
  return columns.concat(kept.slice(1));
}

// between writes an interval, nothing where there is none.
function between(lo, hi, write) {
  return lo === null || hi === null ? '' : `${write(lo)} to ${write(hi)}`;
}

// orderOf lists the functionals: of two classes the second, of more the most frequent one first.
function orderOf(data) {
  return data.order || data.functionals.map((_, k) => k);
}

// estimates is the column of a functional, with its interval below.
function estimates(name, event, [point, lo, hi]) {
  const places = placesOf(lo, hi);
  const write = event ? chance : (v) => placed(v, places);
  return {
    name,
    number: true,
    of: (i) => point[i],
    text: (i) => write(point[i]),
    below: (i) => between(lo[i], hi[i], write),
  };
}

// className is the label of a class, or a remark if the training table lacks it.
function className(data, k) {
  if (k === null) return '';
  return k < 0 ? 'not in training table' : data.classes[k];
}

// compare orders two values, missing ones last whatever the direction.
function compare(a, b, number, sign) {
  const none = (v) => v === null || v === undefined || v === '';
  if (none(a) || none(b)) return none(a) - none(b);
  if (number) return sign * (a - b);
  return sign * String(a).localeCompare(String(b), 'en', { numeric: true });
}

// overview is the picture of all rows, sorted by a functional; rows of dates keep their order.
function overview(data, k) {
  const f = data.functionals[k],
    [point, lo, hi] = data.est[k];
  const order = data.at.map((_, i) => i);
  if (!data.dates) order.sort((a, b) => compare(point[a], point[b], true, 1) || a - b);
  const first = data.dates ? 0 : 1;
  const x = order.map((_, i) => i + first),
    take = (list) => order.map((i) => list[i]);
  const percent = show(100 * data.level) + ' %';
  const entries = [],
    series = [];
  const add = (name, mark, values, more) => {
    entries.push({ name, mark, ...more });
    series.push({ entry: entries.length - 1, mark, x, ...values, ...more });
  };
  if (data.label && !f.event)
    add(`${percent} predictive interval of the label`, WIDE, {
      lo: take(data.label[0]),
      hi: take(data.label[1]),
    });
  add(
    `${f.name} with ${percent} credible interval${data.others.length ? ', ' + data.posterior : ''}`,
    SPANS,
    { lo: take(lo), hi: take(hi) },
  );
  const points = { entry: entries.length - 1, mark: RINGS, x, y: take(point) };
  data.others.forEach((name, m) =>
    add(`${f.name}, ${name}`, SPANS, {
      lo: take(data.est[k][3 + 2 * m]),
      hi: take(data.est[k][4 + 2 * m]),
      thin: 0.5,
    }),
  );
  series.push(points);
  if (data.seen && !f.event) add('observed label', DOTS, { y: take(data.seen) }, { ink: true });
  if (data.seen && data.classes) {
    add(
      'observed (1: this class, 0: another)',
      DOTS,
      { y: order.map((i) => (data.seen[i] === null ? null : Number(data.seen[i] === k))) },
      { ink: true },
    );
  }
  const panel = {
    x: data.dates ? data.kept[0] : `rows sorted by ${f.name}`,
    names: data.dates ? data.cells[0] : undefined,
    ranks: true,
    y: f.event ? f.name : data.target,
    range: f.event ? [-0.03, 1.03] : undefined,
    series,
    tall: 340,
  };
  const spec = {
    alt: `Intervals of ${order.length} rows`,
    columns: 1,
    panels: [panel],
    series: entries,
  };
  return { spec, order, first };
}

// Rows is the part of the page about rows: picture, table, and the row that was chosen.
class Rows {
  constructor(host, data) {
    this.data = data;
    this.all = data.at.map((_, i) => i);
    this.columns = columnsOf(data);
    this.texts = this.all.map((i) =>
      this.columns
        .filter((c) => !c.number)
        .map((c) => c.of(i))
        .join('\u0000')
        .toLowerCase(),
    );
    Object.assign(this, {
      sort: 0,
      sign: 1,
      page: 0,
      found: this.all,
      picked: null,
      functional: orderOf(data)[0],
    });
    this.picture = html('div', {});
    this.body = html('tbody', { onkeydown: (event) => this.step(event) });
    this.count = html('span', { class: 'soft', role: 'status' });
    this.detail = html('div', {
      class: 'detail',
      role: 'region',
      'aria-label': 'details of the selected row',
      'aria-live': 'polite',
    });
    this.heads = this.columns.map((c, k) =>
      html(
        'th',
        { scope: 'col', class: c.number ? 'n' : null },
        html('button', { type: 'button', title: c.name, onclick: () => this.sortBy(k) }, c.name),
      ),
    );
    host.append(
      this.choice(),
      this.picture,
      html('div', { class: 'split' }, html('div', {}, this.tools(), this.table()), this.detail),
    );
    this.paint();
    this.refresh();
    this.pick(this.order[Math.floor(this.order.length / 2)], false);
  }

  // choice selects the functional of the picture.
  choice() {
    const list = orderOf(this.data);
    if (list.length < 2) return '';
    return html(
      'div',
      { class: 'tools' },
      html(
        'label',
        {},
        'Show',
        html(
          'select',
          {
            onchange: (event) => {
              this.functional = list[event.target.selectedIndex];
              this.paint();
            },
          },
          ...list.map((k) => html('option', {}, this.data.functionals[k].name)),
        ),
      ),
    );
  }

  // tools are the search and the buttons that turn pages.
  tools() {
    const turn = (text, step) =>
      html(
        'button',
        {
          type: 'button',
          onclick: () => {
            this.page += step;
            this.refresh();
          },
        },
        text,
      );
    this.back = turn('Previous', -1);
    this.next = turn('Next', 1);
    this.search = html('input', {
      type: 'search',
      placeholder: this.data.kept.length || this.data.classes ? 'row number or text' : 'row number',
      oninput: () => {
        this.page = 0;
        this.refresh();
      },
    });
    return html(
      'div',
      { class: 'tools' },
      html('label', {}, 'Search rows', this.search),
      this.count,
      html('span', { class: 'turn' }, this.back, this.next),
    );
  }

  table() {
    return html(
      'div',
      { class: 'scroll list', tabindex: 0, role: 'group', 'aria-label': 'table of rows' },
      html('table', { class: 'cards sorted' }, html('thead', {}, html('tr', {}, ...this.heads)), this.body),
    );
  }

  // paint draws the picture.
  paint() {
    const { spec, order, first } = overview(this.data, this.functional);
    this.order = order;
    const mark = chart(this.picture, spec, (x) => {
      if (order[x - first] !== undefined) this.pick(order[x - first], true);
    });
    this.mark = (i) => mark(order.indexOf(i) + first);
    if (this.picked !== null) this.mark(this.picked);
  }

  sortBy(k) {
    this.sign = this.sort === k ? -this.sign : 1;
    this.sort = k;
    this.page = 0;
    this.refresh();
  }

  // matches tells whether a row has the number, the observed label or a part of a text.
  matches(i, wanted) {
    const { data } = this;
    return (
      wanted === '' ||
      this.texts[i].includes(wanted) ||
      String(data.at[i]) === wanted ||
      Boolean(data.seen && !data.classes && show(data.seen[i]) === wanted)
    );
  }

  // refresh fills the table with a page of the matching rows, sorted.
  refresh() {
    const wanted = this.search.value.trim().toLowerCase(),
      by = this.columns[this.sort];
    this.found = this.all
      .filter((i) => this.matches(i, wanted))
      .sort((a, b) => compare(by.of(a), by.of(b), by.number, this.sign) || a - b);
    const last = Math.max(0, Math.ceil(this.found.length / PAGE) - 1);
    this.page = Math.max(0, Math.min(last, this.page));
    const from = this.page * PAGE,
      part = this.found.slice(from, from + PAGE);
    this.heads.forEach((head, k) => {
      const sorted = k === this.sort,
        up = this.sign > 0;
      head.setAttribute('aria-sort', !sorted ? 'none' : up ? 'ascending' : 'descending');
      head.firstChild.textContent = shorten(this.columns[k].name, 30) + (!sorted ? '' : up ? ' ▲' : ' ▼');
    });
    this.body.replaceChildren(...part.map((i) => this.row(i)));
    this.count.textContent = part.length
      ? `${from + 1} to ${from + part.length} of ${this.found.length} rows`
      : 'no row matches';
    this.back.disabled = this.page === 0;
    this.next.disabled = this.page === last;
  }

  row(i) {
    const cells = this.columns.map((c, k) => {
      const text = c.text ? c.text(i) : c.number ? show(c.of(i)) : c.of(i);
      return html(
        'td',
        { class: c.number ? 'n' : null, 'data-header': c.name },
        k > 0
          ? html(
              'div',
              { title: !c.number && text.length > 30 ? text : null },
              ...(c.number ? gapped(text) : [text]),
              c.below ? html('div', { class: 'soft' }, ...gapped(c.below(i))) : null,
            )
          : html(
              'button',
              { type: 'button', 'aria-label': `row ${this.data.at[i]}` },
              String(this.data.at[i]),
            ),
      );
    });
    return html(
      'tr',
      {
        'data-i': i,
        'aria-current': i === this.picked ? 'true' : null,
        onclick: () => this.pick(i, false),
      },
      ...cells,
    );
  }

  // pick shows a row; seek turns to the page of the table that has it.
  pick(i, seek) {
    this.picked = i;
    const at = this.found.indexOf(i);
    if (seek && at >= 0 && Math.floor(at / PAGE) !== this.page) {
      this.page = Math.floor(at / PAGE);
      this.refresh();
    }
    for (const tr of this.body.children) {
      if (tr.dataset.i === String(i)) tr.setAttribute('aria-current', 'true');
      else tr.removeAttribute('aria-current');
    }
    describeRow(this.detail, this.data, i);
    this.mark(i);
  }

  // step leads to the next or the previous row of the table.
  step(event) {
    const tr = event.target.closest('tr');
    const to = { ArrowDown: tr && tr.nextElementSibling, ArrowUp: tr && tr.previousElementSibling }[
      event.key
    ];
    if (!to) return;
    event.preventDefault();
    to.querySelector('button').focus();
    this.pick(Number(to.dataset.i), false);
  }
}
