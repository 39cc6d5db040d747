import type { Draft } from './unsaved.ts';
import { drafts } from './unsaved.ts';

// The browser asks with its own words.
function askBeforeUnload(event: BeforeUnloadEvent): void {
  if (drafts.size > 0) event.preventDefault();
}

export const draftOf = (key: string): Draft | undefined => drafts.get(key);

/** Keeps a draft until it is saved or cancelled; a reload and closing the tab, which lose it, ask first. */
export function keepDraft(key: string, draft: Draft): void {
  drafts.set(key, draft);
  addEventListener('beforeunload', askBeforeUnload);
}

export function dropDraft(key: string): void {
  drafts.delete(key);
  if (drafts.size === 0) removeEventListener('beforeunload', askBeforeUnload);
}

/** The key of the draft of a document's value, the same in the details, beside the preview and in Review. */
export const valueDraft = (itemId: number, fieldId: string): string => `value ${itemId} ${fieldId}`;
