// Opens pages in Chromium at two widths, in light and dark mode, and prints what they show as JSON.
//
// Usage: node look.mjs JOBS.json
//
// JOBS.json holds {modules, screenshots, pages: [{name, url} or {name, live: command}]}. A page may
// also have `once` (open it only at one `width`), `act` (code to run in the page) and `until` (a
// selector to wait for).
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import fs from 'node:fs';

const job = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const {chromium} = createRequire(job.modules + '/')('playwright-core');
const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage']});

async function open(page, width, scheme) {
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme: scheme, acceptDownloads: true});
  const tab = await context.newPage(), seen = {width, scheme, errors: [], requests: []};
  tab.on('console', message => { if (message.type() === 'error' || message.type() === 'warning') seen.errors.push(message.text()); });
  tab.on('pageerror', error => seen.errors.push(String(error)));
  tab.on('request', request => { if (request.url() !== page.url) seen.requests.push(request.url()); });
  const start = performance.now();
  await tab.goto(page.url, {waitUntil: 'load'});
  seen.milliseconds = performance.now() - start;
  return {tab, seen, context};
}

async function saved(tab, label) {
  const button = tab.locator('figure').first().locator('button', {hasText: label});
  const [download] = await Promise.all([tab.waitForEvent('download'), button.click()]);
  return fs.readFileSync(await download.path(), 'utf8');
}

const describe = tab => tab.evaluate(() => {
  const all = (what, of) => [...document.querySelectorAll(what)].map(of);
  const box = one => one.getBoundingClientRect();
  const within = (a, b, slack) => a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
  // The overlap of two boxes in pixels. The box of a text is slightly taller than its letters.
  const shared = (a, b) => Math.min(a.right - b.left, b.right - a.left, a.bottom - b.top, b.bottom - a.top);
  const pictures = all('figure svg', svg => ({svg, texts: [...svg.querySelectorAll('text')].slice(0, 400)}));
  const clipped = pictures.flatMap(({svg, texts}) => texts.filter(one => !within(box(one), box(svg), 1.5)).map(one => one.textContent));
  const covered = pictures.flatMap(({texts}) => texts.map(one => [box(one), one.textContent]).flatMap(([a, words], k, list) =>
    list.slice(k + 1).filter(([b]) => shared(a, b) > 4).map(([, other]) => `${words} / ${other}`)));
  const sideways = all('figure .scroll', one => [one.scrollWidth - one.clientWidth, one.closest('figure').querySelector('figcaption span').textContent])
    .filter(([more, caption]) => more > 0 && !caption.startsWith('confusion')).map(([, caption]) => caption);
  return {
    clipped, covered: covered.slice(0, 20), sideways,
    ticks: all('svg .tick', one => one.textContent), matrix: all('.matrix', svg => [...svg.querySelectorAll('.tick')].map(one => one.textContent)),
    marks: all('svg .dot', one => [one.closest('section')?.id, one.getAttribute('class'), one.tagName + one.getAttribute('points')?.split(' ').length]),
    sections: all('section', one => one.id), captions: all('figcaption span', one => one.textContent), figures: all('figure', one => one.querySelectorAll('svg *').length),
    tips: all('svg title', one => one.textContent).slice(0, 3000), cells: Object.fromEntries(all('#results tr', one => [one.cells[0].textContent, [...one.cells].slice(1).map(c => c.title)])),
    strong: all('#results td strong', one => one.textContent), metrics: all('#results th', one => one.textContent), heights: all('#results tr', one => one.clientHeight), lead: document.querySelector('.lead')?.textContent, text: document.body.innerText.slice(0, 20000),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth, images: document.images.length,
    background: getComputedStyle(document.body).backgroundColor, network: all('#network svg', one => one.querySelectorAll('.remembers').length)};
});

async function lookAt(page) {
  const found = [];
  for (const [width, scheme] of page.once ? [[page.width ?? 1280, 'light']] : [[1280, 'light'], [400, 'dark']]) {
    const {tab, seen, context} = await open(page, width, scheme);
    if (page.act) seen.acted = await tab.evaluate(page.act);
    if (page.until) await tab.waitForSelector(page.until);
    Object.assign(seen, await describe(tab));
    await tab.screenshot({path: `${job.screenshots}/${page.name}-${width}-${scheme}.png`, fullPage: !page.once});
    if (width === 1280 && !page.once) Object.assign(seen, {csv: await saved(tab, 'CSV'), svg: await saved(tab, 'SVG')});
    await tab.emulateMedia({media: 'print'});
    seen.printed = await tab.evaluate(() => getComputedStyle(document.body).color);
    await context.close();
    found.push(seen);
  }
  return found;
}

// Starts a run and follows its live page until it shows the results.
async function watch(page) {
  const run = spawn(page.live[0], page.live.slice(1), {stdio: ['ignore', 'ignore', 'pipe']});
  const line = await new Promise(done => run.stderr.once('data', bytes => done(String(bytes))));
  page.url = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0];
  const ended = new Promise(done => run.once('exit', done));
  run.stderr.resume();
  const {tab, seen, context} = await open(page, 1280, 'light');
  seen.cells_over_time = [];
  const end = Date.now() + 60000;
  while (Date.now() < end) {
    seen.cells_over_time.push(await tab.locator('.cell').count());
    if (await tab.locator('#results ~ #errors').count()) break;  // the numbers appear shortly after the charts
    await tab.waitForTimeout(300);
  }
  Object.assign(seen, await describe(tab));
  await tab.screenshot({path: `${job.screenshots}/${page.name}.png`, fullPage: true});
  await context.close();
  seen.exit = await ended;
  return seen;
}

const result = {};
for (const page of job.pages) result[page.name] = await (page.live ? watch : lookAt)(page);
await browser.close();
console.log(JSON.stringify(result));
