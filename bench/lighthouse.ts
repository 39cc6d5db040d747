import lighthouse from 'lighthouse';
import { openBrowser } from '../server/testing/browser.ts';
import type { Figure } from './measure.ts';
import { fixed, median } from './measure.ts';
import { scratchFolder, startServer } from './server.ts';

const RUNS = 3;
const WANTED = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
/** KB, compressed. */
const SCRIPT_MAX = 40;

interface Request {
  url: string;
  transferSize: number;
  resourceType?: string;
}

/** Measures the landing page in Chromium with Lighthouse's mobile profile: a mid-range phone on slow 4G. */
export async function landing(): Promise<Figure[]> {
  const server = await startServer(await scratchFolder());
  const browser = await openBrowser();
  const scores: Record<string, number[]> = {};
  let requests: Request[] = [];
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const port = Number(new URL(browser.wsEndpoint()).port);
      const result = await lighthouse(server.url, { port, output: 'json', logLevel: 'error' });
      if (!result) throw new Error('Lighthouse gave no result.');
      for (const [name, { score }] of Object.entries(result.lhr.categories)) {
        (scores[name] ??= []).push(Math.round((score ?? 0) * 100));
      }
      for (const { id, score, title, scoreDisplayMode } of Object.values(result.lhr.audits)) {
        if (run === 0 && scoreDisplayMode === 'binary' && score === 0) console.error(`  ${id}: ${title}`);
      }
      const details = result.lhr.audits['network-requests']?.details as { items?: Request[] } | undefined;
      requests = details?.items ?? [];
    }
  } finally {
    await browser.close();
    await server.remove();
  }
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script');
  const kilobytes = scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024;
  const foreign = requests.filter(({ url }) => /^https?:/.test(url) && new URL(url).origin !== server.url);
  return [
    ...Object.entries(WANTED).map(([name, least]) => {
      const score = median(scores[name] ?? []);
      return {
        name: `landing page, Lighthouse ${name}`,
        value: String(score),
        target: { text: `at least ${least}`, reached: score >= least },
      };
    }),
    {
      name: 'landing page, JavaScript',
      value: `${fixed(kilobytes)} KB`,
      target: { text: `at most ${SCRIPT_MAX} KB`, reached: kilobytes <= SCRIPT_MAX },
    },
    {
      name: 'landing page, requests to other hosts',
      value: String(foreign.length),
      target: { text: 'none', reached: foreign.length === 0 },
    },
  ];
}
