// Pages of `wave doc --html` in a browser: the search, links, narrow screens, dark colours, and people who see or use them in
// other ways. SITE is the library's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { openBrowser, openPage } from './browser.mjs';

const site = process.env.SITE;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = ['index.html', 'module/std.machines.ibm_sp2.html', 'module/std.applications.lu.html', 'source/std.comm.html', 'README.html',
               'docs/guide.html', 'docs/limits.html', 'docs/diagnostics/README.html', 'docs/diagnostics/E0201.html'];

let browser;
before(async () => { browser = await openBrowser(); });
after(async () => { await browser?.close(); });

test('the search finds what modules declare, and leads there', async () => {
  const { page, requests, complaints, close } = await openPage(browser, `${site}/index.html`);
  const found = page.locator('#found dt');
  assert.equal(await found.count(), 0);
  await page.getByRole('searchbox').fill('sp2');
  assert.equal(await found.first().textContent(), 'SP2');
  await page.getByRole('searchbox').fill('latency sp2');
  assert.ok((await found.allTextContents()).includes('L'));
  await page.getByRole('searchbox').fill('no such words xyzzy');
  assert.equal(await page.locator('#count').textContent(), '0 found');
  await page.getByRole('searchbox').fill('SP2');
  await found.first().getByRole('link').click();
  assert.match(page.url(), /module\/std\.machines\.ibm_sp2\.html#name-SP2$/);
  await page.waitForLoadState();   // until then it may scroll to the name, away from under the next click
  await page.locator('#name-SP2').getByRole('link', { name: 'Source' }).click();
  assert.match(await page.locator('.line:target').textContent(), /^machine SP2 extends/);
  await page.waitForLoadState();
  await page.locator('.line:target').getByRole('link').click();
  assert.match(await page.locator('.line:target').textContent(), /machine EagerRendezvous/);
  assert.deepEqual(complaints, []);
  assert.ok(requests.every((url) => url.startsWith(`file://${site}`) || url.startsWith('data:')), requests.join(' '));
  await close();
});

test('the search finds what the documentation says, and leads to the section', async () => {
  const { page, requests, complaints, close } = await openPage(browser, `${site}/index.html`);
  const found = page.locator('#found dt');
  await page.getByRole('searchbox').fill('where time goes');
  assert.equal(await found.first().textContent(), 'Where time goes');
  await page.getByRole('searchbox').fill('E0201');
  assert.match(await found.first().textContent(), /E0201/);
  // Words of a section, which its heading does not have; some of those around them are shown.
  await page.getByRole('searchbox').fill('setParameters xyzzy');
  assert.equal(await found.count(), 0);
  await page.getByRole('searchbox').fill('setParameters');
  assert.ok((await page.locator('#found dd').allTextContents()).some((words) => words.includes('setParameters')));
  await page.locator('#found').getByRole('link', { name: 'Values beside the text' }).click();
  assert.match(page.url(), /docs\/editors\.html#values-beside-the-text$/);
  await page.waitForLoadState();
  await page.getByRole('link', { name: 'all pages and search' }).click();
  assert.match(page.url(), /index\.html$/);
  assert.deepEqual(complaints, []);
  assert.ok(requests.every((url) => url.startsWith(`file://${site}`) || url.startsWith('data:')), requests.join(' '));
  await close();
});

test('pictures of the documentation are shown', async () => {
  const { page, complaints, close } = await openPage(browser, `${site}/README.html`);
  assert.ok(await page.locator('img').evaluate((image) => image.complete && image.naturalWidth > 100));
  assert.deepEqual(complaints, []);
  await close();
});

for (const name of pages) {
  test(`${name}: in light and dark colours nothing stands in anybody's way, on narrow screens nothing is wider than these`, async () => {
    for (const colorScheme of ['light', 'dark']) {
      const { page, complaints, close } = await openPage(browser, `${site}/${name}`, { colorScheme });
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(ground, colorScheme === 'dark' ? 'rgb(20, 22, 26)' : 'rgb(255, 255, 255)');
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 200))]), []);
      assert.deepEqual(complaints, []);
      await close();
    }
    for (const width of [320, 400]) {
      const { page, close } = await openPage(browser, `${site}/${name}`, { viewport: { width, height: 740 }, isMobile: true });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await close();
    }
  });
}
