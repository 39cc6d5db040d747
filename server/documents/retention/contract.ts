import * as v from 'valibot';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import type { ClientType } from '#server/text/client-types.ts';
import { CLIENT_TYPES } from '#server/text/client-types.ts';
import { MAX_ITEMS_PER_CALL } from '../contract.ts';
import { listingQuery } from '../lists/contract.ts';
import { reasonOf } from '../seals/contract.ts';
import { notThere } from '#server/text/not-there.ts';

export const APPLIES_TO = ['everything', 'client_type', 'folder', 'label'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];

/**
 * The day from which a rule counts: the day of the upload (`put_in`), the end of that day's financial year, or a day that
 * a user has entered (`said_day`), such as the date of a report. An entered day replaces the day of the upload in the
 * other two as well.
 */
export const COUNTS_FROM = ['put_in', 'year_end', 'said_day'] as const;
export type CountsFrom = (typeof COUNTS_FROM)[number];

export const RULE_NAME_MAX = 80;
export const SOURCE_MAX = 400;
/** Rules per firm. */
export const RULES_MAX = 30;
/** A hundred years. */
const MONTHS_MAX = 1200;

/** A retention rule. */
export interface RuleView {
  id: number;
  name: string;
  /** The law, or the firm's own reason, in words; '' for none. */
  source: string;
  applies_to: AppliesTo;
  client_type: ClientType | null;
  /** The folder or file that the rule applies to. */
  item_id: number | null;
  label_id: number | null;
  /** The client type, or the name of the folder or label; null for `everything`, and when it is deleted or the actor does not see it. */
  of: string | null;
  months: number;
  counts_from: CountsFrom;
  created_by: string;
  /** ISO 8601, UTC. */
  created_at: string;
}

/** Totals of the files under a rule. A file under several rules counts for the one that keeps it longest. */
export interface RuleFigures {
  files: number;
  bytes: number;
  formatted_bytes: string;
  /** Files whose retention has expired. */
  run_out: number;
  /** Files whose rule needs a day that nobody has entered. */
  undated: number;
}

/** How many files a rule would apply to that is not saved yet. */
export interface RuleReach {
  files: number;
}

export interface RetentionOverview {
  rules: (RuleView & RuleFigures)[];
  total: RuleFigures;
  /** Today, in India. */
  today: string;
}

/** The rule that keeps a file longest. */
export interface KeptMark {
  rule_id: number;
  rule: string;
  /** The last day of retention, such as 2033-03-31; null until somebody enters the day from which the rule counts. */
  until: string | null;
  run_out: boolean;
}

/** The retention of an item. For a folder, `rules` apply to its contents. */
export interface ItemRetention {
  /** Longest retention first. For a folder `until` is null, since it differs per file. */
  rules: (KeptMark & Pick<RuleView, 'source' | 'months' | 'counts_from'>)[];
  /** The day entered for the item or for the nearest folder above; null without one. */
  day: string | null;
  /** Whether the day was entered for the item itself. */
  own_day: boolean;
  /** The reason for exempting the item or a folder above; null when the rules apply. */
  exempt_reason: string | null;
  own_exemption: boolean;
  /** Who entered the day or exemption of the item or the nearest folder above, and when (ISO 8601). */
  set_by: string | null;
  set_at: string | null;
}

/** A file under a rule. */
export interface KeptFile {
  id: number;
  name: string;
  file_type: string;
  parent_id: number | null;
  path: string;
  client_id: number | null;
  client_name: string | null;
  bytes: number;
  formatted_bytes: string;
  rule_id: number;
  rule: string;
  until: string | null;
  /** Why the file cannot be destroyed even after its retention: a legal hold or a seal; otherwise null. */
  stays: 'held' | 'sealed' | null;
}

export interface KeptPage {
  items: KeptFile[];
  next_cursor: string | null;
  /** The number of all matches, on the first page; null on later pages. */
  total: number | null;
}

export const KEPT_STATES = ['kept', 'run_out', 'undated'] as const;
export type KeptState = (typeof KEPT_STATES)[number];

const id = (message: string) => v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message));
const queryId = (message: string) =>
  v.optional(
    v.pipe(
      v.string(message),
      v.regex(/^(?:[1-9]\d{0,14})?$/, message),
      v.transform((text) => (text === '' ? undefined : Number(text))),
    ),
  );
const { search, limit, cursor, client_id } = listingQuery.entries;

/** The query of `GET /api/retention/files`. */
export const keptQuery = v.object({
  state: v.optional(v.picklist(KEPT_STATES, `Choose one of: ${KEPT_STATES.join(', ')}`), 'kept'),
  rule: queryId('Choose a rule from the list'),
  client_id: v.optional(client_id),
  search,
  limit,
  cursor,
});
export type KeptQuery = Partial<v.InferOutput<typeof keptQuery>>;

