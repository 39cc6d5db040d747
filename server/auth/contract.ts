import * as v from 'valibot';

export const PERMISSIONS = [
  'documents.read',
  'documents.write',
  'documents.delete',
  'clients.write',
  'billing.manage',
  'team.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];
export type Role = 'admin' | 'member';

/** The user on whose behalf code runs; every service takes it first. */
export interface Actor {
  userId: number;
  firmId: number;
  sessionId: number;
  role: Role;
  permissions: readonly Permission[];
}

export interface UserView {
  id: number;
  name: string;
  full_name: string;
  email: string;
  initials: string;
  role: Role;
  permissions: Permission[];
  phone: string;
  ca_license_number: string;
  firm_name: string;
}

export interface SignedIn {
  user: UserView;
  token: string;
}

/** At most two letters; `CA` when the name gives none. */
export function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => [...word].slice(0, 1));
  return letters.slice(0, 2).join('').toUpperCase() || 'CA';
}

/** What the registration form does to text as it is typed; the server does the same. */
export const normalise = {
  name: (text: string) => text.replace(/[^\p{L}\p{M}\s]/gu, ''),
  license: (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase(),
  phone: (text: string) => text.replace(/\D/g, '').slice(0, 10),
};

const required = (message: string) => v.pipe(v.string(message), v.trim(), v.nonEmpty(message));
/** Long enough for any passphrase, short enough that hashing it costs nothing. */
export const PASSWORD_MAX = 1024;

export const fieldRules = {
  name: v.pipe(required('Name is required'), v.maxLength(120, 'Name must be at most 120 characters')),
  email: v.pipe(
    required('Email is required'),
    v.toLowerCase(),
    v.maxLength(254, 'Invalid email'),
    v.regex(/^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@.,;<>()"]+$/, 'Invalid email'),
  ),
  ca_license_number: v.pipe(
    required('License required'),
    v.transform(normalise.license),
    v.nonEmpty('License required'),
    v.maxLength(40, 'License number must be at most 40 characters'),
  ),
  phone: v.pipe(required('Phone is required'), v.regex(/^\d{10}$/, 'Phone must be 10 digits')),
  firm_name: v.pipe(
    required('Firm name is required'),
    v.maxLength(200, 'Firm name must be at most 200 characters'),
  ),
  password: v.pipe(
    v.string('Password is required'),
    v.nonEmpty('Password is required'),
    v.minLength(8, 'Password must be 8+ characters'),
    v.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  ),
  terms_accepted: v.literal(true, 'Accept terms to continue'),
};

const confirmed = <S extends v.GenericSchema<unknown, { password: string; password_confirmation: string }>>(
  schema: S,
) =>
  v.pipe(
    schema,
    v.forward(
      v.partialCheck(
        [['password'], ['password_confirmation']] as never,
        (input: { password: string; password_confirmation: string }) =>
          input.password === input.password_confirmation,
        'Passwords do not match',
      ) as never,
      ['password_confirmation'] as never,
    ),
  );

export const registration = confirmed(
  v.object({
    name: fieldRules.name,
    email: fieldRules.email,
    password: fieldRules.password,
    password_confirmation: v.string('Passwords do not match'),
    ca_license_number: fieldRules.ca_license_number,
    phone: fieldRules.phone,
    firm_name: fieldRules.firm_name,
    terms_accepted: fieldRules.terms_accepted,
  }),
);
export type Registration = v.InferOutput<typeof registration>;
