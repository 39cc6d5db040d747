import * as v from 'valibot';
import { typedLines } from '#server/text/typed.ts';

/** Characters. */
export const NOTE_MAX = 1000;
/** Notes per item. */
export const NOTES_MAX = 200;

/** A note that a user of the firm has written about an item. */
export interface NoteView {
  id: number;
  text: string;
  user_id: number;
  user_name: string;
  /** ISO 8601, UTC, like `edited_at`. */
  created_at: string;
  /** Null when the note was never edited. */
  edited_at: string | null;
  may_edit: boolean;
  may_delete: boolean;
}

const EMPTY = 'Write a note first';
export const noteInput = v.object({
  text: v.pipe(
    v.string(EMPTY),
    v.transform(typedLines),
    v.nonEmpty(EMPTY),
    v.maxLength(NOTE_MAX, 'A note can have at most 1,000 characters'),
  ),
});
export type NoteInput = v.InferOutput<typeof noteInput>;

/** The body of `PATCH /api/notes/:id`. */
export const noteChange = v.object({
  ...noteInput.entries,
  /** The text before the user changed it; without it, nothing is compared. */
  seen: v.optional(v.string('Give the text that you have seen')),
});
export type NoteChange = v.InferOutput<typeof noteChange>;
