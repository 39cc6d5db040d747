import { atom } from 'nanostores';
import { BUILD } from './build.ts';

/** Why the page should be loaded again: there is a newer version, a part of it did not load, or a part has failed. */
export type Outdated = 'update' | 'load' | 'fault';

/** What the notice says; null while all is well. */
export const $outdated = atom<Outdated | null>(null);

/** Milliseconds between two looks at the server's version. */
const LOOK_EVERY = 300_000;

let looked = 0;

/** The version that the server runs now; null when it cannot be told. */
const serverBuild = (): Promise<string | null> =>
  fetch('/build.txt', { cache: 'no-store' }).then(
    async (response) => (response.ok ? (await response.text()).trim() : null),
    () => null,
  );

async function look(): Promise<void> {
  looked = Date.now();
  const build = await serverBuild();
  if (build !== null && build !== BUILD) $outdated.set('update');
}

/** A part did not load or has failed. What does not load has most likely gone with an older version: that is looked up. */
export function reportPartFailure(why: 'load' | 'fault'): void {
  if ($outdated.get() === null) $outdated.set(why);
  void look();
}

const LOADS = /dynamically imported module|module script failed|preload CSS|error loading/i;
export const isLoadFailure = (error: unknown): boolean => error instanceof Error && LOADS.test(error.message);

/** Looks for a newer version when somebody comes back to the tab. @returns what ends it. */
export function watchVersion(): () => void {
  looked = Date.now();
  const back = () => {
    if (document.visibilityState === 'visible' && Date.now() - looked > LOOK_EVERY) void look();
  };
  const failed = () => reportPartFailure('load');
  document.addEventListener('visibilitychange', back);
  addEventListener('vite:preloadError', failed);
  addEventListener('astro:hydration-error', failed);
  return () => {
    document.removeEventListener('visibilitychange', back);
    removeEventListener('vite:preloadError', failed);
    removeEventListener('astro:hydration-error', failed);
  };
}

/** Whether a page that was just fetched comes from another version: its islands must not meet those of this page. */
export const isOtherVersion = (page: Document): boolean => {
  const build = page.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  return build !== undefined && build !== BUILD;
};
