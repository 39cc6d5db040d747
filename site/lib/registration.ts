import * as v from 'valibot';
import { PASSWORD_TOO_NEAR, fieldRules, isNear, normalise } from '#server/auth/contract.ts';
import { typedDigits } from '#server/text/phone.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/auth.ts';
import type { FieldMessages } from './apiError.ts';
import type { RegistrationPayload } from './signIn.ts';

export type Values = RegistrationPayload;
export type Field = keyof Values;
/** The first message of each field that has one. */
export type Errors = Partial<Record<Field, string>>;

interface Step {
  title: string;
  subtitle: string;
  fields: readonly Field[];
}

export const STEPS: readonly Step[] = [
  { ...t.steps.personal, fields: ['name', 'email'] },
  { ...t.steps.professional, fields: ['ca_license_number', 'phone', 'firm_name'] },
  { ...t.steps.security, fields: ['password', 'password_confirmation'] },
  { ...t.steps.complete, fields: ['terms_accepted'] },
];
export const LAST_STEP = STEPS.length - 1;

export const EMPTY: Values = {
  name: '',
  email: '',
  password: '',
  password_confirmation: '',
  ca_license_number: '',
  phone: '',
  firm_name: '',
  terms_accepted: false,
};

const INPUT_FILTERS: Partial<Record<Field, (text: string, previous: string) => string>> = {
  name: normalise.name,
  ca_license_number: normalise.license,
  phone: typedDigits,
};

/** The field's value after the user changed it from `previous` to `text`. */
export const formatTyped = (field: Field, text: string, previous = ''): string =>
  INPUT_FILTERS[field]?.(text, previous) ?? text;

function errorOf(field: Field, values: Values): string | undefined {
  if (field === 'password_confirmation') {
    return values.password_confirmation === values.password ? undefined : common.passwordsDiffer;
  }
  const result = v.safeParse(fieldRules[field], values[field], { abortPipeEarly: true });
  if (!result.success) return result.issues[0].message;
  return field === 'password' && isNear(values.password, values) ? PASSWORD_TOO_NEAR : undefined;
}

/** The validation errors of a step (0 to 3). */
export function stepErrors(step: number, values: Values): Errors {
  const results = (STEPS[step]?.fields ?? []).map((field) => [field, errorOf(field, values)] as const);
  return Object.fromEntries(results.filter(([, message]) => message !== undefined));
}

/** Maps the messages of a 422 response to the form's fields, with the first step that has one; null if none has. */
export function mapServerErrors(messages: FieldMessages): { errors: Errors; step: number } | null {
  const errors: Errors = {};
  for (const field of Object.keys(EMPTY) as Field[]) {
    const message = messages[field]?.[0];
    if (message) errors[field] = message;
  }
  const step = STEPS.findIndex(({ fields }) => fields.some((field) => errors[field]));
  return step < 0 ? null : { errors, step };
}
