import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

/** Milliseconds: a line that was away for a moment is back then. */
const PAUSE = 800;

/** Loads a part of the script, with a second try. What does not load then has gone with an older version. */
export const importWithRetry = <Part>(load: () => Promise<Part>): Promise<Part> =>
  load().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    return load();
  });

/** `lazy` with a second try; put an ErrorBoundary round it. */
export const lazyWithRetry = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => importWithRetry(load));

/** Milliseconds until what is rarely needed is fetched, so that it is there when the server is not, or is a newer one. */
const AHEAD = 2000;

/** Fetches parts ahead of their use once the page has long been there. @returns what ends the wait. */
export function preload(...parts: (() => Promise<unknown>)[]): () => void {
  const timer = setTimeout(() => {
    // Nobody has asked for them yet, so without a network nothing has failed either.
    if (navigator.onLine) void Promise.allSettled(parts.map((load) => load()));
  }, AHEAD);
  return () => clearTimeout(timer);
}
