import { atom } from 'nanostores';

/** Ids of the files at which one has looked since the page was loaded: lists that are shown already call them new. */
export const $viewedFiles = atom<ReadonlySet<number>>(new Set());

export function markViewed(id: number): void {
  if (!$viewedFiles.get().has(id)) $viewedFiles.set(new Set([...$viewedFiles.get(), id]));
}
