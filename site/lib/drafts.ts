import type { Draft } from './unsaved.ts';
import { drafts } from './unsaved.ts';

export const draftOf = (key: string): Draft | undefined => drafts.get(key);

/** Keeps a draft until it is saved or cancelled. */
export function keepDraft(key: string, draft: Draft): void {
  drafts.set(key, draft);
}

export function dropDraft(key: string): void {
  drafts.delete(key);
}

/** The key of the draft of a document's value, the same in the details, beside the preview and in Review. */
export const valueDraft = (itemId: number, fieldId: string): string => `value ${itemId} ${fieldId}`;
