import * as v from 'valibot';

export const CLIENT_TYPES = ['Individual', 'Company'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];
export const CLIENT_STATUSES = ['Active', 'Inactive'] as const;
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

export interface ClientView {
  id: number;
  name: string;
  email: string | null;
  phone: string | null;
  client_type: ClientType;
  city: string | null;
  status: ClientStatus;
}

/** One line of a select. */
export interface ClientOption {
  value: number;
  label: string;
}

/** Text that may be left out; '' means the same. */
const optional = <S extends v.GenericSchema<string, string>>(rule: S) =>
  v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((text) => text?.trim() || null),
    v.nullable(rule),
  );
const upTo = (max: number, what: string) =>
  v.pipe(v.string(), v.maxLength(max, `${what} must be at most ${max} characters`));

export const clientInput = v.object({
  name: v.pipe(
    v.string('Name is required'),
    v.trim(),
    v.nonEmpty('Name is required'),
    v.maxLength(200, 'Name must be at most 200 characters'),
  ),
  email: optional(
    v.pipe(upTo(254, 'Email'), v.regex(/^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@.,;<>()"]+$/, 'Invalid email')),
  ),
  phone: optional(v.pipe(v.string(), v.regex(/^\d{10}$/, 'Phone must be 10 digits'))),
  client_type: v.optional(v.picklist(CLIENT_TYPES, 'Choose Individual or Company'), 'Individual'),
  city: optional(upTo(120, 'City')),
  status: v.optional(v.picklist(CLIENT_STATUSES, 'Choose Active or Inactive'), 'Active'),
});
export type ClientInput = v.InferOutput<typeof clientInput>;
