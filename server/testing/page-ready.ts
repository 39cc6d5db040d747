import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'puppeteer';

/** Whether React listens in each island: until then the page is what the server drew. */
export const HYDRATED = `[...document.querySelectorAll('astro-island')].every((island) => {
  if (island.hasAttribute('ssr')) return false;
  const root = Object.keys(island).find((key) => key.startsWith('__reactContainer$'));
  return !root || island[root].stateNode.current.memoizedState?.isDehydrated !== true;
})`;

/** Milliseconds. A page of which a part is missing never listens, and is pressed all the same. */
const MAX_WAIT_MS = 5000;

/**
 * Until every island listens, what lies over the page has the keyboard, and what was drawn last has set up what comes
 * after drawing: listening for Esc, moving the cursor into the first field, giving it back where a dialog was closed.
 */
const IS_READY = `new Promise((resolve) => {
  const end = performance.now() + ${MAX_WAIT_MS};
  const held = () => {
    const top = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1);
    return !top || top.contains(document.activeElement);
  };
  const look = () => ((${HYDRATED}) && held()) || performance.now() > end ? resolve() : setTimeout(settle, 20);
  // A tab behind another draws no frames.
  const drawn = () => Promise.race([new Promise(requestAnimationFrame), new Promise((next) => setTimeout(next, 100))]);
  const settle = () => drawn().then(() => requestIdleCallback(look, { timeout: 100 }));
  settle();
})`;

/** Comes back when a key or a click would reach what a person sees. */
export async function pageReady(page: Page): Promise<void> {
  // Without scripts nothing is set up, and no idle moment is ever told.
  while (page.isJavaScriptEnabled() && !page.isClosed()) {
    const told = page.evaluate(IS_READY).then(
      () => true,
      // It is being left for another.
      () => wait(20, false),
    );
    // A question of the browser itself holds every script.
    if (await Promise.race([told, wait(2 * MAX_WAIT_MS, true, { ref: false })])) return;
  }
}

/**
 * Has each key, click and text wait for what `pageReady` does. Tests press within the same millisecond in which something
 * is drawn, which no hand does.
 */
export function actWhenReady(page: Page): void {
  let moving = false;
  function slow<Tool extends object>(
    tool: Tool,
    names: readonly (keyof Tool)[],
    first?: () => Promise<unknown>,
  ) {
    for (const name of names) {
      const act = (tool[name] as (...given: unknown[]) => Promise<unknown>).bind(tool);
      const slowly = async (...given: unknown[]) => {
        // A text is typed by pressing its letters, with these same functions.
        if (moving) return act(...given);
        await first?.();
        await pageReady(page);
        moving = true;
        return act(...given).finally(() => {
          moving = false;
        });
      };
      Object.assign(tool, { [name]: slowly });
    }
    return tool;
  }
  slow(page.keyboard, ['down', 'press', 'sendCharacter', 'type']);
  slow(page, ['click', 'focus', 'select', 'tap', 'type']);
  const find = page.locator.bind(page) as (selector: string) => Locator<unknown>;
  const locator = (selector: string) => {
    const found = find(selector);
    // It may come with another page.
    return slow(found, ['click', 'fill'], () => found.wait());
  };
  Object.assign(page, { locator });
}
