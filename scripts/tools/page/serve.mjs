// Opens the page of `pfnamp serve` in a headless browser, as wide as a desktop and as a phone, light and
// dark, asks about a row and about a file with each model, and fails on what axe-core objects to, on
// errors of the console, on requests to anywhere else, and on a page that scrolls sideways. Screenshots
// go to the folder.
//
//   node serve.mjs FOLDER URL TEST.csv TOKEN
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { accessible, fault, finish, launch, sideways, watch } from './browser.mjs';

const [folder, url, table, token] = process.argv.slice(2);
const origin = new RegExp(`^(data:|${url.replaceAll('.', '\\.')})`);
const lines = (await readFile(table, 'utf8')).trim().split('\n');
const [names, first] = [lines[0].split(','), lines[1].split(',')];
const rows = lines.length - 1;

const text = (page, selector) => page.$eval(selector, (node) => node.textContent);

// answered waits until the status is as it should be.
async function answered(page, where, pattern) {
  try {
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.getElementById('status').textContent),
      { timeout: 60000 },
      pattern,
    );
  } catch {
    fault(where, `the status is ${await text(page, '#status')}, not ${pattern}`);
  }
}

// choose takes a model and waits for its form.
async function choose(page, model) {
  await page.select('#models', model);
  await page.waitForSelector('#row button');
}

// pictures fails where a picture has no text, or nothing in it.
async function pictures(page, where, least) {
  const found = await page.$$eval('#result svg', (list) =>
    list.map((s) => s.getAttribute('aria-label') && s.querySelectorAll('.credible').length),
  );
  if (found.length < least || found.some((n) => !n)) fault(where, `pictures: ${found}`);
}

// enter lets the page in, with a wrong token and then the right one, and sends what is no number: the page
// tells about both.
async function enter(page, where) {
  await page.waitForSelector('#token:not([hidden])');
  for (const sent of ['wrong-token-of-16-characters', token]) {
    await page.$eval('#token input', (input) => (input.value = ''));
    await page.type('#token input', sent);
    await page.keyboard.press('Enter');
    if (sent !== token) await answered(page, where, 'token is missing or wrong');
  }
  await page.waitForSelector('#row button');
  await choose(page, 'price');
  await page.type('#row input[name=f0]', '55.5');
  await page.keyboard.press('Enter');
  await answered(page, where, '^1 row');
  await forgotten(page, where);
}

// use asks about a row and a file, with numbers and classes.
async function use(page, where, shot) {
  await page.$eval('#row input[name=f0]', (input) => (input.value = ''));
  await page.type('#row input[name=f0]', '55.5');
  await page.type('#row input[name=f2]', 'Atlantis');
  await page.select('#row select', 'true');
  await page.keyboard.press('Tab');
  await page.click('#row button');
  await answered(page, where, '^1 row');
  if (!(await text(page, '#warnings')).includes('town')) fault(where, 'no note of a new category');
  for (const model of ['level', 'progression']) {
    await choose(page, model);
    for (const [i, name] of names.entries())
      if (await page.$(`#row input[name=f${i}]`)) await page.type(`#row input[name=f${i}]`, first[i] ?? name);
    await page.click('#row button');
    await answered(page, where, '^1 row');
    await pictures(page, where, model === 'level' ? 1 : 2);
    await sideways(page, where);
    await shot(`${model}-row`);
    await (await page.$('#file')).uploadFile(table);
    await answered(page, where, `^${rows} rows`);
    await pictures(page, where, 1);
    const shown = await page.$$eval('#result tbody tr', (list) => list.length);
    if (shown !== rows) fault(where, `${shown} of ${rows} rows are shown`);
    const cells = await page.$$eval('#result td', (list) => list.map((cell) => cell.textContent));
    const tiny = cells.find((cell) => /\de-\d|^-?0\.\d{4}/.test(cell));
    if (tiny) fault(where, `a number for no person: ${tiny}`);
    await sideways(page, where);
    await shot(`${model}-table`);
  }
  await page.select('#result select', '2');
  await pictures(page, where, 1);
  await saved(page, where);
}

// saved fails where the file of an answer does not have its rows, with all their digits.
async function saved(page, where) {
  if (!(await page.$('#download:not([hidden])'))) fault(where, 'an answer cannot be downloaded');
  const [lines, digits] = await page.evaluate(() => [
    csvOf(shown.outputs).trim().split('\r\n').length,
    JSON.parse('[9007199254740993, 7, "9007199254740993"]', exact).join(),
  ]);
  if (lines !== rows + 1) fault(where, `a file of ${lines} lines`);
  if (digits !== '9007199254740993,7,9007199254740993') fault(where, `digits are lost: ${digits}`);
}

// forgotten fails where an answer stays below an error.
async function forgotten(page, where) {
  await page.$eval('#row input[name=f0]', (input) => (input.value = 'wide'));
  await page.click('#row button');
  await answered(page, where, 'column "area"');
  const left = await page.$eval('#result', (node) => node.childElementCount);
  if (left || (await page.$('#download:not([hidden])'))) fault(where, `${left} parts of the last answer stay`);
}

const browser = await launch();
for (const width of [1280, 375]) {
  for (const scheme of ['light', 'dark']) {
    const where = `serve ${width} ${scheme}`;
    const page = await browser.newPage();
    await page.setViewport({ width, height: 900, deviceScaleFactor: 1 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(url);
    await enter(page, where);
    watch(page, where, origin); // from here on: the browser itself tells of what is refused
    const shot = (name) =>
      page.screenshot({ path: path.join(folder, `serve-${name}-${width}-${scheme}.png`), fullPage: true });
    await use(page, where, shot);
    console.log(`${where}: ${await accessible(page, where)} rules of axe-core pass`);
    await page.close();
  }
}
await browser.close();
finish();
