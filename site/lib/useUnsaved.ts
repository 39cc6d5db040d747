import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { navigate } from 'astro:transitions/client';
import { useEffect } from 'react';
import * as common from '#messages/common.ts';
import { holdTraversal } from './browserHistory.ts';
import { confirmDiscard } from './confirm.ts';

/** The forms and dialogs of the page that hold something typed and not saved. */
const holders = new Set<object>();
let end: (() => void) | null = null;

/** Ends the watch, as soon as nothing is held. */
function release(): void {
  if (holders.size > 0) return;
  end?.();
  end = null;
}

async function mayLeave(): Promise<boolean> {
  if (!(await confirmDiscard(common.notSaved))) return false;
  holders.clear();
  release();
  return true;
}

async function leaveFor(href: string): Promise<void> {
  if (await mayLeave()) await navigate(href);
}

/** Asks before Back, a link, a reload or closing the tab. @returns a function that ends it. */
function watch(): () => void {
  // The browser asks with its own words.
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  const onPreparation = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    if (preparation.navigationType === 'traverse') return;
    event.stopImmediatePropagation();
    // A loader that never resolves suspends the navigation; the next one drops it.
    preparation.loader = () => new Promise(() => {});
    void leaveFor(preparation.to.href);
  };
  addEventListener('beforeunload', onUnload);
  document.addEventListener('astro:before-preparation', onPreparation, { capture: true });
  const endTraversal = holdTraversal(mayLeave);
  return () => {
    removeEventListener('beforeunload', onUnload);
    document.removeEventListener('astro:before-preparation', onPreparation, { capture: true });
    endTraversal();
  };
}

/** Asks before the page is left by any way while something typed is not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const holder = {};
    holders.add(holder);
    end ??= watch();
    return () => {
      holders.delete(holder);
      release();
    };
  }, [isUnsaved]);
}
