// VS Code as people meet it: code-server on 127.0.0.1 with the packed extension, in a headless Chromium that reaches
// nothing else. NODE runs the server, CODE_SERVER is where its packages are, VSIX the extension, WAVE the program.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const { NODE, CODE_SERVER, VSIX, WAVE, WAVE_CHROMIUM, WAVE_SCREENSHOTS } = process.env;

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
  writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify({ ...plain, 'wave.path': WAVE, ...settings }));
  const entry = join(CODE_SERVER, 'node_modules/code-server/out/node/entry.js');
  const places = ['--user-data-dir', data, '--extensions-dir', extensions];
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', WAVE_CACHE: process.env.WAVE_CACHE ?? join(home, 'cache') };
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
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
           '--disable-sync', '--disable-default-apps', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  return {
    open: (folder) => openWindow(browser, address, folder),
    close: async () => {
      await browser.close();
      try { process.kill(-server.pid, 'SIGKILL'); } catch { /* it has ended */ }
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function openWindow(browser, address, folder) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(30000);
  await page.setViewport({ width: 1400, height: 900 });
  await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector('.monaco-workbench .part.editor');
  return new Window(context, page);
}

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

  // Chooses the first entry of the quick input that has these words.
  async choose(text) {
    await this.page.waitForSelector('.quick-input-widget:not([style*="display: none"]) .quick-input-box input');
    await this.type(text);
    await this.page.waitForFunction((words) => [...document.querySelectorAll('.quick-input-list .monaco-list-row.focused')]
      .some((row) => row.textContent.toLowerCase().includes(words)), {}, text.replace(/^>/, '').toLowerCase());
    await this.page.keyboard.press('Enter');
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
      const fits = (element) => (regular ? new RegExp(text).test(element.textContent) : element.textContent.includes(text));
      return [...document.querySelectorAll(select)].find(fits)?.textContent;
    }, options, selector, isRegular ? words.source : words, isRegular);
    return found.jsonValue();
  }

  // Puts the cursor before the words of a line, the first such place in the file.
  async goTo(line, column) {
    await this.press('Control+g');
    await this.page.waitForSelector('.quick-input-widget:not([style*="display: none"])');
    await this.type(`${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await this.waitFor('.statusbar-item', `Ln ${line}, Col ${column}`);
  }

  // The page inside the panel, when it has shown results.
  async panel() {
    const deadline = Date.now() + 30000;
    while (Date.now() < deadline) {
      for (const frame of this.page.frames()) {
        const isPanel = await frame.$('#panel').catch(() => null);
        if (isPanel) return frame;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the panel did not open');
  }
}
