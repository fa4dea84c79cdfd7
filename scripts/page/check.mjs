// Opens pages in a headless browser, as wide as a desktop and as a phone, light, dark and printed,
// uses them, and fails on what axe-core objects to, on errors of the console, on requests to anywhere,
// and on pages that scroll sideways. Screenshots go beside the pages.
//
//   node check.mjs FOLDER PAGE.html...
//
// The browser is that of @sparticuz/chromium, an npm package for Linux on x86-64. Where it does not
// start, PFNAMP_CHROMIUM or the chromium of the system takes its place, and the output says so.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

const [folder, ...pages] = process.argv.slice(2);
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const faults = [];
const fault = (where, what) => {
  faults.push(`${where}: ${what}`);
};

async function launch() {
  const asked = process.env.PFNAMP_CHROMIUM;
  if (!asked) {
    try {
      return await puppeteer.launch({
        args: chromium.args,
        headless: 'shell',
        executablePath: await chromium.executablePath(),
      });
    } catch (error) {
      console.log(`the chromium of npm does not start here: ${error.message.split('\n')[0]}`);
    }
  }
  const system = [asked, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (p) => p && existsSync(p),
  );
  if (!system) throw new Error('no browser: set PFNAMP_CHROMIUM to one');
  return puppeteer.launch({ args: ['--no-sandbox'], executablePath: system });
}

// watch notes what a page must not do.
function watch(page, where) {
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) fault(where, `console: ${message.text()}`);
  });
  page.on('pageerror', (error) => fault(where, `script: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(file|data|about):/.test(request.url())) fault(where, `request to ${request.url()}`);
  });
}

// sideways fails on a page that is wider than the window.
async function sideways(page, where) {
  const [wide, room] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  if (wide > room) fault(where, `${wide} px wide in a window of ${room} px`);
}

// accessible runs axe-core, which the page's policy keeps out of a script element.
async function accessible(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ['violations'] }),
  );
  for (const violation of found.violations) {
    const nodes = violation.nodes
      .slice(0, 3)
      .map(
        (node) =>
          `${node.target.join(' ')} (${node.any.concat(node.all, node.none).map((c) => c.message)[0]})`,
      );
    fault(where, `axe ${violation.id}: ${violation.help}: ${nodes.join('; ')}`);
  }
  return found.passes.length;
}

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
      watch(page, where);
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
for (const text of faults) console.error(text);
if (faults.length) process.exit(1);
