import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** What axe finds wrong with the page as it stands, one line each; an empty list is a pass. */
export async function violations(page: Page): Promise<string[]> {
  // Half faded in, every text has too little contrast.
  await page.evaluate(async () => {
    const ending = () =>
      document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
    // What was put in just now begins to move a moment later.
    do {
      await Promise.all(ending().map((one) => one.finished.catch(() => undefined)));
      await new Promise((resolve) => setTimeout(resolve, 40));
    } while (ending().length > 0);
  });
  // Through the debugger, past the page's own policy, which lets no foreign script in.
  await page.evaluate(source);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as Found;
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  );
}

export type Theme = 'light' | 'dark';

/** Has every page load from now on painted in this theme. */
export async function prefer(page: Page, theme: Theme): Promise<void> {
  await page.evaluateOnNewDocument(`try { localStorage.setItem('vite-ui-theme', '${theme}') } catch {}`);
}
