import * as v from 'valibot';
import { fieldRules } from '../contract.ts';
import { typedLine } from '#server/text/typed.ts';

export const APP_NAME_MAX = 60;
/** App passwords per user. */
export const MAX_APP_PASSWORDS = 25;

const NAME = 'Say where it is used, such as "Explorer on office PC"';
const FOLDER = 'Choose a folder';

/** A new app password. The account password proves that its owner creates it. */
export const newAppPassword = v.object({
  name: v.pipe(
    v.string(NAME),
    v.transform(typedLine),
    v.nonEmpty(NAME),
    v.maxLength(APP_NAME_MAX, `A name can have at most ${APP_NAME_MAX} characters.`),
  ),
  read_only: v.optional(v.boolean(), false),
  /** The only folder that the app password opens; null for everything that its owner sees. */
  folder_id: v.optional(
    v.nullable(v.pipe(v.number(FOLDER), v.safeInteger(FOLDER), v.minValue(1, FOLDER))),
    null,
  ),
  current_password: fieldRules.current_password,
});
export type NewAppPassword = v.InferOutput<typeof newAppPassword>;

/** An app password as its owner sees it; the password itself is shown once, at its creation. */
export interface AppPasswordView {
  id: number;
  name: string;
  read_only: boolean;
  folder_id: number | null;
  /** Null for the whole vault, and while the folder is hidden, for example in Trash. */
  folder_name: string | null;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC; null before the first use. */
  last_used_at: string | null;
  /** The network of the last use, in words. */
  last_place: string | null;
}

/** Whether the drive can be opened: over https and on this machine, also over plain http, or not at all. */
export type DriveSetting = 'on' | 'plain' | 'off';
