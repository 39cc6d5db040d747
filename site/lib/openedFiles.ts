import { atom } from 'nanostores';

/** Ids of the files at which one has looked since the page was loaded: lists that are shown already call them new. */
export const $looked = atom<ReadonlySet<number>>(new Set());

export function haveLooked(id: number): void {
  if (!$looked.get().has(id)) $looked.set(new Set([...$looked.get(), id]));
}
