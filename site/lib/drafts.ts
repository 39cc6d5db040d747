import type { Draft } from './unsaved.ts';
import { $drafts } from './unsaved.ts';

// The browser asks with its own words.
function askBeforeUnload(event: BeforeUnloadEvent): void {
  if ($drafts.get().size > 0) event.preventDefault();
}

export const draftOf = (key: string): Draft | undefined => $drafts.get().get(key);

/** Keeps a draft until it is saved or cancelled; a reload and closing the tab, which lose it, ask first. */
export function keepDraft(key: string, draft: Draft): void {
  $drafts.set(new Map($drafts.get()).set(key, draft));
  addEventListener('beforeunload', askBeforeUnload);
}

export function dropDraft(key: string): void {
  if (!$drafts.get().has(key)) return;
  $drafts.set(new Map([...$drafts.get()].filter(([other]) => other !== key)));
  if ($drafts.get().size === 0) removeEventListener('beforeunload', askBeforeUnload);
}

/** The key of the draft of a document's value, the same in the details, beside the preview and in Review. */
export const valueDraft = (itemId: number, fieldId: string): string => `value ${itemId} ${fieldId}`;

/** The key of the draft of a note on an item; `id` is null for a new one. */
export const noteDraft = (itemId: number, id: number | null): string => `note ${itemId} ${id ?? 'new'}`;
