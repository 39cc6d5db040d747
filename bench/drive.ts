import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'puppeteer';
import { openBrowser, openPage, signIn } from '../server/testing/browser.ts';
import { largeFolder, PASSWORD } from './large-folder.ts';
import type { Prepared } from './large-folder.ts';
import type { Figure } from './measure.ts';
import { fixed, median, timed } from './measure.ts';
import { scratchFolder, startServer } from './server.ts';

const ITEMS = 20_000;
const RUNS = 5;
const FRAMES = 240;
const FILES = 60;
const FILE_BYTES = 1024 * 1024;
const KB = 1024;

const figure = (name: string, value: number, digits: number, unit: string, max: number): Figure => ({
  name,
  value: `${fixed(value, digits)} ${unit}`,
  target: { text: `at most ${max} ${unit}`, reached: value <= max },
});

const inPage = <T>(page: Page, call: string): Promise<T> => page.evaluate(`bench.${call}`) as Promise<T>;

/** Milliseconds from the next event of this type, which `act` causes, to the frame that shows its result. */
async function timeToFrame(page: Page, type: string, act: () => Promise<unknown>): Promise<number> {
  const measured = inPage<number>(page, `until('${type}')`);
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  await act();
  return measured;
}

const selectAll = (page: Page) =>
  timeToFrame(page, 'keydown', async () => {
    const session = await page.createCDPSession();
    // Ctrl as a modifier, since a key press of its own would be the event that is waited for.
    const key = { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, modifiers: 2 };
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  });

const sortBySize = (page: Page) => timeToFrame(page, 'click', () => page.click('.list-size button'));

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of processor of the thread, which other programs do not lengthen. */
  tdur?: number;
}

/** Milliseconds of each frame of scrolling, and of each task of the main thread. */
async function scrolling(page: Page): Promise<{ frames: number[]; work: number[] }> {
  await page.tracing.start({ categories: ['disabled-by-default-devtools.timeline'] });
  const frames = await inPage<number[]>(page, `scroll(${FRAMES})`);
  const trace = new TextDecoder().decode(await page.tracing.stop());
  const { traceEvents: events } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const main = events.find(({ name }) => name === 'FireAnimationFrame');
  const tasks = events.filter(
    ({ name, pid, tid }) => name === 'RunTask' && pid === main?.pid && tid === main.tid,
  );
  return { frames, work: tasks.map(({ tdur = 0 }) => tdur / 1000) };
}

/** Memory that belongs to the process of the tab alone, in MB. */
async function tabMemory(browser: Browser, page: Page): Promise<number> {
  // So that only memory in use counts.
  await (await page.createCDPSession()).send('HeapProfiler.collectGarbage');
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => {
        const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
        return Array.from(text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm), ([, kb]) =>
          Number(kb),
        ).reduce((sum, kb) => sum + kb, 0);
      }),
  );
  return Math.max(...sizes) / KB;
}

/** Kilobytes of compressed script that the first view of the drive loads. */
async function firstViewScript(page: Page, url: string): Promise<number> {
  let bytes = 0;
  const reading: Promise<void>[] = [];
  await page.setCacheEnabled(false);
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || !response.ok()) return;
    reading.push(response.buffer().then((body) => void (bytes += gzipSync(body).length)));
  });
  await page.goto(`${url}/dashboard`, { waitUntil: 'load' });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await Promise.all(reading);
  page.removeAllListeners('response');
  await page.setCacheEnabled(true);
  return bytes / KB;
}

