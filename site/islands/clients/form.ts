import * as v from 'valibot';
import type { ClientField, ClientInput, ClientView } from '#server/clients/contract.ts';
import { clientInput, normaliseIdentifier, panOf, plainPhone, typeOfPan } from '#server/clients/contract.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGE_NAMES } from '#server/text/language.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/clients.ts';
import { formatDate } from '../../lib/format.ts';

/** The form's values as text; '' for an empty field. */
type Values = Record<ClientField, string>;
type Errors = Partial<Record<ClientField, string>>;

export const EMPTY: Values = {
  name: '',
  email: '',
  phone: '',
  language: 'en',
  client_type: 'Individual',
  city: '',
  status: 'Active',
  pan: '',
  gstin: '',
  tan: '',
  cin: '',
  born_on: '',
  address: '',
  group_name: '',
  notes: '',
};
export const FIELDS = Object.keys(EMPTY) as ClientField[];

export const LABELS: Record<ClientField, string> = {
  name: common.name,
  email: common.email,
  phone: common.phone,
  language: t.language,
  client_type: t.type,
  city: t.city,
  status: t.status,
  pan: t.pan,
  gstin: t.gstin,
  tan: t.tan,
  cin: t.cin,
  born_on: t.birthOrIncorporation,
  address: t.address,
  group_name: t.group,
  notes: t.notes,
};

/** A value of a client as a person reads it. */
export function shownValue(field: ClientField, value: string): string {
  if (field === 'language') return LANGUAGE_NAMES[value as Language];
  return field === 'born_on' && value !== '' ? formatDate(value) : value;
}

export const valuesOf = (client: ClientView): Values =>
  Object.fromEntries(FIELDS.map((field) => [field, client[field] ?? ''])) as Values;

/** Validates the values. @returns the request body, or the errors by field. */
export function parse(values: Values): { input: ClientInput } | { errors: Errors } {
  const result = v.safeParse(clientInput, values);
  if (result.success) return { input: result.output };
  const errors: Errors = {};
  for (const issue of result.issues) errors[issue.path?.[0]?.key as ClientField] ??= issue.message;
  return { errors };
}

/**
 * Applied when a field loses the focus: normalises identifiers and the phone number, fills in the PAN contained in a GSTIN, and
 * sets the client type that the PAN and the name imply, unless the user has chosen one.
 */
export function normaliseField(values: Values, field: ClientField, typeChosen = true): Values {
  if (field === 'phone') return { ...values, phone: plainPhone(values.phone) };
  const isIdentifier = ['pan', 'gstin', 'tan', 'cin'].includes(field);
  if (!isIdentifier && field !== 'name') return values;
  const next = isIdentifier ? { ...values, [field]: normaliseIdentifier(values[field]) } : values;
  const containedPan = field === 'gstin' && next.pan === '' ? panOf(next.gstin) : null;
  if (containedPan) next.pan = containedPan;
  const impliedType = typeChosen ? null : typeOfPan(next.pan, next.name);
  return impliedType ? { ...next, client_type: impliedType } : next;
}

/** Normalises all fields, since Enter submits the form before the current field loses the focus. */
export const normaliseAll = (values: Values, typeChosen = true): Values =>
  FIELDS.reduce((now, field) => normaliseField(now, field, typeChosen), values);

/** The fields in which two versions of the values differ. */
export const changedFields = (a: Values, b: Values): ClientField[] =>
  FIELDS.filter((field) => a[field] !== b[field]);

/**
 * Merges unsaved edits of `base` into the client's current values: fields that were not edited get the current value.
 */
export function rebaseValues(mine: Values, base: Values, now: Values): Values {
  return Object.fromEntries(
    FIELDS.map((field) => [field, mine[field] === base[field] ? now[field] : mine[field]]),
  ) as Values;
}
