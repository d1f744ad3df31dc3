// Pages of `wave report` in a browser, as people meet them: on a desk, on a phone, at night, on paper, by keyboard, without
// scripts. PAGE is the page that make_page writes; REPORT one of the program itself. With WAVE_SCREENSHOTS, a folder, what was
// seen is kept there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { openBrowser, openPage } from './browser.mjs';

const pages = { made: process.env.PAGE, reported: process.env.REPORT };
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

let browser;
before(async () => { browser = await openBrowser(); });
after(async () => { await browser?.close(); });

const keep = async (page, name) => {
  if (process.env.WAVE_SCREENSHOTS) await page.screenshot({ path: `${process.env.WAVE_SCREENSHOTS}/${name}.png`, fullPage: true });
};

// Of each picture: what it draws, and how many marks there are for how many values.
const pictures = (page) => page.evaluate(() => {
  const specifications = JSON.parse(document.getElementById('pictures').textContent);
  return [...document.querySelectorAll('[data-picture]')].map((place) => {
    const { data, layer, mark } = specifications[Number(place.dataset.picture)];
    const names = layer?.map((one) => one.name) ?? [mark.type];
    const count = (selector) => place.querySelectorAll(`svg .${selector}.role-mark > path`).length;
    return { names, values: data.values.length, symbols: count('mark-symbol'), cells: count('mark-rect'), lines: count('mark-line'),
             series: new Set(data.values.filter((value) => !value.m).map((value) => value.s)).size,
             words: place.getAttribute('aria-label'), width: place.querySelector('svg')?.getBoundingClientRect().width,
             room: place.clientWidth };
  });
});

for (const [name, file] of Object.entries(pages)) {
  test(`${name}: every picture is drawn, with a mark for each value; nothing is complained of, nothing is fetched`, async () => {
    const { page, requests, complaints, close } = await openPage(browser, file);
    const drawn = await pictures(page);
    assert.ok(drawn.length >= 2);
    for (const one of drawn) {
      if (one.names.includes('cells') || one.names.includes('bar')) assert.equal(one.cells, one.values, one.words);
      if (one.names.includes('predicted')) assert.equal(one.symbols, one.values, one.words);
      if (one.names.includes('lines')) assert.equal(one.lines, one.series, one.words);
      assert.ok(one.words.length > 20);
      assert.ok(one.width <= one.room + 1 && one.width > 0.8 * one.room, `${one.width} in ${one.room}`);
    }
    assert.equal(await page.locator('.is-broken').count(), 0);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((url) => url !== page.url() && !url.startsWith('data:')), []);
    await keep(page, `${name}-desk`);
    await close();
  });

  // One page in both, the other in either: there is one style for all.
  for (const colorScheme of name === 'made' ? ['light', 'dark'] : ['light']) {
    test(`${name}: in ${colorScheme} colours nothing stands in the way of people who see or use it in other ways`, async () => {
      const { page, close } = await openPage(browser, file, { colorScheme });
      // Folded tables are read as well.
      await page.evaluate(() => { for (const one of document.querySelectorAll('details')) one.open = true; });
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      assert.deepEqual(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 200))]), []);
      await close();
    });
  }

  test(`${name}: on narrow screens nothing is wider than the screen`, async () => {
    for (const width of name === 'made' ? [320, 768] : [360]) {
      const { page, close } = await openPage(browser, file, { ...phone, viewport: { width, height: 740 } });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      for (const one of await pictures(page)) assert.ok(one.width <= one.room + 1, `${one.width} in ${one.room}: ${one.words}`);
      if (width < 400) await keep(page, `${name}-phone`);
      await close();
    }
  });

  test(`${name}: at night the page and its pictures are dark, on paper both are light`, async () => {
    const { page, close } = await openPage(browser, file, { colorScheme: 'dark' });
    const colours = () => page.evaluate(() => ({
      ground: getComputedStyle(document.body).backgroundColor,
      label: getComputedStyle(document.querySelector('.picture svg .role-axis-title text')).fill,
      navigation: getComputedStyle(document.querySelector('nav')).display,
    }));
    assert.deepEqual(await colours(), { ground: 'rgb(20, 22, 26)', label: 'rgb(232, 234, 238)', navigation: 'block' });
    await keep(page, `${name}-dark`);
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(await colours(), { ground: 'rgb(255, 255, 255)', label: 'rgb(26, 28, 32)', navigation: 'none' });
    const paper = await page.pdf({ format: 'A4', path: process.env.WAVE_SCREENSHOTS && `${process.env.WAVE_SCREENSHOTS}/${name}.pdf` });
    assert.equal(paper.subarray(0, 5).toString(), '%PDF-');
    await close();
  });

  test(`${name}: the keyboard reaches everything in the order of the page, and shows where it is`, async () => {
    const { page, close } = await openPage(browser, file);
    const stops = await page.evaluate(() => [...document.querySelectorAll('a[href], summary, [tabindex="0"]')]
      .filter((one) => one.checkVisibility()).length);
    const places = [];
    for (let i = 0; i < stops; ++i) {
      await page.keyboard.press('Tab');
      places.push(await page.evaluate(() => {
        const one = document.activeElement, style = getComputedStyle(one);
        const all = [...document.querySelectorAll('*')];
        return { at: all.indexOf(one), name: one.textContent.trim().slice(0, 30), outline: style.outlineStyle, width: parseFloat(style.outlineWidth) };
      }));
    }
    for (let i = 0; i < places.length; ++i) {
      assert.ok(i === 0 || places[i].at > places[i - 1].at, `${places[i].name} comes after ${places[i - 1]?.name}`);
      assert.notEqual(places[i].outline, 'none', places[i].name);
      assert.ok(places[i].width >= 2, places[i].name);
    }
    assert.equal(places[0].name, 'To the contents');
    await close();
  });

  test(`${name}: the first key leads past the list of contents, and tables unfold`, async () => {
    const { page, close } = await openPage(browser, file);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'contents');
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.querySelector('details').open), true);
    assert.ok(await page.locator('details table').first().isVisible());
    await close();
  });

  test(`${name}: without scripts the words and numbers are there`, async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    assert.ok(await page.locator('h1').isVisible());
    await page.locator('figure summary').first().click();
    assert.ok(await page.locator('figure details table').first().isVisible());
    assert.equal(await page.locator('figure').count(), await page.locator('figure details table').count());
    await context.close();
  });
}

