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

/**
 * Until the next click, lets the pointer reach only the element that is set as `aim.at`, or the button, link or row that it is
 * a part of. A browser is told a position, and what is drawn meanwhile, such as the next section of a panel, may have moved the
 * element away from it: what lands elsewhere is stopped, and described in `aim.missed`.
 */
const AIM = `if (window.aim) Object.assign(aim, { at: undefined, missed: undefined, events: 0 });
else {
  window.aim = { at: undefined, missed: undefined, events: 0 };
  const whole = 'button, a, label, summary, tr, [data-id], [role]:not([role*=dialog], [role=region], [role*=cell])';
  const look = (event) => {
    if (!aim.at || !event.isTrusted) return;
    const parts = [aim.at.closest(whole) ?? aim.at, ...(aim.at.labels ?? [])];
    aim.events += 1;
    if (aim.events === 1 && !parts.some((part) => part.contains(event.target)))
      aim.missed = event.target.outerHTML?.slice(0, 200) ?? 'the page';
    if (aim.missed === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'])
    addEventListener(type, look, true);
}`;

/** What the last click reached instead of its element, if so; ends its aim. */
const MISSED = 'window.aim ? ((aim.at = undefined), aim.missed) : undefined';

type ClickOptions = Parameters<Locator<unknown>['click']>[0];

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
  const { aim } = globalThis as { aim?: { at?: SeenElement } };
  if (aim) aim.at = element;
  return true;
};

/** Calls `click` until the pointer has reached its element. */
async function clickExactly(page: Page, click: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + page.getDefaultTimeout(); ; await wait(20)) {
    // The page may navigate meanwhile, and then has no aim.
    await page.evaluate(AIM).catch(() => undefined);
    await click();
    // The click may have opened a dialog of the browser itself, which blocks all scripts.
    const missed = await Promise.race([
      page.evaluate(MISSED).catch(() => undefined) as Promise<string | undefined>,
      wait(2000, undefined, { ref: false }),
    ]);
    if (missed === undefined) return;
    if (Date.now() > end) throw new Error(`The click reached something else: ${missed}`);
  }
}

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
  slow(page, ['focus', 'select', 'tap', 'type']);
  const clickAtOnce = page.click.bind(page);
  const click: typeof clickAtOnce = (selector, options) =>
    // Without scripts nothing moves, and no condition can be looked at.
    page.isJavaScriptEnabled() ? page.locator(selector).click(options) : clickAtOnce(selector, options);
  const find = page.locator.bind(page) as (selector: string) => Locator<unknown>;
  const locator = (selector: string) => {
    // The locator's own way into the viewport would wait until the timeout for an element that is replaced meanwhile.
    const found = find(selector).setEnsureElementIsInTheViewport(false).filter(isActive);
    const click = found.click.bind(found);
    Object.assign(found, { click: (options?: ClickOptions) => clickExactly(page, () => click(options)) });
    // The element may be on the next page.
    return slow(found, ['click', 'fill'], () => found.wait());
  };
  Object.assign(page, { locator, click });
}
