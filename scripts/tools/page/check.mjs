// Opens pages in a headless browser, as wide as a desktop and as a phone, light, dark and printed,
// uses them, and fails on what axe-core objects to, on errors of the console, on requests to anywhere,
// and on pages that scroll sideways. Screenshots go beside the pages.
//
//   node check.mjs FOLDER PAGE.html...
//
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { accessible, fault, finish, launch, sideways, watch } from './browser.mjs';

const [folder, ...pages] = process.argv.slice(2);

// use sorts, searches and chooses a row with the keyboard, if the page lists rows.
async function use(page, where) {
  if (!(await page.$('.list tbody tr'))) return;
  const text = (selector) => page.$eval(selector, (node) => node.textContent);
  const heads = await page.$$('.list thead button');
  await heads[1].focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const sorted = await page.$$eval('.list th', (cells) =>
    cells.map((c) => c.getAttribute('aria-sort')),
  );
  if (sorted[1] !== 'descending') fault(where, `sorted by the keyboard: ${sorted}`);
  const askew = await page.$$eval('.list tbody tr:first-child td', (cells) => {
    const heads = document.querySelectorAll('.list thead button');
    const set = (node) => getComputedStyle(node).textAlign;
    return cells.filter((cell, k) => set(cell) !== set(heads[k])).length;
  });
  const cards = await page.$eval('.list thead tr', (node) => getComputedStyle(node).display === 'flex');
  if (askew && !cards) fault(where, `${askew} headers are not aligned with their cells`);
  const cells = await page.$$eval('.list td.n', (list) => list.map((cell) => cell.textContent));
  const tiny = cells.find((cell) => /\de-\d/.test(cell));
  if (tiny) fault(where, `a number for no person: ${tiny}`);
  await page.focus('.list tbody button');
  await page.keyboard.press('Enter');
  const before = await text('.detail h3');
  await page.keyboard.press('ArrowDown');
  const after = await text('.detail h3');
  if (before === after) fault(where, `the arrow key stays at ${before}`);
  if (!(await page.$('.detail svg[role=img][aria-label]')))
    fault(where, 'the chosen row has no picture');
  const rows = Number((await text('[role=status]')).match(/of (\d+) rows/)[1]);
  await page.type('input[type=search]', after.replace('Row ', ''));
  const found = Number((await text('[role=status]')).match(/of (\d+) rows/)?.[1] ?? 0);
  if (found === 0 || found >= rows) fault(where, `a search leaves ${found} of ${rows} rows`);
  await page.$eval('input[type=search]', (input) => {
    input.value = '';
    input.dispatchEvent(new Event('input'));
  });
}

const browser = await launch();
console.log(await browser.version());
for (const file of pages) {
  for (const width of [1280, 375]) {
    for (const scheme of ['light', 'dark']) {
      const where = `${path.basename(path.dirname(file))}/${path.basename(file)} ${width} ${scheme}`;
      const page = await browser.newPage();
      watch(page, where, /^(file|data|about):/);
      await page.setViewport({ width, height: 900, deviceScaleFactor: 1 });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.goto(pathToFileURL(path.resolve(file)).href);
      await sideways(page, where);
      await use(page, where);
      await sideways(page, where);
      const passed = await accessible(page, where);
      const unnamed = await page.$$eval(
        'svg:not([aria-hidden])',
        (list) => list.filter((s) => !s.getAttribute('aria-label')).length,
      );
      if (unnamed) fault(where, `${unnamed} pictures without a text`);
      const name = `${path.basename(path.dirname(file))}-${path.basename(file, '.html')}-${width}-${scheme}`;
      await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
      if (width === 1280 && scheme === 'light') {
        await page.pdf({ path: path.join(folder, `${name}.pdf`), format: 'A4' });
        await page.emulateMediaType('print');
        await page.screenshot({ path: path.join(folder, `${name}-print.png`), fullPage: true });
      }
      if (width === 375) {
        await page.setViewport({ width: 360, height: 640, deviceScaleFactor: 1 });
        await sideways(page, `${where}, made narrower`);
      }
      console.log(`${where}: ${passed} rules of axe-core pass`);
      await page.close();
    }
  }
}
await browser.close();
finish();
