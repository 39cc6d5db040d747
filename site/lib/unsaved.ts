import { atom } from 'nanostores';

/** The forms and dialogs of the page that hold something typed and not saved; see `useUnsaved`. */
export const unsaved = new Set<object>();

/** A text that was typed and not saved. */
export interface Draft {
  text: string;
  /** What was saved when the typing began; null for nothing. */
  seen: string | null;
  /** The note that was typed: its id, null for a new one, and the item that it is about. */
  note?: { id: number | null; item: { id: number; name: string } };
  /** The value that was typed: its name, and its document. */
  value?: { name: string; item: { id: number; name: string } };
}

/** Drafts that stay while other rows and screens are looked at; see `drafts.ts`. */
export const $drafts = atom<ReadonlyMap<string, Draft>>(new Map());

/** The page is left without a question: nothing can be saved any more, and nobody may go on reading. */
export function leaveUnsaved(): void {
  unsaved.clear();
  $drafts.set(new Map());
}