test('a window that grows wider makes pictures wider', async () => {
  const { page, close } = await openPage(browser, pages.made, { viewport: { width: 500, height: 800 } });
  const before = (await pictures(page))[0].width;
  await page.setViewportSize({ width: 900, height: 800 });
  await page.waitForFunction((width) => document.querySelector('[data-picture] svg').getBoundingClientRect().width > width + 100, before);
  await close();
});

test('the wheel zooms a timeline along its time', async () => {
  const { page, complaints, close } = await openPage(browser, pages.made);
  const picture = page.locator('figure', { hasText: 'What exchange does when' }).locator('[data-picture]');
  const labels = () => picture.locator('svg .role-axis-label text').allTextContents();
  const before = await labels(), drawn = await picture.textContent();
  await picture.locator('svg .mark-rect.role-mark > path').first().hover({ force: true });
  for (let turn = 0; turn < 5; ++turn) await page.mouse.wheel(0, -200);
  await page.waitForFunction((text) => ![...document.querySelectorAll('[data-picture]')].some((one) => one.textContent === text), drawn);
  const after = await labels();
  assert.notDeepEqual(after, before);
  assert.deepEqual(after.filter((one) => one.startsWith('P[')), before.filter((one) => one.startsWith('P[')));
  assert.deepEqual(complaints, []);
  await close();
});

test('what is folded away on the screen is on paper, and folded again', async () => {
  const { page, close } = await openPage(browser, pages.made);
  const folded = () => page.evaluate(() => [...document.querySelectorAll('details.in-print')].map((one) => one.open));
  assert.ok((await folded()).includes(false));
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.ok(!(await folded()).includes(false));
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.ok((await folded()).includes(false));
  await close();
});

test('names in a model are text, and stay text where the pointer rests', async () => {
  const { page, complaints, close } = await openPage(browser, pages.made);
  assert.equal(await page.title(), 'Sweep3D');
  assert.equal(await page.locator('img, iframe, object, b').count(), 0);
  assert.ok((await page.locator('h2').allTextContents()).some((text) => text.startsWith('</script><img src=x')));
  // The fourth picture has the hostile names: a point of it says them as they are.
  const mark = page.locator('[data-picture="4"] svg .mark-symbol.role-mark > path').first();
  await mark.hover({ force: true });
  await page.waitForFunction(() => !document.querySelector('.tip').hidden);
  assert.match(await page.locator('.tip').textContent(), /<\/script><img src=x onerror=/);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('the policy of a page lets nothing else run', async () => {
  const { page, close } = await openPage(browser, pages.made);
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    const handler = document.createElement('div');
    handler.setAttribute('onclick', 'window.ran = true');
    document.body.append(handler);
    handler.click();
    setTimeout('window.ran = true', 0);
    return new Promise((resolve) => { setTimeout(() => resolve(window.ran ?? false), 100); });
  });
  assert.equal(ran, false);
  await close();
});
