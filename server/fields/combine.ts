import type { Recognised, RecognisedCode, RecognisedField, ValueKind } from '#server/recognition/contract.ts';
import { isUnassigned, suggestCorrection, NONE_OF_THESE, UNSURE } from '#server/recognition/contract.ts';
import type { AnswerKind, FieldView, KnownFields } from './contract.ts';

/** A user's answer about a value. */
export interface Answer {
  what: AnswerKind;
  /** The normal form; null when it was cleared. */
  value: string | null;
  /** Stored with the answer, since it is shown even when a later reading no longer finds the value. */
  key: string;
  kind: ValueKind;
  by: number;
  at: string;
}
/** The answers about one content of a file, by value id. */
export type Answers = Record<string, Answer>;

/** The ids of a document's type and period, beside its fields. */
export const TYPE = 'type';
export const PERIOD = 'period';
/** The id of the field of its year, which is in doubt where other values contradict it. */
const YEAR = 'year';
export const isNoneOfThese = (answers: Answers): boolean => answers[TYPE]?.value === NONE_OF_THESE;

const NOT_RECOGNISED: Recognised = {
  type: null,
  type_sure: 0,
  year: null,
  period: null,
  fields: [],
  tables: [],
};

/** Adds ids: the key, with a number for a repeated key. */
function withIds(fields: readonly RecognisedField[]): { id: string; field: RecognisedField }[] {
  const seen = new Map<string, number>();
  return fields.map((field) => {
    const nth = (seen.get(field.key) ?? 0) + 1;
    seen.set(field.key, nth);
    return { id: nth === 1 ? field.key : `${field.key}~${nth}`, field };
  });
}

/** The ids of values that a user should check. */
export function unsureIds({ type, type_sure, fields }: Recognised): string[] {
  const ids = withIds(fields).filter(({ field }) => field.sure < UNSURE);
  return [...(type !== null && type_sure < UNSURE ? [TYPE] : []), ...ids.map(({ id }) => id)];
}

/** The year in which the financial year of a period (`FY 2025-26`, `2025-04`, `2025-26 Q1`) began; null for none. */
export function yearOf(period: string | null): number | null {
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period ?? '');
  if (month) return Number(month[1]) - (Number(month[2]) < 4 ? 1 : 0);
  const year = /(\d{4})-\d{2}/.exec(period ?? '');
  return year ? Number(year[1]) : null;
}

/** The year that users have answered, in the period of the document or in the field of its year; undefined without an answer. */
export function answeredYear(answers: Answers): number | null | undefined {
  const period = answers[PERIOD];
  if (period) return yearOf(period.value);
  return yearOf(answers[YEAR]?.value ?? null) ?? undefined;
}

/** A field with its answer, which names the user by id; `labelled` as in `KnownField`. */
export type CombinedField = Omit<FieldView, 'answer'> & { answer: Answer | null; labelled: boolean };

const NO_POSITION = { raw: '', page: null, box: null };

function combineField(
  id: string,
  read:
    | (Pick<RecognisedField, 'key' | 'kind' | 'raw' | 'page' | 'box' | 'check' | 'rule'> & {
        value: string | null;
        sure: number;
      })
    | undefined,
  answer: Answer | undefined,
): CombinedField {
  const { key, kind } = read ?? answer!;
  const { raw, page, box } = read ?? NO_POSITION;
  return {
    id,
    key,
    kind,
    value: answer ? answer.value : (read?.value ?? null),
    read: read?.value ?? null,
    raw,
    page,
    box,
    check: (!answer || answer.value === read?.value ? read?.check : null) ?? null,
    suggested:
      !answer && read?.check === 'failed' && read.value ? suggestCorrection(read.key, read.value) : null,
    unsure: !answer && read !== undefined && read.value !== null && read.sure < UNSURE,
    answer: answer ?? null,
    labelled: (read !== undefined && !isUnassigned(read)) || (answer !== undefined && id === key),
  };
}

/** What was recognised, overridden by users' answers. */
export interface Combined {
  type: CombinedField;
  period: CombinedField;
  year: number | null;
  fields: CombinedField[];
  tables: Recognised['tables'];
  head: string;
  codes: RecognisedCode[];
}

export function combine(recognised: Recognised | null, answers: Answers): Combined {
  const {
    type,
    type_sure,
    year,
    period,
    fields,
    tables,
    head = '',
    codes = [],
  } = recognised ?? NOT_RECOGNISED;
  const documentField = (key: string, kind: ValueKind, value: string | null, sure: number) =>
    combineField(key, { key, kind, value, raw: '', page: 1, box: null, sure, rule: key }, answers[key]);
  const readFields = withIds(fields);
  const ids = new Set([TYPE, PERIOD, ...readFields.map(({ id }) => id)]);
  const answeredOnly = Object.keys(answers).filter((id) => !ids.has(id));
  const answered = answeredYear(answers);
  const withoutDoubt = (field: CombinedField): CombinedField =>
    isNoneOfThese(answers) ? { ...field, unsure: false } : field;
  return {
    type: documentField(TYPE, 'text', type, type_sure),
    period: documentField(PERIOD, 'period', period, 1),
    year: answered === undefined ? year : answered,
    fields: [
      ...readFields.map(({ id, field }) => withoutDoubt(combineField(id, field, answers[id]))),
      ...answeredOnly.map((id) => combineField(id, undefined, answers[id])),
    ],
    tables,
    head,
    codes,
  };
}

export function knownOf({ type, period, year, fields, head }: Combined): KnownFields {
  return {
    type: type.value,
    typeSure: type.value !== null && !type.unsure,
    year,
    // A year that a user has answered is told by itself where the period that was read is of another one.
    period: yearOf(period.value) === year ? period.value : null,
    fields: fields.flatMap(({ id, key, kind, value, unsure, page, labelled }) =>
      value === null ? [] : [{ id, key, kind, value, sure: !unsure, page, labelled }],
    ),
    head,
  };
}
