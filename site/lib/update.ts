import { atom } from 'nanostores';
import { BUILD } from './build.ts';

/** Why the page should be reloaded: a newer version, a chunk that failed to load, or an island that crashed. */
export type Outdated = 'update' | 'load' | 'fault';

/** The reason that the notice shows; null without one. */
export const $outdated = atom<Outdated | null>(null);

/** Minimum milliseconds between two version checks. */
const CHECK_INTERVAL_MS = 300_000;

let checkedAt = 0;

/** The build id of the running server; null if it is unknown. */
const fetchServerBuild = (): Promise<string | null> =>
  fetch('/build.txt', { cache: 'no-store' }).then(
    async (response) => (response.ok ? (await response.text()).trim() : null),
    () => null,
  );

async function checkVersion(): Promise<void> {
  checkedAt = Date.now();
  const build = await fetchServerBuild();
  if (build !== null && build !== BUILD) $outdated.set('update');
}

/** Reports a chunk that failed to load or an island that crashed. An update is the likeliest cause, so check the version. */
export function reportPartFailure(reason: 'load' | 'fault'): void {
  if ($outdated.get() === null) $outdated.set(reason);
  void checkVersion();
}

const LOAD_ERROR = /dynamically imported module|module script failed|preload CSS|error loading/i;
export const isLoadFailure = (error: unknown): boolean =>
  error instanceof Error && LOAD_ERROR.test(error.message);

/** Checks for a newer version when the tab becomes visible. @returns a function that stops it. */
export function watchVersion(): () => void {
  checkedAt = Date.now();
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible' && Date.now() - checkedAt > CHECK_INTERVAL_MS)
      void checkVersion();
  };
  const onLoadError = () => reportPartFailure('load');
  document.addEventListener('visibilitychange', onVisibilityChange);
  addEventListener('vite:preloadError', onLoadError);
  addEventListener('astro:hydration-error', onLoadError);
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange);
    removeEventListener('vite:preloadError', onLoadError);
    removeEventListener('astro:hydration-error', onLoadError);
  };
}

/** Whether a fetched page comes from another build, whose islands must not run beside those of this page. */
export const isOtherVersion = (page: Document): boolean => {
  const build = page.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;
  return build !== undefined && build !== BUILD;
};
