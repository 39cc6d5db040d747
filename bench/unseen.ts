import { createHash } from 'node:crypto';
import { mkdir, readFile as fileOf, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'puppeteer';
import { Budget } from '#server/reading/readers/limits.ts';
import { readFile } from '#server/reading/readers/read.ts';
import { withScans } from '#server/reading/readers/scanned.ts';
import type { PageText, ScannedPage } from '#server/reading/readers/contract.ts';
import { openNetworks } from '#server/reading/ocr/engines.ts';
import { openPages } from '#server/reading/ocr/picture.ts';
import type { Engines } from '#server/reading/ocr/read-page.ts';
import { readRaster } from '#server/reading/ocr/read-page.ts';
import { openTesseract } from '#server/reading/ocr/tesseract.ts';
import { recognise } from '#server/recognition/recognise.ts';
import { openBrowser } from '#server/testing/browser.ts';
import type { Figure } from './measure.ts';
import { copied } from './third-papers/copied.ts';
import { thirdPapers } from './third-papers/papers.ts';
import { unseenPapers } from './unseen/all.ts';
import { photographed, scanned } from './unseen/degrade.ts';
import type { Paper } from './unseen/paper.ts';
import { Dice } from './unseen/random.ts';
import { Score } from './unseen/score.ts';

/** BENCH_PAPERS is the number of papers per layout, BENCH_SEED the generator's seed, BENCH_SCANS the number of pages tested as scans and as photos; BENCH_SHOW=1 prints each misread paper. */
const EACH = Number(process.env.BENCH_PAPERS ?? 2);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const SCANS = Number(process.env.BENCH_SCANS ?? 40);
const SETS = (process.env.BENCH_SET ?? 'digital,scans,photos').split(',');
/** Where what was read of scans is kept, since reading one takes seconds and a rule is tried in milliseconds. */
const CACHE = process.env.BENCH_CACHE;
const SHOW = process.env.BENCH_SHOW !== undefined;

interface Printed {
  paper: Paper;
  pdf: Buffer;
  /** Three words that stand together, of up to twelve places. */
  phrases: string[];
}

export async function print(browser: Browser, papers: readonly Paper[]): Promise<Printed[]> {
  const page = await browser.newPage();
  const printed: Printed[] = [];
  for (const paper of papers) {
    await page.setContent(paper.html);
    await page.evaluate('document.fonts.ready');
    const texts = (await page.evaluate(
      `[...document.querySelectorAll('p,td,th,h1,h2,h3,b')].filter((one) => one.children.length === 0).map((one) => one.textContent)`,
    )) as string[];
    const dice = new Dice(paper.html.length);
    // Words that are cut by the margin of a column are still words of a line.
    const several = texts
      .map((text) => text.trim().split(/\s+/))
      .filter((words) => words.length >= 3 && words.length < 9);
    const phrases = Array.from({ length: Math.min(12, several.length) }, () =>
      dice.pick(several).slice(0, 3).join(' '),
    );
    const [width, height] = paper.size.split(' ');
    const size = height ? { width: width!, height } : { format: 'A4' as const };
    printed.push({ paper, phrases, pdf: Buffer.from(await page.pdf({ ...size, printBackground: true })) });
  }
  await page.close();
  return printed;
}

let engines: Promise<Engines> | undefined;

async function asScanned(bytes: Buffer, fileType: string, count: number): Promise<ScannedPage[]> {
  const open = await (engines ??= Promise.all([openNetworks(), openTesseract()]).then(
    ([networks, tesseract]) => ({ networks, tesseract }),
  ));
  const pages = await openPages(bytes, fileType, '');
  const read: ScannedPage[] = [];
  for (let page = 1; page <= count; page += 1) {
    const { raster, unit } = await pages.picture(page, 3300);
    const { text, boxes, sure, seen } = await readRaster(open, raster);
    read.push({ page, text, boxes: boxes.map((length) => Math.round(length * unit)), sure, seen });
  }
  pages.close();
  return read;
}

type Made = { bytes: Buffer; fileType: string };

async function textOf(
  make: () => Promise<Made>,
  scan: boolean,
): Promise<{ pages: PageText[]; fileType: string }> {
  const { bytes, fileType } = await make();
  const budget = new Budget(false);
  const file = await readFile(bytes, fileType, budget);
  if (!scan) return { pages: file.pages, fileType };
  return { pages: withScans(file, await asScanned(bytes, fileType, file.count), budget).pages, fileType };
}

/** The text as the server would read it, scans included. */
async function read(key: string, make: () => Promise<Made>, scan: boolean): ReturnType<typeof textOf> {
  if (!CACHE || !scan) return textOf(make, scan);
  const file = join(CACHE, `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.json`);
  const cached = await fileOf(file, 'utf8').catch(() => null);
  if (cached !== null) return JSON.parse(cached);
  const text = await textOf(make, scan);
  await mkdir(CACHE, { recursive: true });
  await writeFile(file, JSON.stringify(text));
  return text;
}

function measure(
  score: Score,
  { paper, phrases }: Printed,
  { pages, fileType }: { pages: PageText[]; fileType: string },
): void {
  const faults = score.add(paper, recognise(pages, { fileType }), pages, phrases);
  if (SHOW && faults.length > 0) console.error(`${paper.type} [${paper.layout}]: ${faults.join('; ')}`);
}

/** Every so many, so that the sample has some of all kinds. */
function sample(printed: readonly Printed[], seed: number): Printed[] {
  const dice = new Dice(seed);
  const wanted = printed.filter(({ paper }) => paper.type !== null && !paper.altered);
  const mixed = wanted.map((item) => ({ item, key: dice.next() })).toSorted((a, b) => a.key - b.key);
  return mixed.slice(0, SCANS).map(({ item }) => item);
}

/** Measures the accuracy of recognition on papers whose generator was written without knowledge of the rules, or on those of the third generator. */
export async function recognisingUnseen(isThird = false): Promise<Figure[]> {
  const browser = await openBrowser();
  const papers = isThird ? thirdPapers(SEED, EACH) : unseenPapers(SEED, EACH);
  const printed = await print(browser, papers).finally(() => browser.close());
  const figures: Figure[] = [];
  for (const set of SETS) {
    const score = new Score();
    const chosen =
      set === 'digital'
        ? printed
        : sample(set === 'scans' ? printed : printed.filter(({ paper }) => paper.rows === null), SEED);
    for (const [index, paper] of chosen.entries()) {
      const dice = new Dice(SEED * 7919 + index);
      const make = async (): Promise<Made> => {
        if (set === 'digital') return { bytes: paper.pdf, fileType: 'pdf' };
        if (set === 'scans')
          return { bytes: await (isThird ? copied : scanned)(paper.pdf, dice), fileType: 'pdf' };
        return { bytes: await photographed(paper.pdf, dice), fileType: 'jpg' };
      };
      measure(score, paper, await read(`${set} ${index} ${paper.paper.html}`, make, set !== 'digital'));
    }
    figures.push(...score.figures(`${isThird ? 'third' : 'unseen'}, ${set}`));
    if (SHOW)
      for (const [type, of] of score.byType)
        console.error(`${set} ${type}: F1 ${of.f1.toFixed(3)} (${of.missed} missed, ${of.wrong} wrong)`);
  }
  return figures;
}
