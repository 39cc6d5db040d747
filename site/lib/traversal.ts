import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';

/**
 * Hears of Back and Forward before the page router fetches a page for them. Where `show` says that it has shown the
 * address in place, the router is kept out: its new page never arrives, and what is on the screen stays.
 * @returns what ends it.
 */
export function followTraversal(show: (address: URL) => boolean): () => void {
  const listen = (event: Event) => {
    const preparation = event as TransitionBeforePreparationEvent;
    if (preparation.navigationType !== 'traverse' || !show(preparation.to)) return;
    // The router has no way to be told "done already"; the next navigation lets go of this promise.
    preparation.loader = () => new Promise(() => {});
  };
  document.addEventListener('astro:before-preparation', listen);
  return () => document.removeEventListener('astro:before-preparation', listen);
}
