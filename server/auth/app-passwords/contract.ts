import * as v from 'valibot';
import { fieldRules } from '../contract.ts';

export const APP_NAME_MAX = 60;
/** App passwords that one person may have. */
export const APP_PASSWORDS_MOST = 25;

const NAME = 'Say where it is used, such as "Explorer on office PC"';
const FOLDER = 'Choose a folder';

/** What is asked to be made, with the account's own password as the proof. */
export const newAppPassword = v.object({
  name: v.pipe(
    v.string(NAME),
    v.transform((text) => text.normalize('NFC').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')),
    v.trim(),
    v.nonEmpty(NAME),
    v.maxLength(APP_NAME_MAX, `A name can have at most ${APP_NAME_MAX} characters.`),
  ),
  read_only: v.optional(v.boolean(), false),
  /** The only folder that it opens; null for all that the person sees. */
  folder_id: v.optional(v.nullable(v.pipe(v.number(FOLDER), v.integer(FOLDER), v.minValue(1, FOLDER))), null),
  current_password: fieldRules.current_password,
});
export type NewAppPassword = v.InferOutput<typeof newAppPassword>;

/** An app password as its owner sees it; what it is was shown once. */
export interface AppPasswordView {
  id: number;
  name: string;
  read_only: boolean;
  folder_id: number | null;
  /** Null for the whole vault, and for a folder that is not there at the moment, such as one in Trash. */
  folder_name: string | null;
  /** ISO 8601, UTC; the second is null before the first use. */
  created_at: string;
  last_used_at: string | null;
  /** From where it was used last, in words. */
  last_place: string | null;
}
