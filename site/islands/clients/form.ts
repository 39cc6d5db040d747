import * as v from 'valibot';
import type { ClientField, ClientInput, ClientView } from '#server/clients/contract.ts';
import { clientInput, normaliseIdentifier, panOf, plainPhone, typeOfPan } from '#server/clients/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/clients.ts';

/** The fields as they are typed: text, '' for nothing. */
export type Values = Record<ClientField, string>;
export type Errors = Partial<Record<ClientField, string>>;

export const EMPTY: Values = {
  name: '',
  email: '',
  phone: '',
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
  client_type: t.type,
  city: t.city,
  status: t.status,
  pan: t.pan,
  gstin: t.gstin,
  tan: t.tan,
  cin: t.cin,
  born_on: t.born,
  address: t.address,
  group_name: t.group,
  notes: t.notes,
};

export const valuesOf = (client: ClientView): Values =>
  Object.fromEntries(FIELDS.map((field) => [field, client[field] ?? ''])) as Values;

/** What may be sent, or each wrong field's text. */
export function read(values: Values): { input: ClientInput } | { errors: Errors } {
  const result = v.safeParse(clientInput, values);
  if (result.success) return { input: result.output };
  const errors: Errors = {};
  for (const issue of result.issues) errors[issue.path?.[0]?.key as ClientField] ??= issue.message;
  return { errors };
}

/** A field that was left: identifiers and phone in their form, the PAN that a GSTIN holds, the type that the PAN tells. */
export function settled(values: Values, field: ClientField, typeChosen = true): Values {
  if (field === 'phone') return { ...values, phone: plainPhone(values.phone) };
  if (!['pan', 'gstin', 'tan', 'cin'].includes(field)) return values;
  const next = { ...values, [field]: normaliseIdentifier(values[field]) };
  const inside = field === 'gstin' && next.pan === '' ? panOf(next.gstin) : null;
  if (inside) next.pan = inside;
  const told = typeChosen ? null : typeOfPan(next.pan);
  return told ? { ...next, client_type: told } : next;
}

/** All of a form as it would be after each field was left: Enter is pressed in the middle of one. */
export const entered = (values: Values, typeChosen = true): Values =>
  FIELDS.reduce((now, field) => settled(now, field, typeChosen), values);

/** The fields in which two versions of a client differ. */
export const differing = (a: Values, b: Values): ClientField[] =>
  FIELDS.filter((field) => a[field] !== b[field]);

/**
 * Somebody's unsaved edit of `base` upon what the client has become: fields that were not edited take the new text.
 */
export function rebased(mine: Values, base: Values, now: Values): Values {
  return Object.fromEntries(
    FIELDS.map((field) => [field, mine[field] === base[field] ? now[field] : mine[field]]),
  ) as Values;
}
