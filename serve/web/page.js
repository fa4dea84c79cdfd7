'use strict';
// The page of `pfnamp serve`: it sends rows to its own server and shows the predictions.

const find = (id) => document.getElementById(id);
const most = { rows: 200, marks: 400 }; // limits of the table and of a picture
let token = '';
let model = null;
let shown = null; // the answer below, which can be downloaded

// make is an element with attributes and children.
function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// draw is an element of a picture.
function draw(name, attributes, text) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

// ask is the JSON that the server answers; its errors are thrown.
async function ask(path, options = {}) {
  const headers = { Accept: 'application/json', ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(path, { ...options, headers });
  const answer = JSON.parse(await response.text(), exact);
  if (response.status === 401) {
    find('token').hidden = false;
    find('tools').hidden = true;
  }
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

// exact keeps whole numbers that a number of JavaScript cannot hold, such as long labels, as texts.
function exact(key, value, context) {
  const long = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '');
  return long ? context.source : value;
}

// say shows a status.
function say(text, bad = false) {
  find('status').textContent = text;
  find('status').classList.toggle('bad', bad);
}

// trying does something and shows its error.
const trying =
  (work) =>
  async (...args) => {
    try {
      await work(...args);
    } catch (error) {
      forget(); // what is below is no answer to this
      say(error.message, true);
    }
  };

// forget removes the last answer.
function forget() {
  shown = null;
  find('download').hidden = true;
  find('result').replaceChildren();
  find('warnings').textContent = '';
}

// csvOf is an answer as CSV, with the texts of its cells as they came.
function csvOf(outputs) {
  const cell = (v) => (v === null ? '' : /[",\r\n]/.test(v) ? `"${String(v).replaceAll('"', '""')}"` : String(v));
  const rows = outputs[0].data.map((_, i) => outputs.map((o) => cell(o.data[i])).join(','));
  return [outputs.map((o) => cell(o.name)).join(','), ...rows, ''].join('\r\n');
}

// download saves the answer as a file.
function download() {
  const url = URL.createObjectURL(new Blob([csvOf(shown.outputs)], { type: 'text/csv' }));
  make('a', { href: url, download: `${model.name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const path = (call) => `v2/models/${model.name}/${call}`;

// field is the input of a feature.
function field(feature, i) {
  const name = `f${i}`;
  if (feature.kind === 'boolean') {
    const options = ['', 'false', 'true'].map((v) => make('option', { value: v }, v || 'missing'));
    return [make('select', { name }, ...options)];
  }
  if (feature.categories) {
    const options = feature.categories.map((v) => make('option', { value: v }));
    const hint = feature.categories[0];
    return [
      make('input', { name, list: `list${i}`, autocomplete: 'off', placeholder: hint }),
      make('datalist', { id: `list${i}` }, ...options),
    ];
  }
  const mode = feature.kind === 'numeric' ? 'decimal' : 'text';
  const hint = feature.lo === undefined ? '' : `${feature.lo} to ${feature.hi}`;
  return [make('input', { name, inputmode: mode, autocomplete: 'off', placeholder: hint })];
}

// choose shows the form of a model.
async function choose(name) {
  find('row').replaceChildren();
  model = await ask(`v2/models/${encodeURIComponent(name)}/columns`);
  const what = model.classes ? `the class of ${model.target}` : model.target;
  find('about').textContent =
    `Predicts ${what} from ${model.features.length} columns. The model has read ${model.rows} training rows. ` +
    `Intervals contain their value with probability ${percent()}. Version ${model.version}.`;
  find('row').replaceChildren(
    ...model.features.map((f, i) => make('label', {}, f.name, ...field(f, i))),
    make('button', {}, 'Predict'),
  );
  forget();
  say('Fill in a row or choose a file.');
}

// predictRow sends the form.
async function predictRow(event) {
  event.preventDefault();
  const inputs = model.features.map((f, i) => ({
    name: f.name,
    datatype: 'BYTES',
    shape: [1],
    data: [find('row').elements[`f${i}`].value.trim() || null],
  }));
  say('Predicting …');
  present(await ask(path('infer'), { method: 'POST', body: JSON.stringify({ inputs }) }));
}

// predictTable sends a file.
async function predictTable(file) {
  if (!file) return;
  say(`Predicting the rows of ${file.name} …`);
  const type = file.name.endsWith('.tsv') ? 'text/tab-separated-values' : 'text/csv';
  present(await ask(path('table'), { method: 'POST', body: file, headers: { 'Content-Type': type } }));
}

// writerOf tells how to write a column: probabilities with three decimals, numbers of the target with those
// that their intervals need, standard errors with two digits, and all else as it is.
function writerOf(columns, name) {
  const estimate = model.estimates
    .filter((e) => name === e.name || name.startsWith(`${e.name}_`))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (estimate && name.endsWith('_se')) return (v) => show(v, 2);
  if (estimate && estimate.unit !== 'target') return chance;
  const interval = estimate ? estimate.name : 'pi';
  if (!estimate && !/^pi_(lo|hi)$/.test(name)) return (v) => (v === null ? '' : String(v));
  const places = placesOf(columns[`${interval}_lo`], columns[`${interval}_hi`]);
  return (v) => placed(v, places);
}

// present shows an answer.
function present(answer) {
  const columns = Object.fromEntries(answer.outputs.map((o) => [o.name, o.data]));
  const rows = answer.outputs[0].data.length;
  find('warnings').textContent = answer.parameters ? `Note: ${answer.parameters.warnings}.` : '';
  const parts = [];
  if (rows === 1) parts.push(...oneRow(columns));
  if (rows > 1) parts.push(...manyRows(columns, rows));
  parts.push(tableOf(answer.outputs, columns, rows));
  find('result').replaceChildren(...parts);
  shown = answer;
  find('download').hidden = false;
  say(rows === 1 ? '1 row.' : `${rows} rows${rows > most.rows ? `; the table lists the first ${most.rows}` : ''}.`);
}

// tableOf is the answer as a table.
function tableOf(outputs, columns, rows) {
  const head = make('tr', {}, make('th', { scope: 'col' }, 'row'));
  head.append(...outputs.map((o) => make('th', { scope: 'col' }, o.name)));
  const write = outputs.map((o) => writerOf(columns, o.name));
  const body = make('tbody');
  for (let i = 0; i < Math.min(rows, most.rows); i++) {
    const cells = outputs.map((o, k) => make('td', {}, write[k](o.data[i])));
    body.append(make('tr', {}, make('td', {}, String(i + 1)), ...cells));
  }
  const table = make('table', {}, make('thead', {}, head), body);
  return make('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Predictions by row' }, table);
}

// intervals are those of an estimate at a row: its credible one, and that of the label where they share
// a unit.
function intervals(columns, estimate, i) {
  const at = (name) => columns[name]?.[i];
  const { name, unit } = estimate;
  const mark = { point: at(name), lo: at(`${name}_lo`), hi: at(`${name}_hi`) };
  if (unit === 'target') Object.assign(mark, { from: at('pi_lo'), to: at('pi_hi') });
  return mark;
}

// scale maps marks to pixels.
function scale(marks, unit, from, to) {
  const values = marks.flatMap((m) => [m.point, m.lo, m.hi, m.from, m.to]).filter(Number.isFinite);
  let [lo, hi] = unit === 'target' ? [Math.min(...values), Math.max(...values)] : [0, 1];
  if (lo === hi) [lo, hi] = [lo - 1, hi + 1];
  const step = 10 ** Math.floor(Math.log10((hi - lo) / 3));
  const every = [1, 2, 5, 10].map((k) => k * step).find((s) => (hi - lo) / s <= 6);
  const ticks = [];
  for (let k = Math.ceil(lo / every); k * every <= hi + every / 1e6; k++) ticks.push(k * every);
  return { px: (v) => from + ((v - lo) / (hi - lo)) * (to - from), ticks };
}

const legend = (unit) =>
  make(
    'p',
    { class: 'soft' },
    `Dot: estimate. Dark line: ${percent()} credible interval, where the estimated value lies.` +
      (unit === 'target' ? ` Pale line: ${percent()} predictive interval, where a single ${model.target} lies.` : ''),
  );

// percent is the level of intervals.
const percent = () => `${show(100 * model.level)} %`;

// room is the width of a picture, whose texts are then of the size of others.
const room = (most) => Math.max(280, Math.min(find('result').clientWidth, most));

// oneRow draws all estimates of a row, those of one unit together.
function oneRow(columns) {
  const parts = [];
  for (const unit of ['target', 'probability']) {
    const list = model.estimates.filter((e) => e.unit === unit);
    if (list.length === 0) continue;
    const marks = list.map((e) => intervals(columns, e, 0));
    const height = 34 * list.length + 30;
    const wide = room(700);
    const { px, ticks } = scale(marks, unit, 110, wide - 16);
    const words = list.map((e, k) => {
      const write = writerOf(columns, e.name);
      return `${e.name} ${write(marks[k].point)}, ${write(marks[k].lo)} to ${write(marks[k].hi)}`;
    });
    const svg = draw('svg', { viewBox: `0 0 ${wide} ${height}`, role: 'img', 'aria-label': words.join('; ') });
    svg.classList.add('row');
    for (const v of ticks) {
      svg.append(draw('line', { class: 'grid', x1: px(v), x2: px(v), y1: 4, y2: height - 24 }));
      svg.append(draw('text', { class: 'tick', x: px(v), y: height - 8, 'text-anchor': 'middle' }, show(v)));
    }
    marks.forEach((m, k) => {
      const y = 20 + 34 * k;
      svg.append(draw('text', { x: 0, y: y + 4 }, list[k].name.slice(0, 13)));
      if (Number.isFinite(m.from))
        svg.append(draw('line', { class: 'label', 'stroke-width': 14, x1: px(m.from), x2: px(m.to), y1: y, y2: y }));
      svg.append(draw('line', { class: 'credible', 'stroke-width': 5, x1: px(m.lo), x2: px(m.hi), y1: y, y2: y }));
      svg.append(draw('circle', { class: 'point', r: 5, cx: px(m.point), cy: y }));
    });
    parts.push(svg, legend(unit));
  }
  return parts;
}

// manyRows draws one estimate of all rows, in the order of its size.
function manyRows(columns, rows) {
  const picture = make('div');
  const choice = make('select', {}, ...model.estimates.map((e, k) => make('option', { value: k }, e.name)));
  const redraw = () => {
    const estimate = model.estimates[choice.value];
    let marks = Array.from({ length: rows }, (_, i) => intervals(columns, estimate, i));
    marks.sort((a, b) => a.point - b.point);
    const every = Math.ceil(rows / most.marks);
    marks = marks.filter((_, i) => i % every === 0);
    const full = room(1100);
    const inner = full - 62;
    const { px, ticks } = scale(marks, estimate.unit, 270, 12);
    const write = writerOf(columns, estimate.name);
    const ends = [marks[0], marks.at(-1)].map((m) => write(m.point));
    const label = `${estimate.name} of ${rows} rows, sorted, from ${ends[0]} to ${ends[1]}`;
    const svg = draw('svg', { viewBox: `0 0 ${full} 290`, role: 'img', 'aria-label': label });
    for (const v of ticks) {
      svg.append(draw('line', { class: 'grid', x1: 52, x2: full - 10, y1: px(v), y2: px(v) }));
      svg.append(draw('text', { class: 'tick', x: 46, y: px(v) + 4, 'text-anchor': 'end' }, show(v)));
    }
    const wide = Math.min(inner / marks.length, 12);
    marks.forEach((m, k) => {
      const x = 52 + (inner * (k + 0.5)) / marks.length;
      if (Number.isFinite(m.from))
        svg.append(draw('line', { class: 'label', 'stroke-width': 0.7 * wide, x1: x, x2: x, y1: px(m.from), y2: px(m.to) }));
      svg.append(draw('line', { class: 'credible', 'stroke-width': 0.35 * wide, x1: x, x2: x, y1: px(m.lo), y2: px(m.hi) }));
      svg.append(draw('circle', { class: 'point', r: Math.max(0.3 * wide, 1), cx: x, cy: px(m.point) }));
    });
    const thinned = every > 1 ? make('p', { class: 'soft' }, `The picture shows 1 of ${every} rows.`) : '';
    picture.replaceChildren(svg, legend(estimate.unit), thinned);
  };
  choice.addEventListener('change', redraw);
  redraw();
  return [make('p', { class: 'tools' }, make('label', {}, 'Estimate ', choice)), picture];
}

// start lists the models, once the server lets the page in.
async function start() {
  const { models } = await ask('v2/models');
  find('token').hidden = true;
  find('tools').hidden = false;
  find('models').replaceChildren(...models.map((name) => make('option', { value: name }, name)));
  await choose(models[0]);
}

find('models').addEventListener('change', trying((event) => choose(event.target.value)));
find('download').addEventListener('click', trying(download));
find('row').addEventListener('submit', trying(predictRow));
find('file').addEventListener('change', trying((event) => {
  const [file] = event.target.files;
  event.target.value = ''; // so that the same file can be chosen again
  return predictTable(file);
}));
find('token').addEventListener('submit', trying((event) => {
  event.preventDefault();
  token = event.target.elements.token.value.trim();
  return start();
}));
for (const [name, over] of [['dragover', true], ['dragleave', false], ['drop', false]]) {
  find('drop').addEventListener(name, (event) => {
    event.preventDefault();
    find('drop').classList.toggle('over', over);
  });
}
find('drop').addEventListener('drop', trying((event) => predictTable(event.dataTransfer.files[0])));
trying(start)();