const NAME = 'Enter a name for the rule';
const oneLine = (most: number) =>
  [
    v.maxLength<string, number, string>(most, `Use at most ${most} characters`),
    v.regex<string, string>(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'Use one line of plain text'),
  ] as const;
const MONTHS = 'Enter for how long, from 1 month to 100 years';
const DAY = 'Enter a date such as 2026-03-31';

/** Input of a rule. `applies_to` decides which of the last three fields is required. */
export const ruleInput = v.pipe(
  v.object({
    name: v.pipe(v.string(NAME), v.trim(), v.nonEmpty(NAME), ...oneLine(RULE_NAME_MAX)),
    source: v.optional(v.pipe(v.string('Use text'), v.trim(), ...oneLine(SOURCE_MAX)), ''),
    applies_to: v.picklist(APPLIES_TO, 'Choose what the rule applies to'),
    months: v.pipe(
      v.number(MONTHS),
      v.safeInteger(MONTHS),
      v.minValue(1, MONTHS),
      v.maxValue(MONTHS_MAX, MONTHS),
    ),
    counts_from: v.picklist(COUNTS_FROM, 'Choose from which date the rule counts'),
    client_type: v.optional(v.nullable(v.picklist(CLIENT_TYPES, 'Choose a client type'))),
    item_id: v.optional(v.nullable(id('Choose a folder'))),
    label_id: v.optional(v.nullable(id('Choose a label'))),
  }),
  v.forward(
    v.partialCheck(
      [['applies_to'], ['client_type']],
      (rule) => rule.applies_to !== 'client_type' || Boolean(rule.client_type),
      'Choose a client type',
    ),
    ['client_type'],
  ),
  v.forward(
    v.partialCheck(
      [['applies_to'], ['item_id']],
      (rule) => rule.applies_to !== 'folder' || Boolean(rule.item_id),
      'Choose a folder',
    ),
    ['item_id'],
  ),
  v.forward(
    v.partialCheck(
      [['applies_to'], ['label_id']],
      (rule) => rule.applies_to !== 'label' || Boolean(rule.label_id),
      'Choose a label',
    ),
    ['label_id'],
  ),
);
export type RuleInput = v.InferOutput<typeof ruleInput>;

export const removeRule = v.object({ reason: reasonOf('Enter why the rule is removed') });
export type RemoveRule = v.InferOutput<typeof removeRule>;

/** The day and exemption of an item: an omitted field stays unchanged, null removes the value. */
export const markItem = v.object({
  counts_from: v.optional(
    v.nullable(
      v.pipe(v.string(DAY), v.regex(/^(?:19|20)\d{2}-\d{2}-\d{2}$/, DAY), v.check(isCalendarDay, DAY)),
    ),
  ),
  exempt_reason: v.optional(v.nullable(reasonOf('Enter why the rules do not apply'))),
});
export type MarkItem = v.InferOutput<typeof markItem>;

/** Confirms the destruction of the given files. */
export const confirmDestruction = v.object({
  ids: v.pipe(
    v.array(id(notThere('file')), 'Choose at least one file'),
    v.minLength(1, 'Choose at least one file'),
    v.maxLength(MAX_ITEMS_PER_CALL, 'Choose at most 20,000 files at once'),
  ),
  reason: reasonOf('Enter why they are destroyed'),
  current_password: v.pipe(
    v.string('Password is required'),
    v.nonEmpty('Password is required'),
    v.maxLength(1024, 'Password must be at most 1024 characters'),
  ),
});
export type ConfirmDestruction = v.InferOutput<typeof confirmDestruction>;

/** A confirmed destruction; its certificate is available once it has finished. */
export interface DestructionView {
  id: number;
  reason: string;
  confirmed_by: string;
  /** ISO 8601, UTC, like `finished_at`. */
  confirmed_at: string;
  /** Null while it is running. */
  finished_at: string | null;
  /** Files on the list. `files` counts those destroyed, and `bytes` includes their earlier versions. */
  listed: number;
  files: number;
  bytes: number;
  formatted_bytes: string;
  /** Files on the list that were not destroyed, because of a hold, a seal or a change since the confirmation. */
  stayed: number;
  /** SHA-256 of the list of destroyed files; null while it is running. */
  digest: string | null;
}

export interface DestructionPage {
  items: DestructionView[];
  next_cursor: string | null;
}
export const destructionsQuery = v.object({ limit, cursor });
export type DestructionsQuery = Partial<v.InferOutput<typeof destructionsQuery>>;
