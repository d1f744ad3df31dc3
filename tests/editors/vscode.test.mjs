// The extension in VS Code, as people meet it. See editor.mjs for what it needs; with WAVE_SCREENSHOTS, a folder, what was seen is
// kept there.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { startServer } from './editor.mjs';

const costs = `wave 1
/// What one task costs.
let task_time = 2 ms
`;
const farm = `wave 1
import "./costs.wave" as costs
import std.machines.ibm_sp2 { SP2 }
import std.comm { Machine }

/// Workers in a ring.
model Farm {
  param net: Machine = SP2()
  param n: int = 8 in 2..64           /// workers
  param rounds: int = 3 in 1..9

  grid P[i: n wrap]
  process ring on P using net {
    repeat rounds {
      compute(costs.task_time)
      send 8 B to [i+1]
      recv 8 B from [i-1]
    }
  }

  /// How long they take.
  output total = ring.time
  output work = n * rounds * costs.task_time in ms
}

study scaling of Farm {
  vary n in 2..32 by *2
  show work
}

test "work is counted" { expect Farm().work == 48 ms }
test "this one fails" { expect Farm().work == 47 ms }
`;

const hostile = `wave 1
/// <img src=x onerror="document.title='ran'">
model Hostile {
  param n: int = 3 from "<script>document.title='ran'</script>"
  /// <b>bold</b>
  output text = "<img src=x onerror=document.title='ran'>"
}
`;
const wrong = 'wave 1\nmodel Wrong { output x = 1 us + 1 B }\n';

const lineOf = (words) => farm.split('\n').findIndex((line) => line.includes(words)) + 1;
const columnOf = (words) => farm.split('\n')[lineOf(words) - 1].indexOf(words) + 1;

const project = mkdtempSync(join(tmpdir(), 'wave-project-'));
let server, window;

before(async () => {
  // All of them now, since VS Code keeps for a while which files it has found.
  for (const [name, text] of Object.entries({ costs, farm, hostile, wrong })) writeFileSync(join(project, `${name}.wave`), text);
  server = await startServer({ 'security.workspace.trust.enabled': false });
  window = await server.open(project);
  await window.openFile('farm.wave');
}, { timeout: 240000 });

after(async () => {
  await server?.close();
  rmSync(project, { recursive: true, force: true });
});

afterEach(async (one) => {
  if (!one.passed) await window?.keep(`failed-${one.name.replace(/\W+/g, '-').slice(0, 40)}`);
});

test('words of the language have other colours than names', async () => {
  const colours = await window.page.waitForFunction(() => {
    const spans = [...document.querySelectorAll('.view-line span span')];
    const of = (text) => spans.find((span) => span.textContent.trim() === text)?.className;
    const found = { model: of('model'), name: of('Farm'), number: of('8'), unit: of('ms') };
    return found.model && found.name && found.model !== found.name ? found : null;
  });
  const { model, name } = await colours.jsonValue();
  assert.notEqual(model, name);
});

const isClean = () => window.page.waitForFunction(() => !document.querySelector('.squiggly-error'));

test('an error is underlined as it is typed, and no longer when it is put right', { timeout: 180000 }, async () => {
  await window.goTo(lineOf('output work'), 1);
  await window.press('End');
  await window.type(' + ');
  await window.page.waitForSelector('.squiggly-error');
  for (let k = 0; k < 3; k += 1) await window.press('Backspace');
  await isClean();
});

test('hover shows the type and the documentation of a name', { timeout: 180000 }, async () => {
  await window.goTo(lineOf('compute(costs'), columnOf('task_time'));
  await window.press('Control+k');
  await window.press('Control+i');
  const words = await window.waitFor('.monaco-hover:not(.hidden) .monaco-hover-content', 'What one task costs');
  assert.match(words, /task_time.*time/);
  await window.keep('hover');
  await window.press('Escape');
});

test('values stand beside what is computed, and results above models and tests', { timeout: 180000 }, async () => {
  // Not the box in which the command was typed.
  const isAsked = () => window.page.waitForFunction(() => document.activeElement?.getAttribute('placeholder')?.startsWith('n = 64'));
  await window.waitFor('.view-line', '= 48 ms');
  await window.waitFor('.codelens-decoration', 'work 48 ms');
  await window.command('Wave: Set Parameters');
  await isAsked();
  await window.type('n = 16');
  await window.press('Enter');
  await window.waitFor('.view-line', '= 96 ms');
  await window.command('Wave: Set Parameters');
  await isAsked();
  await window.press('Enter');
  await window.waitFor('.view-line', '= 48 ms');
  await window.goTo(lineOf('this one fails'), 1);
  await window.waitFor('.codelens-decoration', 'fails');
  await window.keep('values');
});

