import { openBrowser } from '#server/testing/browser.ts';
import { readFile } from '#server/reading/readers/read.ts';
import { Budget } from '#server/reading/readers/limits.ts';
import { recognise } from '#server/recognition/recognise.ts';
import type { Figure } from './measure.ts';
import type { LaidOut } from './papers/all.ts';
import { papers } from './papers/all.ts';
import { Score } from './papers/score.ts';

/** BENCH_PAPERS is the number of papers per type and BENCH_SEED the generator's seed; BENCH_SHOW=1 prints each misread paper. */
const EACH = Number(process.env.BENCH_PAPERS ?? 6);
const SEED = Number(process.env.BENCH_SEED ?? 1);

/** Makes a PDF of each paper and reads it as the server would. */
async function score(all: readonly LaidOut[], show: boolean): Promise<Score> {
  const made = new Score();
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    for (const paper of all) {
      await page.setContent(paper.html);
      const bytes = Buffer.from(await page.pdf({ format: 'A4', preferCSSPageSize: true }));
      const { pages } = await readFile(bytes, 'pdf', new Budget(false));
      const wrong = made.add(paper, recognise(pages, { fileType: 'pdf' }));
      if (show && wrong.length > 0) console.error(`${paper.type}: ${wrong.join('; ')}`);
    }
  } finally {
    await browser.close();
  }
  return made;
}

/** Measures the accuracy of recognition, for layouts that the rules were tuned on and for held-out ones. */
export async function recognising(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const sets = process.env.BENCH_SET ? [process.env.BENCH_SET] : ['tuned', 'held'];
  for (const set of sets) {
    const held = set === 'held';
    // What is wrong with a held-out paper is not to be seen by who writes rules.
    const done = await score(papers(SEED, EACH, held), process.env.BENCH_SHOW !== undefined && !held);
    figures.push(...done.figures(held ? 'held out' : 'tuned'));
  }
  return figures;
}
