import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'puppeteer';

/** Whether React has hydrated every island; before that the page is only the server's HTML. */
export const HYDRATED = `[...document.querySelectorAll('astro-island')].every((island) => {
  if (island.hasAttribute('ssr')) return false;
  const root = Object.keys(island).find((key) => key.startsWith('__reactContainer$'));
  return !root || island[root].stateNode.current.memoizedState?.isDehydrated !== true;
})`;

/** A page with a broken island never becomes ready; it is used after this time anyway. */
const MAX_WAIT_MS = 5000;

/**
 * Ready: every island is hydrated, the topmost dialog or menu has the focus, and the effects of the last render
 * have run (such as the Esc listener, the focus of the first field, or the focus restored by a closed dialog).
 */
const IS_READY = `new Promise((resolve) => {
  const end = performance.now() + ${MAX_WAIT_MS};
  const held = () => {
    const top = [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')].at(-1);
    return !top || top.contains(document.activeElement);
  };
  const look = () => ((${HYDRATED}) && held()) || performance.now() > end ? resolve() : setTimeout(settle, 20);
  // A background tab draws no frames.
  const drawn = () => Promise.race([new Promise(requestAnimationFrame), new Promise((next) => setTimeout(next, 100))]);
  const settle = () => drawn().then(() => requestIdleCallback(look, { timeout: 100 }));
  settle();
})`;

interface SeenElement {
  isConnected: boolean;
  closest(selector: string): unknown;
  checkVisibility(): boolean;
  scrollIntoViewIfNeeded(): void;
}

/**
 * Whether a click on the element, which may be the text in a button, has an effect; scrolls to it. A user does not click what
 * is grey, or shows that it is busy. What was replaced counts as well: the act fails, and the locator looks again.
 */
const isActive = (found: unknown): boolean => {
  const element = found as SeenElement;
  if (!element.isConnected) return true;
  if (element.closest(':disabled, [aria-disabled=true]') || !element.checkVisibility()) return false;
  element.scrollIntoViewIfNeeded();
  return true;
};

/** Resolves when a key or a click would reach what a user sees. */
export async function pageReady(page: Page): Promise<void> {
  // Without scripts there are no effects and no idle callbacks.
  while (page.isJavaScriptEnabled() && !page.isClosed()) {
    const isReady = page.evaluate(IS_READY).then(
      () => true,
      // The page is navigating.
      () => wait(20, false),
    );
    // A dialog of the browser itself blocks all scripts.
    if (await Promise.race([isReady, wait(2 * MAX_WAIT_MS, true, { ref: false })])) return;
  }
}

/**
 * Makes each key, click and text input wait for `pageReady`, and a click also until it has an effect: tests act within
 * a millisecond of a render, which no user does.
 */
export function actWhenReady(page: Page): void {
  let moving = false;
  function slow<Tool extends object>(
    tool: Tool,
    names: readonly (keyof Tool)[],
    first?: (selector: string) => Promise<unknown>,
  ) {
    for (const name of names) {
      const act = (tool[name] as (...given: unknown[]) => Promise<unknown>).bind(tool);
      const slowly = async (...given: unknown[]) => {
        // Typing a text presses keys by these same functions.
        if (moving) return act(...given);
        await first?.(String(given[0]));
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
  slow(page, ['focus', 'select', 'type']);
  slow(page, ['click', 'tap'], async (selector) => {
    const element = page.isJavaScriptEnabled() && (await page.$(selector));
    // The page may navigate meanwhile.
    if (element) await page.waitForFunction(isActive, {}, element).catch(() => undefined);
  });
  const find = page.locator.bind(page) as (selector: string) => Locator<unknown>;
  const locator = (selector: string) => {
    // The locator's own way into the viewport would wait until the timeout for an element that is replaced meanwhile.
    const found = find(selector).setEnsureElementIsInTheViewport(false).filter(isActive);
    // The element may be on the next page.
    return slow(found, ['click', 'fill'], () => found.wait());
  };
  Object.assign(page, { locator });
}