test('a definition leads into the standard library, which cannot be changed', { timeout: 180000 }, async () => {
  await window.goTo(lineOf('param net'), columnOf('SP2()'));
  await window.press('F12');
  await window.waitFor('.tab.active', 'ibm_sp2');
  await window.waitFor('.view-line', 'machine SP2');
  await window.type('x');
  await window.waitFor('.monaco-editor-overlaymessage', 'read-only');
  await window.keep('definition');
  await window.press('Control+F4');
  await window.openFile('farm.wave');
});

test('completion offers what a module has', { timeout: 180000 }, async () => {
  await window.goTo(lineOf('output work'), 1);
  await window.press('End');
  await window.press('Enter');
  await window.type('output more = costs.');
  await window.waitFor('.suggest-widget.visible .monaco-list-row', 'task_time');
  await window.keep('completion');
  await window.press('Enter');
  await window.waitFor('.view-line', /output more = costs\.task_time/);
  await isClean();
  await window.press('Escape');
  await window.press('Control+Shift+k');
});

test('a rename changes every file that has the name', { timeout: 180000 }, async () => {
  await window.goTo(lineOf('compute(costs'), columnOf('task_time'));
  await window.press('F2');
  await window.page.waitForFunction(() => document.activeElement?.closest('.rename-box'));
  await window.press('Control+a');
  await window.type('task_cost');
  await window.press('Enter');
  await window.waitFor('.view-line', /costs\.task_cost/);
  await isClean();
  await window.command('File: Save All Files');
  const read = (name) => readFileSync(join(project, name), 'utf8');
  for (let k = 0; k < 100 && !read('costs.wave').includes('let task_cost'); k += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.match(read('costs.wave'), /let task_cost = 2 ms/);
  assert.equal(read('farm.wave').split('costs.task_cost').length - 1, 2);
  await window.keep('rename');
});

test('the panel shows the model under the cursor, and a slider moves its results', { timeout: 180000 }, async () => {
  await window.goTo(lineOf('output total'), 5);
  await window.command('Wave: Show Model');
  const panel = await window.panel();
  const valueOf = async (name) => (await panel.waitForSelector(`[data-output="${name}"] td`)).evaluate((cell) => cell.textContent);
  const waitForValue = (name, value) => panel.waitForFunction((output, text) =>
    document.querySelector(`[data-output="${output}"] td`)?.textContent === text, {}, name, value);
  await waitForValue('work', '48 ms');
  const before = await valueOf('total');
  await panel.waitForSelector('img[src^="data:image/svg+xml"]:not([hidden])');
  await window.keep('panel');

  const slider = await panel.waitForSelector('#slider-n');
  const { min, max } = await slider.evaluate(({ min: least, max: most }) => ({ min: Number(least), max: Number(most) }));
  assert.deepEqual([min, max], [0, 62], 'from 2 to 64');
  const plot = await panel.$eval('img', (image) => image.src);
  await slider.focus();
  for (let k = 0; k < 4; k += 1) await window.page.keyboard.press('ArrowRight');
  await waitForValue('work', '72 ms');
  assert.equal(await panel.$eval('label[for="slider-n"] ~ output', (number) => number.textContent), '12');

  const rounds = await panel.$('#slider-rounds');
  await rounds.focus();
  await window.page.keyboard.press('End');
  await waitForValue('work', '216 ms');
  assert.notEqual(await valueOf('total'), before);
  await panel.waitForFunction((old) => document.querySelector('img').src !== old, {}, plot);

  await panel.$eval('details.timeline', (details) => { details.open = true; });
  await panel.waitForSelector('.chart rect');
  assert.equal(await panel.$$eval('.names span', (names) => names.length), 8);
  await window.keep('slider');
  await panel.evaluate(() => [...document.querySelectorAll('button')].find((button) => button.textContent === 'Reset').click());
  await waitForValue('work', '48 ms');
});

// The editor makes lenses again and again, so only their place can be clicked, once it is the same for a moment.
const clickLens = async (title) => {
  const placeOf = () => window.page.waitForFunction((text) => {
    const lens = [...document.querySelectorAll('.codelens-decoration a')].find((one) => one.textContent === text);
    const { x, y, width, height } = lens?.getBoundingClientRect() ?? {};
    return width > 0 ? [x + width / 2, y + height / 2] : null;
  }, {}, title).then((found) => found.jsonValue());
  let place = await placeOf();
  for (let before = []; String(before) !== String(place); place = await placeOf()) {
    before = place;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  await window.page.mouse.click(...place);
};

test('the plot of a study is drawn in the panel, and drawn again for what a slider moves', { timeout: 180000 }, async () => {
  const panel = await window.panel();
  assert.equal(await panel.$eval('details.study', (details) => details.open), false, 'a study may take long');
  await window.command('View: Focus First Editor Group');
  await window.goTo(lineOf('study scaling'), 1);
  await clickLens('plot');
  const picture = 'details.study[open] img[src^="data:image/svg+xml"]:not([hidden])';
  await panel.waitForSelector(picture);
  const before = await panel.$eval(picture, (image) => image.src);
  assert.ok(await panel.$eval(picture, (image) => image.decode().then(() => image.naturalWidth > 100)), 'it is a picture');
  await panel.$eval(picture, (image) => image.scrollIntoView());
  await window.keep('study');
  const rounds = await panel.$('#slider-rounds');
  await rounds.focus();
  await window.page.keyboard.press('End');
  await panel.waitForFunction((selector, old) => document.querySelector(selector).src !== old, {}, picture, before);
  // The study varies `n`, so its slider does not count there.
  const slider = await panel.$('#slider-n');
  await slider.focus();
  await window.page.keyboard.press('End');
  await panel.waitForFunction(() => document.querySelector('[data-output="work"] td')?.textContent === '1152 ms');
  assert.equal(await panel.$eval('details.study pre', (words) => words.textContent), '');
  await panel.evaluate(() => [...document.querySelectorAll('button')].find((button) => button.textContent === 'Reset').click());
  await panel.waitForFunction((selector, old) => document.querySelector(selector).src === old, {}, picture, before);
  await panel.$eval('details.study', (details) => { details.open = false; });
});

test('the panel follows what is typed, and says what is wrong with it', { timeout: 180000 }, async () => {
  const panel = await window.panel();
  await window.command('View: Focus First Editor Group');
  await window.goTo(lineOf('param rounds'), columnOf('= 3 in') + 2);
  await window.press('Delete');
  await window.type('5');
  await panel.waitForFunction(() => document.querySelector('[data-output="work"] td')?.textContent === '80 ms');
  await window.type('x');
  await panel.waitForFunction(() => document.querySelector('.status:not([hidden])')?.textContent.includes('error['));
  await window.press('Control+z');
  await window.press('Control+z');
  await panel.waitForFunction(() => document.querySelector('[data-output="work"] td')?.textContent === '48 ms');
});

test('names and texts of a model are no HTML', { timeout: 180000 }, async () => {
  await window.openFile('hostile.wave');
  const panel = await window.panel();
  await panel.waitForFunction(() => document.querySelector('[data-output="text"] td')?.textContent.includes('<img src=x'));
  assert.equal(await panel.$$eval('img', (images) => images.length), 1, 'only the picture of the plot');
  assert.notEqual(await panel.evaluate(() => document.title), 'ran');
  await window.openFile('farm.wave');
});

test('the test explorer runs the tests of all files, and shows what a failed expectation compared', { timeout: 180000 }, async () => {
  await window.command('Test: Run All Tests');
  await window.command('Testing: Focus on Test Explorer View');
  await window.waitFor('.test-explorer', 'farm.wave');
  await window.page.waitForSelector('.test-explorer .codicon-testing-failed-icon');
  await window.waitFor('.test-output-peek-tree, .test-output-peek', 'this one fails');
  await window.keep('tests');
});

test('the task to check a file reports its errors as problems', { timeout: 180000 }, async () => {
  await window.openFile('wrong.wave');
  await window.command('Tasks: Run Task');
  await window.choose('wave');
  await window.waitFor('.quick-input-list .label-name', 'check wrong.wave');   // the list of all kinds is gone
  await window.choose('check wrong.wave');
  await window.command('Problems: Focus on Problems View');
  await window.waitFor('.markers-panel', 'do not agree');
  await window.keep('problems');
});

test('where the workspace is not trusted, texts are coloured and nothing is evaluated', { timeout: 240000 }, async () => {
  const restricted = await startServer({ 'security.workspace.trust.enabled': true });
  try {
    const other = await restricted.open(project);
    await other.openFile('farm.wave');
    await other.waitFor('.statusbar-item', 'Restricted Mode');
    assert.equal(await other.page.$('.editor-actions [aria-label*="Show Model"]'), null);
    await other.press('F1');
    await other.page.waitForSelector('.quick-input-widget .quick-input-box input');
    await other.type('Wave: ');
    await other.waitFor('.quick-input-list', 'Restart Language Server');
    assert.ok(!(await other.waitFor('.quick-input-list')).includes('Show Model'));
    await other.keep('restricted');
  } finally {
    await restricted.close();
  }
});
