import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Browser, Page } from 'puppeteer';
import { HYDRATED, openBrowser, openPage, signIn } from '../server/testing/browser.ts';
import { Client } from './client.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile } from './measure.ts';
import { scratchFolder, startServer } from './server.ts';

const RUNS = 5;
const KB = 1024;
/** A typical office connection: bytes per second in each direction, and round-trip milliseconds. */
const LINE = { download: (20 * 1_000_000) / 8, upload: (20 * 1_000_000) / 8, latency: 40 };

interface Fetched {
  /** The size of each file with gzip and with brotli. */
  scripts: { path: string; gzip: number; brotli: number }[];
  styles: { path: string; gzip: number; brotli: number }[];
  /** Bytes of scripts as the browser counts them, response headers included. */
  received: number;
}

/** Waits until at most two requests are open, since the event stream of the page never ends. */
const NETWORK_IDLE = { waitUntil: 'networkidle2' } as const;

/** What a browser without a cache fetches until the network is idle. */
async function fetchedBy(page: Page, address: string): Promise<Fetched> {
  const fetched: Fetched = { scripts: [], styles: [], received: 0 };
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  const scripts = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) fetched.received += encodedDataLength;
  });
  const reading: Promise<unknown>[] = [];
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if ((type !== 'script' && type !== 'stylesheet') || !response.ok()) return;
    const path = new URL(response.url()).pathname;
    const list = type === 'script' ? fetched.scripts : fetched.styles;
    const weigh = async () => {
      const body = await response.buffer();
      list.push({ path, gzip: gzipSync(body, { level: 9 }).length, brotli: brotliCompressSync(body).length });
    };
    reading.push(weigh());
  });
  await page.goto(address, NETWORK_IDLE);
  await session.detach();
  page.removeAllListeners('response');
  await Promise.all(reading);
  return fetched;
}

/** Checks at each frame whether all islands are hydrated, and stores the time since the navigation. */
const WATCH = `(() => {
  const check = () => {
    if (document.readyState !== 'loading' && document.querySelector('astro-island') && ${HYDRATED}) {
      globalThis.usableAt = performance.now();
    } else requestAnimationFrame(check);
  };
  check();
})()`;

/** Milliseconds from the navigation until all islands are hydrated, over a slow connection and without a cache. */
async function timeToUsable(browser: Browser, signedIn: Page, address: string): Promise<number> {
  const page = await signedIn.browserContext().newPage();
  await page.setCacheEnabled(false);
  await page.emulateNetworkConditions(LINE);
  try {
    await page.evaluateOnNewDocument(WATCH);
    await page.goto(address, NETWORK_IDLE);
    return (await page.evaluate('usableAt')) as number;
  } finally {
    await page.close();
  }
}

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);

/** Measures the first view of an empty drive in a browser without a cache: transferred bytes and time. */
export async function firstView(): Promise<Figure[]> {
  const server = await startServer(await scratchFolder());
  const browser = await openBrowser();
  try {
    const { email, password } = await Client.register(server.url);
    const page = await openPage(browser, { immediate: true });
    await signIn(page, server.url, { email, password });
    await page.setCacheEnabled(false);
    const address = `${server.url}/dashboard`;
    const { scripts, styles, received } = await fetchedBy(page, address);
    if (process.env.BENCH_LIST) console.error(scripts.toSorted((a, b) => b.gzip - a.gzip));
    const times: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const time = await timeToUsable(browser, page, address);
      if (run > 0) times.push(time);
    }
    const brotli = sum(scripts.map((script) => script.brotli)) / KB;
    return [
      {
        name: 'empty drive without cache: script as served, brotli',
        value: `${fixed(received / KB, 0)} KB`,
        target: { text: 'at most 200 KB', reached: received / KB <= 200 },
      },
      {
        name: '  its bodies alone: gzip, brotli',
        value: `${fixed(sum(scripts.map(({ gzip }) => gzip)) / KB, 0)} KB, ${fixed(brotli, 0)} KB`,
      },
      {
        name: '  files of script',
        value: String(scripts.length),
        target: { text: 'at most 15', reached: scripts.length <= 15 },
      },
      {
        name: '  style sheets: gzip',
        value: `${fixed(sum(styles.map(({ gzip }) => gzip)) / KB, 0)} KB in ${styles.length} files`,
      },
      {
        name: '  usable over 20 Mbit/s and 40 ms',
        value: `${fixed(median(times), 0)} ms, at least ${fixed(percentile(times, 0), 0)} ms`,
        target: { text: 'at most 1000 ms', reached: median(times) <= 1000 },
      },
    ];
  } finally {
    await browser.close();
    await server.remove();
  }
}
