import * as v from 'valibot';
import type { ClientType } from '#server/text/client-types.ts';
import { CLIENT_TYPES } from '#server/text/client-types.ts';
import { MAX_ITEMS_PER_CALL } from '../contract.ts';
import { listingQuery } from '../lists/contract.ts';
import { reasonOf } from '../seals/contract.ts';

export const APPLIES_TO = ['everything', 'client_type', 'folder', 'label'] as const;
export type AppliesTo = (typeof APPLIES_TO)[number];

/**
 * From what a rule counts: the day on which the file was put in; the last day of that day's financial year; or a day
 * that somebody says, such as that of a report. A day that was said stands in for the first in the other two as well.
 */
export const COUNTS_FROM = ['put_in', 'year_end', 'said_day'] as const;
export type CountsFrom = (typeof COUNTS_FROM)[number];

export const RULE_NAME_MAX = 80;
export const SOURCE_MAX = 400;
/** Of a firm at once. */
export const RULES_MAX = 30;
/** A hundred years. */
const MONTHS_MAX = 1200;

/** How long a firm keeps what. */
export interface RuleView {
  id: number;
  name: string;
  /** The law, or the firm's own reason, in words; '' for none. */
  source: string;
  applies_to: AppliesTo;
  client_type: ClientType | null;
  /** The folder or file that it stands on. */
  item_id: number | null;
  label_id: number | null;
  /** What that is called; null for everything, and for what is gone or not seen. */
  of: string | null;
  months: number;
  counts_from: CountsFrom;
  created_by: string;
  /** ISO 8601, UTC. */
  created_at: string;
}

/** What is under a rule; of several rules on one file, the one that keeps it longest. */
export interface RuleFigures {
  files: number;
  bytes: number;
  formatted_bytes: string;
  /** Of these, those whose time has run out. */
  run_out: number;
  /** Of these, those whose day nobody has said. */
  undated: number;
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
  /** The last day on which it has to be kept, as 2033-03-31; null while nobody has said from which day it counts. */
  until: string | null;
  run_out: boolean;
}

/** What is known about an item's retention. Of a folder, `rules` is about what it holds. */
export interface ItemRetention {
  /** The longest first. For a folder `until` is null, since each file has its own day. */
  rules: (KeptMark & Pick<RuleView, 'source' | 'months' | 'counts_from'>)[];
  /** The day that somebody has said, for it or for a folder above; null without one. */
  day: string | null;
  /** It was said for this very item. */
  own_day: boolean;
  /** Why the rules do not apply to it; null where they do. */
  exempt_reason: string | null;
  own_exemption: boolean;
  /** It, or a folder above, was given the day or the exemption by this person at this time, ISO 8601. */
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
  /** Why it cannot be destroyed although its time has run out: `held`, `sealed`; null when it can. */
  stays: 'held' | 'sealed' | null;
}

export interface KeptPage {
  items: KeptFile[];
  next_cursor: string | null;
  /** All that match; null on the pages after the first. */
  total: number | null;
}

export const KEPT_STATES = ['kept', 'run_out', 'undated'] as const;
export type KeptState = (typeof KEPT_STATES)[number];

const id = (message: string) => v.pipe(v.number(message), v.integer(message), v.minValue(1, message));
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
const DAY = 'Enter a day such as 2026-03-31';

/** A rule as it is entered: which of the last three is needed follows from `applies_to`. */
export const ruleInput = v.pipe(
  v.object({
    name: v.pipe(v.string(NAME), v.trim(), v.nonEmpty(NAME), ...oneLine(RULE_NAME_MAX)),
    source: v.optional(v.pipe(v.string('Use text'), v.trim(), ...oneLine(SOURCE_MAX)), ''),
    applies_to: v.picklist(APPLIES_TO, 'Choose what the rule applies to'),
    months: v.pipe(
      v.number(MONTHS),
      v.integer(MONTHS),
      v.minValue(1, MONTHS),
      v.maxValue(MONTHS_MAX, MONTHS),
    ),
    counts_from: v.picklist(COUNTS_FROM, 'Choose from which day the rule counts'),
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

const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

/** What is said of an item: left out, that stays; null takes it back. */
export const markItem = v.object({
  counts_from: v.optional(
    v.nullable(v.pipe(v.string(DAY), v.regex(/^(?:19|20)\d{2}-\d{2}-\d{2}$/, DAY), v.check(isDay, DAY))),
  ),
  exempt_reason: v.optional(v.nullable(reasonOf('Enter why the rules do not apply'))),
});
export type MarkItem = v.InferOutput<typeof markItem>;

/** What is to be destroyed: chosen files, or all that has run out as far as the actor sees it. */
export const confirmDestruction = v.object({
  ids: v.pipe(
    v.array(id('This file does not exist.'), 'Choose at least one file'),
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

/** A destruction that somebody has confirmed; its certificate can be had once it has ended. */
export interface DestructionView {
  id: number;
  reason: string;
  confirmed_by: string;
  /** ISO 8601, UTC; so is the next. */
  confirmed_at: string;
  /** Null while it goes on. */
  finished_at: string | null;
  /** Files on the list; of these, those that went, and their bytes with their earlier versions. */
  listed: number;
  files: number;
  bytes: number;
  formatted_bytes: string;
  /** On the list, and kept all the same: a hold, a seal or a change came in between. */
  stayed: number;
  /** SHA-256 of the list of what went; null while it goes on. */
  digest: string | null;
}

export interface DestructionPage {
  items: DestructionView[];
  next_cursor: string | null;
}
export const destructionsQuery = v.object({ limit, cursor });
export type DestructionsQuery = Partial<v.InferOutput<typeof destructionsQuery>>;
