import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

/** Milliseconds before the second try, which bridges a short network interruption. */
const RETRY_DELAY_MS = 800;

/** Runs a dynamic import with one retry. A chunk that still fails was most likely removed by an update. */
export const importWithRetry = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    return load();
  });

/** React's `lazy` with one retry; needs an error boundary around it. */
export const lazyWithRetry = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => importWithRetry(load));

/** Milliseconds before rarely used chunks are preloaded, so that they work when the server is unreachable or updated. */
const PRELOAD_DELAY_MS = 2000;

/** Preloads chunks a while after the page has loaded. @returns a function that cancels the timer. */
export function preload(...imports: (() => Promise<unknown>)[]): () => void {
  const timer = setTimeout(() => {
    // Offline, a failed preload would report a missing chunk that nobody needs yet.
    if (navigator.onLine) void Promise.allSettled(imports.map((load) => load()));
  }, PRELOAD_DELAY_MS);
  return () => clearTimeout(timer);
}
