// VS Code as people meet it: code-server on 127.0.0.1 with the packed extension, in a headless Chromium that reaches
// nothing else. NODE runs the server, CODE_SERVER is where its packages are, VSIX the extension, WAVE the program.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const { NODE, CODE_SERVER, VSIX, WAVE, WAVE_CHROMIUM, WAVE_SCREENSHOTS } = process.env;

// Milliseconds.
const patience = Number(process.env.WAVE_PATIENCE ?? 90000);
const sleep = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

const plain = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.editor.empty.hint': 'hidden',
  'chat.disableAIFeatures': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

// A server with the extension: { open, close }.
export async function startServer(settings = {}) {
  const home = mkdtempSync(join(tmpdir(), 'wave-editor-'));
  const data = join(home, 'data'), extensions = join(home, 'extensions');
  mkdirSync(join(data, 'User'), { recursive: true });
  writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify({ ...plain, ...settings }));
  mkdirSync(join(data, 'Machine'));
  writeFileSync(join(data, 'Machine', 'settings.json'), JSON.stringify({ 'wave.path': WAVE }));
  const entry = join(CODE_SERVER, 'node_modules/code-server/out/node/entry.js');
  const places = ['--user-data-dir', data, '--extensions-dir', extensions];
  const temporary = join(home, 'temporary');
  mkdirSync(temporary);
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', WAVE_CACHE: process.env.WAVE_CACHE ?? join(home, 'cache') };
  execFileSync(NODE, [entry, ...places, '--install-extension', VSIX], { env, stdio: 'pipe' });
  const server = spawn(NODE, [entry, ...places, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry',
    '--disable-update-check', '--disable-getting-started-override'], { env, stdio: 'pipe', detached: true });
  const address = await new Promise((resolve, reject) => {
    let log = '';
    const read = (piece) => {
      log += piece;
      const found = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(log);
      if (found) resolve(found[1]);
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.on('exit', (code) => reject(new Error(`code-server ended with ${code}:\n${log}`)));
  });
  const browser = await puppeteer.launch({
    executablePath: WAVE_CHROMIUM,
    headless: true,
    // The page of a panel stands in frames, which stay in the process of the window.
    args: ['--disable-site-isolation-trials', '--disable-features=IsolateSandboxedIframes,IsolateOrigins', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
           '--disable-sync', '--disable-default-apps', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  return {
    open: (folder) => openWindow(browser, address, folder),
    close: async () => {
      await browser.close();
      const ended = new Promise((resolve) => { server.once('exit', resolve); });
      server.kill('SIGTERM');
      await Promise.race([ended, sleep(5000)]);
      try { process.kill(-server.pid, 'SIGKILL'); } catch { /* all of it has ended */ }
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function openWindow(browser, address, folder) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector('.monaco-workbench .part.editor');
  return new Window(context, page);
}

const quickInput = '.quick-input-widget:not([style*="display: none"])';

class Window {
  constructor(context, page) { Object.assign(this, { context, page }); }

  close() { return this.context.close(); }

  async keep(name) {
    if (WAVE_SCREENSHOTS) await this.page.screenshot({ path: `${WAVE_SCREENSHOTS}/${name}.png` });
  }

  // Keys that are held together: 'Control+Shift+P'.
  async press(keys) {
    const all = keys.split('+'), last = all.pop();
    for (const key of all) await this.page.keyboard.down(key);
    await this.page.keyboard.press(last);
    for (const key of all.reverse()) await this.page.keyboard.up(key);
  }

  async type(text) { await this.page.keyboard.type(text); }

  // Chooses the entry of the quick input that begins with these words, and waits until its list is gone: keys that are
  // pressed before would still be taken by it.
  async choose(text) {
    await this.page.waitForFunction((select) => document.activeElement?.closest(select), {}, quickInput);
    await this.type(text);
    const find = (select, words) => [...document.querySelectorAll(`${select} .monaco-list-row`)]
      .find((one) => one.offsetParent !== null && one.querySelector('.label-name')?.textContent.trim().replace(/^wave: /, '').startsWith(words));
    const see = async (what) => (await this.page.evaluateHandle(find, quickInput, text)).evaluate(what);
    // The list may still change, so the entry must stay the one that is marked.
    for (let times = 0; times < 2;) {
      await this.page.waitForFunction(find, {}, quickInput, text);
      times = (await see((one) => Boolean(one?.matches('.focused')))) ? times + 1 : 0;
      if (times === 0) await this.page.keyboard.press('ArrowDown');
      await sleep(100);
    }
    await this.page.keyboard.press('Enter');
    for (const deadline = Date.now() + patience; await see((one) => one !== null && one !== undefined); await sleep(50)) {
      assert.ok(Date.now() < deadline, `${text} was chosen, and is still listed`);
    }
  }

  async command(name) {
    await this.press('F1');
    await this.choose(name);
  }

  async openFile(name) {
    await this.press('Control+p');
    await this.choose(name);
    await this.waitFor('.tab.active', name);
  }

  // The text of the first element that has these words, or matches.
  async waitFor(selector, words = '', options = {}) {
    const isRegular = words instanceof RegExp;
    const found = await this.page.waitForFunction((select, text, regular) => {
      const wordsOf = (element) => element.textContent.replaceAll('\u00a0', ' ');   // the editor shows blanks so
      const fits = (element) => (regular ? new RegExp(text).test(wordsOf(element)) : wordsOf(element).includes(text));
      return [...document.querySelectorAll(select)].find(fits)?.textContent;
    }, options, selector, isRegular ? words.source : words, isRegular);
    return found.jsonValue();
  }

  // Puts the cursor before the words of a line, the first such place in the file.
  async goTo(line, column) {
    await this.press('Control+g');
    await this.page.waitForSelector(`${quickInput} .quick-input-box input`);
    await this.type(`${line}:${column}`);
    await this.waitFor(`${quickInput} .monaco-list-row`, `line ${line} at column ${column}`);
    await this.page.keyboard.press('Enter');
    await this.waitFor('.statusbar-item', `Ln ${line}, Col ${column}`);
  }

  // The page inside the panel, when it is there.
  async panel() {
    const isPanel = (frame) => Promise.race([
      frame.evaluate(() => document.getElementById('panel') !== null).catch(() => false),
      sleep(1000).then(() => false),
    ]);
    for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(100)) {
      for (const frame of this.page.frames()) if (await isPanel(frame)) return frame;
    }
    throw new Error(`the panel did not open; there are ${this.page.frames().map((frame) => frame.url()).join(', ')}`);
  }
}
