// A headless Chromium of Debian's, cut off from every network, with all that it asks for and complains of written down.
import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';

const places = [process.env.WAVE_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function findBrowser() {
  return places.find((place) => place && existsSync(place));
}

export async function openBrowser() {
  // Playwright gives each launch a profile of its own, and removes it.
  return chromium.launch({
    executablePath: findBrowser(),
    headless: true,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
           '--disable-sync', '--disable-default-apps', '--no-default-browser-check', '--host-resolver-rules=MAP * ~NOTFOUND'],
  });
}

// A page in a window of its own: { page, requests, complaints, close }.
export async function openPage(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const requests = [], complaints = [];
  // What the page's own policy refuses is a complaint, whether or not anybody is told.
  await page.exposeFunction('complain', (text) => { complaints.push(text); });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => window.complain(`${event.violatedDirective}: ${event.sample}`));
  });
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(new URL(`file://${file}`).href);
  // Those without pictures have nothing to draw.
  await page.waitForFunction(() => !document.getElementById('pictures') || document.documentElement.dataset.pictures === 'drawn');
  return { page, requests, complaints, close: () => context.close() };
}
