import { atom } from 'nanostores';

/** Ids of files viewed since the page was loaded, which loaded lists still show as new. */
export const $viewedFiles = atom<ReadonlySet<number>>(new Set());

export function markViewed(id: number): void {
  if (!$viewedFiles.get().has(id)) $viewedFiles.set(new Set([...$viewedFiles.get(), id]));
}
