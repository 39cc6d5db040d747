import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Half faded in or out, every text has too little contrast. */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    const ending = () =>
      document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
    // What was put in just now begins to move a moment later.
    do {
      await Promise.all(ending().map((one) => one.finished.catch(() => undefined)));
      await new Promise((resolve) => setTimeout(resolve, 40));
    } while (ending().length > 0);
  });

/** Looks at the page; null when something began to move meanwhile, as a toast whose time is over. */
const axeScript = (options: object) => `(async () => {
  let moved = false;
  const note = () => { moved = true; };
  for (const type of ['transitionrun', 'animationstart']) document.addEventListener(type, note);
  const { violations } = await axe.run(document, ${JSON.stringify(options)});
  for (const type of ['transitionrun', 'animationstart']) document.removeEventListener(type, note);
  // Of what began while axe kept the page busy the events are told later.
  moved ||= document.getAnimations().some((one) => one.effect?.getTiming().iterations !== Infinity);
  return moved ? null : violations;
})()`;

/** What one theme can have and the other not. */
const COLOUR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
const ALL_RULES = { resultTypes: ['violations'] };

async function runAxe(page: Page, options: object): Promise<string[]> {
  let found: Violation[] | null = null;
  for (let tries = 0; !found && tries < 10; tries += 1) {
    await waitForAnimations(page);
    found = (await page.evaluate(axeScript(options))) as Violation[] | null;
  }
  if (!found) return ['The page never comes to rest.'];
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  );
}

/**
 * What axe finds wrong with the page as it stands, one line each; an empty list is a pass. Its colours are looked at in
 * both themes.
 */
export async function violations(page: Page): Promise<string[]> {
  // Through the debugger, past the page's own policy, which lets no foreign script in.
  await page.evaluate(source);
  const found = await runAxe(page, ALL_RULES);
  const painted = await setTheme(page);
  const other = await runAxe(page, COLOUR_RULES);
  await setTheme(page, painted);
  return [...found, ...other.map((line) => `in the other theme: ${line}`)];
}

export type Theme = 'light' | 'dark';

/** Paints the page that is open in this theme, or else in the one that it is not painted in. @returns which it had. */
const setTheme = (page: Page, theme?: Theme): Promise<Theme> =>
  page.evaluate((wanted) => {
    const { dataset } = document.documentElement;
    const before = dataset.theme as 'light' | 'dark';
    dataset.theme = wanted ?? (before === 'dark' ? 'light' : 'dark');
    return before;
  }, theme);

/** Has every page load from now on painted in this theme. */
export async function preferTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluateOnNewDocument(`try { localStorage.setItem('vite-ui-theme', '${theme}') } catch {}`);
}
