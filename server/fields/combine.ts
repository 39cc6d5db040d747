import type { Recognised, RecognisedCode, RecognisedField, ValueKind } from '#server/recognition/contract.ts';
import { meantBy, NONE_OF_THESE, UNSURE } from '#server/recognition/contract.ts';
import type { AnswerKind, FieldView, KnownFields } from './contract.ts';

/** What a person said of a value. */
export interface Answer {
  what: AnswerKind;
  /** The normal form; null when it was cleared. */
  value: string | null;
  /** With what stood there: it is shown also when a later reading finds nothing any more. */
  key: string;
  kind: ValueKind;
  by: number;
  at: string;
}
/** Of one content of a file, by the values' ids. */
export type Answers = Record<string, Answer>;

/** What a document is known as, and when it is of: beside its fields. */
export const TYPE = 'type';
export const PERIOD = 'period';
export const isNoneOfThese = (answers: Answers): boolean => answers[TYPE]?.value === NONE_OF_THESE;

export const NOTHING: Recognised = {
  type: null,
  type_sure: 0,
  year: null,
  period: null,
  fields: [],
  tables: [],
};

/** Each with its id: the key, and a number behind it for the second of the same key. */
function withIds(fields: readonly RecognisedField[]): { id: string; field: RecognisedField }[] {
  const seen = new Map<string, number>();
  return fields.map((field) => {
    const nth = (seen.get(field.key) ?? 0) + 1;
    seen.set(field.key, nth);
    return { id: nth === 1 ? field.key : `${field.key}~${nth}`, field };
  });
}

/** Ids of what somebody should look at. */
export function unsureIds({ type, type_sure, fields }: Recognised): string[] {
  const ids = withIds(fields).filter(({ field }) => field.sure < UNSURE);
  return [...(type !== null && type_sure < UNSURE ? [TYPE] : []), ...ids.map(({ id }) => id)];
}

/** `FY 2025-26`, `2025-04`, `2025-26 Q1`: the year in which the financial year began; null for none. */
export function yearOf(period: string | null): number | null {
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period ?? '');
  if (month) return Number(month[1]) - (Number(month[2]) < 4 ? 1 : 0);
  const year = /(\d{4})-\d{2}/.exec(period ?? '');
  return year ? Number(year[1]) : null;
}

type Unnamed = Omit<FieldView, 'answer'> & { answer: Answer | null };

const NOWHERE = { raw: '', page: null, box: null };

function combined(
  id: string,
  read:
    | (Pick<RecognisedField, 'key' | 'kind' | 'raw' | 'page' | 'box' | 'check'> & {
        value: string | null;
        sure: number;
      })
    | undefined,
  answer: Answer | undefined,
): Unnamed {
  const { key, kind } = read ?? answer!;
  const { raw, page, box } = read ?? NOWHERE;
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
    suggested: !answer && read?.check === 'failed' && read.value ? meantBy(read.key, read.value) : null,
    unsure: !answer && read !== undefined && read.value !== null && read.sure < UNSURE,
    answer: answer ?? null,
  };
}

/** What was recognised and what people said of it, as one: what they said goes before. */
export interface Combined {
  type: Unnamed;
  period: Unnamed;
  year: number | null;
  fields: Unnamed[];
  tables: Recognised['tables'];
  head: string;
  codes: RecognisedCode[];
}

export function combine(recognised: Recognised | null, answers: Answers): Combined {
  const { type, type_sure, year, period, fields, tables, head = '', codes = [] } = recognised ?? NOTHING;
  const whole = (key: string, kind: ValueKind, value: string | null, sure: number) =>
    combined(key, { key, kind, value, raw: '', page: 1, box: null, sure }, answers[key]);
  const read = withIds(fields);
  const ids = new Set([TYPE, PERIOD, ...read.map(({ id }) => id)]);
  const said = Object.keys(answers).filter((id) => !ids.has(id));
  const spoken = answers[PERIOD];
  const asked = (field: Unnamed): Unnamed => (isNoneOfThese(answers) ? { ...field, unsure: false } : field);
  return {
    type: whole(TYPE, 'text', type, type_sure),
    period: whole(PERIOD, 'period', period, 1),
    year: spoken ? yearOf(spoken.value) : year,
    fields: [
      ...read.map(({ id, field }) => asked(combined(id, field, answers[id]))),
      ...said.map((id) => combined(id, undefined, answers[id])),
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
    period: period.value,
    fields: fields.flatMap(({ id, key, kind, value, unsure, page }) =>
      value === null ? [] : [{ id, key, kind, value, sure: !unsure, page }],
    ),
    head,
  };
}