/** Seconds to upload the same files in the browser, from the click until the last is saved, and with curl, three at a time. */
async function uploads(
  page: Page,
  url: string,
  { token }: Prepared,
): Promise<{ browser: number; curl: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-files-'));
  const paths = Array.from({ length: FILES }, (_, n) => join(folder, `Bill ${n + 1}.pdf`));
  const createFolder = async (name: string): Promise<number> => {
    const response = await fetch(`${url}/api/documents/folder`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return ((await response.json()) as { data: { id: number } }).data.id;
  };
  const times = { browser: [] as number[], curl: [] as number[] };
  try {
    for (const path of paths) await writeFile(path, randomBytes(FILE_BYTES));
    for (let run = 0; run < 3; run += 1) {
      const curlFolder = await createFolder(`curl ${run}`);
      const call =
        `curl -sf -o /dev/null -H "Authorization: Bearer ${token}" -F parent_id=${curlFolder} ` +
        `-F "file=@$0" ${url}/api/documents/upload`;
      const all = `printf '%s\\0' *.pdf | xargs -0 -P 3 -n 1 sh -c '${call}'`;
      times.curl.push(await timed(() => promisify(execFile)('sh', ['-c', all], { cwd: folder })));

      const browserFolder = await createFolder(`browser ${run}`);
      await page.goto(`${url}/dashboard/folder/${browserFolder}`, { waitUntil: 'load' });
      await page.waitForSelector('[data-drive]');
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await page.keyboard.down('Control');
      await page.keyboard.press('u');
      await page.keyboard.up('Control');
      const input = await page.waitForSelector('[role="dialog"] input[type="file"]');
      await (input as unknown as { uploadFile(...paths: string[]): Promise<void> }).uploadFile(...paths);
      const start = await page.waitForSelector(
        '::-p-xpath(//button[starts-with(normalize-space(), "Start Upload")])',
      );
      times.browser.push(
        await timed(async () => {
          await start?.click();
          await page.waitForFunction('bench.uploaded()', { timeout: 120_000, polling: 'raf' });
        }),
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { browser: median(times.browser), curl: median(times.curl) };
}

/** Measures the file browser in Chromium: a folder of 20,000 items, the transferred size of the first view, and a large upload of files. */
export async function drive(): Promise<Figure[]> {
  const dataDir = await scratchFolder();
  const prepared = await largeFolder(dataDir, ITEMS);
  const server = await startServer(dataDir);
  const browser = await openBrowser();
  try {
    const page = await openPage(browser, { immediate: true });
    await signIn(page, server.url, { email: prepared.email, password: PASSWORD });
    const address = `${server.url}/dashboard/folder/${prepared.folderId}`;
    await page.evaluateOnNewDocument(await readFile(join(import.meta.dirname, 'in-page.js'), 'utf8'));
    const runs = {
      row: [] as number[],
      longest: [] as number[],
      usual: [] as number[],
      work: [] as number[],
      frame: [] as number[],
      select: [] as number[],
      sort: [] as number[],
    };
    for (let run = 0; run < RUNS; run += 1) {
      await page.goto(address, { waitUntil: 'domcontentloaded' });
      runs.row.push(await inPage<number>(page, 'firstRow()'));
      await page.waitForFunction(`bench.rows() > ${ITEMS}`);
      // The work of the page after its first view does not belong to scrolling.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const { frames, work } = await scrolling(page);
      runs.longest.push(Math.max(...frames));
      runs.usual.push(median(frames));
      runs.work.push(Math.max(...work));
      runs.frame.push(work.reduce((sum, time) => sum + time, 0) / FRAMES);
      await inPage(page, 'focus()');
      runs.select.push(await selectAll(page));
      await page.waitForFunction('bench.says("20,000 selected")');
      runs.sort.push(await sortBySize(page));
    }
    const memory = await tabMemory(browser, page);
    const script = await firstViewScript(page, server.url);
    const sent = await uploads(page, server.url, prepared);
    return [
      figure('20,000 items: first row painted', median(runs.row), 0, 'ms', 1000),
      figure('20,000 items: longest frame of scrolling', median(runs.longest), 0, 'ms', 50),
      { name: '  half of the frames take at most', value: `${fixed(median(runs.usual))} ms` },
      figure('  longest work for a frame, thread time', median(runs.work), 0, 'ms', 50),
      { name: '  work for a frame on average', value: `${fixed(median(runs.frame))} ms` },
      figure('20,000 items: select all', median(runs.select), 0, 'ms', 100),
      figure('20,000 items: sort by size', median(runs.sort), 0, 'ms', 200),
      figure('20,000 items: memory of the tab', memory, 0, 'MB', 200),
      figure('first view of the drive: script, gzip', script, 0, 'KB', 250),
      figure('60 files of 1 MB, in curl’s time', sent.browser / sent.curl, 2, '×', 1.3),
      {
        name: '  in the browser, and with curl three at a time',
        value: `${fixed(sent.browser, 2)} s, ${fixed(sent.curl, 2)} s`,
      },
    ];
  } finally {
    await browser.close();
    await server.remove();
  }
}
