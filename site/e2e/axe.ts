import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer';

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** While it fades in or out, any text has too little contrast. */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    const running = () =>
      document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity);
    // The animation of an element that was just added starts a moment later.
    do {
      await Promise.all(running().map((animation) => animation.finished.catch(() => undefined)));
      await new Promise((resolve) => setTimeout(resolve, 40));
    } while (running().length > 0);
  });

/** Runs axe on the page; null if an animation began meanwhile, such as that of a toast that goes. */
const axeScript = (options: object) => `(async () => {
  let moved = false;
  const note = () => { moved = true; };
  for (const type of ['transitionrun', 'animationstart']) document.addEventListener(type, note);
  const { violations } = await axe.run(document, ${JSON.stringify(options)});
  for (const type of ['transitionrun', 'animationstart']) document.removeEventListener(type, note);
  // Events of animations that began while axe kept the page busy arrive only later.
  moved ||= document.getAnimations().some((one) => one.effect?.getTiming().iterations !== Infinity);
  return moved ? null : violations;
})()`;

/** The rules whose result differs between the themes. */
const COLOUR_RULES = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
const ALL_RULES = { resultTypes: ['violations'] };

async function runAxe(page: Page, options: object): Promise<string[]> {
  let violated: Violation[] | null = null;
  for (let tries = 0; !violated && tries < 10; tries += 1) {
    await waitForAnimations(page);
    violated = (await page.evaluate(axeScript(options))) as Violation[] | null;
  }
  if (!violated) return ['The page never comes to rest.'];
  return violated.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  );
}

/** The faults that axe finds in the page as it is now, one line each; colours are checked in both themes. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated through the debugger, since the content security policy of the page allows no such script.
  await page.evaluate(source);
  const faults = await runAxe(page, ALL_RULES);
  const theme = await setTheme(page);
  const otherTheme = await runAxe(page, COLOUR_RULES);
  await setTheme(page, theme);
  return [...faults, ...otherTheme.map((line) => `in the other theme: ${line}`)];
}

export type Theme = 'light' | 'dark';

/** Sets the theme of the open page; without one, switches to the other theme. @returns the theme before. */
const setTheme = (page: Page, theme?: Theme): Promise<Theme> =>
  page.evaluate((wanted) => {
    const { dataset } = document.documentElement;
    const before = dataset.theme as 'light' | 'dark';
    dataset.theme = wanted ?? (before === 'dark' ? 'light' : 'dark');
    return before;
  }, theme);

/** Every page loaded from now on has this theme. */
export async function preferTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluateOnNewDocument(`try { localStorage.setItem('vite-ui-theme', '${theme}') } catch {}`);
}
