import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { navigate } from 'astro:transitions/client';
import { useEffect } from 'react';
import * as common from '#messages/common.ts';
import { holdTraversal } from './browserHistory.ts';
import { confirmDiscard } from './confirm.ts';
import { unsaved } from './unsaved.ts';

let end: (() => void) | null = null;

/** Ends the watch, as soon as nothing is held. */
function release(): void {
  if (unsaved.size > 0) return;
  end?.();
  end = null;
}

async function mayLeave(): Promise<boolean> {
  if (!(await confirmDiscard(common.notSaved))) return false;
  unsaved.clear();
  release();
  return true;
}

/** By then a dialog is closed that was saved just now, and that leads to what it made. */
const CLOSED_MS = 50;

async function leaveFor(href: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, CLOSED_MS));
  if (unsaved.size > 0 && !(await mayLeave())) return;
  // Or this navigation would be held as well.
  release();
  await navigate(href);
}

/** Asks before Back, a link, a reload or closing the tab. @returns a function that ends it. */
function watch(): () => void {
  // The browser asks with its own words.
  const onUnload = (event: BeforeUnloadEvent) => {
    if (unsaved.size > 0) event.preventDefault();
  };
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
    unsaved.add(holder);
    end ??= watch();
    return () => {
      unsaved.delete(holder);
      release();
    };
  }, [isUnsaved]);
}
