// The headless browser of the checks, and what holds for every page.
//
// The browser is that of @sparticuz/chromium, an npm package for Linux on x86-64. Where it does not
// start, PFNAMP_CHROMIUM or the chromium of the system takes its place, and the output says so.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const faults = [];

// fault notes what is wrong, and where.
export const fault = (where, what) => {
  faults.push(`${where}: ${what}`);
};

// finish ends with what is wrong.
export function finish() {
  for (const text of faults) console.error(text);
  if (faults.length) process.exit(1);
}

export async function launch() {
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

// watch notes what a page must not do: errors, and requests to other addresses than those allowed.
export function watch(page, where, allowed) {
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) fault(where, `console: ${message.text()}`);
  });
  page.on('pageerror', (error) => fault(where, `script: ${error.message}`));
  page.on('request', (request) => {
    if (!allowed.test(request.url())) fault(where, `request to ${request.url()}`);
  });
}

// sideways fails on a page that is wider than the window.
export async function sideways(page, where) {
  const [wide, room] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  if (wide > room) fault(where, `${wide} px wide in a window of ${room} px`);
}

// accessible runs axe-core, which the page's policy keeps out of a script element.
export async function accessible(page, where) {
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
