import * as v from 'valibot';
import type { ClientScope, Permission, Role } from '#server/actor.ts';
import { tenDigits } from '#server/phone/contract.ts';

/** When a person may work, in India's time. */
export interface WorkHours {
  /** From Monday = 1 to Sunday = 7. */
  days: number[];
  /** `09:30`; `to` is no longer within, and on the next day if it is not after `from`. */
  from: string;
  to: string;
}

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** `Monday to Saturday, 09:30 to 19:00 IST`; days that do not follow each other are listed. */
export function hoursText({ days, from, to }: WorkHours): string {
  const sorted = days.toSorted((a, b) => a - b);
  const names = sorted.map((day) => DAYS[day - 1]!);
  const follow = sorted.every((day, at) => at === 0 || day === sorted[at - 1]! + 1);
  const listed =
    names.length === 7
      ? 'every day'
      : names.length > 2 && follow
        ? `${names[0]} to ${names.at(-1)}`
        : names.length > 1
          ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
          : names[0];
  return `${listed}, ${from} to ${to} IST`;
}

export interface UserView {
  id: number;
  name: string;
  full_name: string;
  email: string;
  initials: string;
  role: Role;
  /** What may be done now. */
  permissions: Permission[];
  client_scope: ClientScope;
  /** False for one beyond the number of users that the plan allows, who reads and leaves. */
  seated: boolean;
  /** Whether two-step sign-in has to be set up first, since the firm demands it. */
  owes_two_step: boolean;
  phone: string;
  ca_license_number: string;
  firm_name: string;
}

/** What a sign-in answers. */
export interface SignedIn {
  user: UserView;
  token: string;
}

/** A second step: a code from an app on the phone, or a passkey. */
export type SecondWay = 'app' | 'passkey';

/** What a right password answers when a code is asked for as well; `POST /api/auth/login/code` takes both. */
export interface TwoStepAsked {
  two_step: {
    challenge: string;
    /** Beside recovery codes, which open where there is any. */
    ways: SecondWay[];
    /** Seconds for which the challenge is good. */
    expires_in: number;
  };
}

/** By what, beside the password, a person can prove again who they are. */
export interface ProofWays {
  ways: SecondWay[];
}

export interface TwoStepStatus {
  /** ISO 8601; null while it is off. */
  enabled_at: string | null;
  recovery_codes_left: number;
}

export interface TwoStepSetup {
  /** Base32 in groups of four, for typing by hand. */
  secret: string;
  /** `otpauth://…`, for the QR code. */
  address: string;
}

/** One place where the user is signed in. */
export interface DeviceView {
  id: number;
  /** `Firefox on Windows`. */
  name: string;
  place: string;
  signed_in_at: string;
  last_used_at: string;
  is_current: boolean;
}

/** A sign-in in a new browser, which its owner was told of. */
export interface DeviceAlarm {
  /** `Firefox on Windows`. */
  device: string;
  signed_in_at: string;
}

/** At most two letters; `CA` when the name gives none. */
export function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => [...word].slice(0, 1));
  return letters.slice(0, 2).join('').toUpperCase() || 'CA';
}

/** What the registration form does to text as it is typed. */
export const normalise = {
  name: (text: string) => text.replace(/[^\p{L}\p{M}\s]/gu, ''),
  license: (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase(),
  phone: (text: string) => tenDigits(text) ?? text.replace(/\D/g, ''),
};

/** Long enough for any passphrase, short enough that hashing it costs nothing. */
export const PASSWORD_MAX = 1024;

export const PASSWORD_TOO_COMMON =
  'This password is one of the first that attackers try. Choose another, such as a short sentence.';
export const PASSWORD_TOO_NEAR =
  'Do not use your name, your firm, your e-mail address or your phone number as the password.';

/** Whose password it is to be; what a guesser who knows the person tries first. */
export type Person = Partial<Pick<UserView, 'name' | 'email' | 'firm_name' | 'phone' | 'ca_license_number'>>;

/** As guessers compare: without case, and with one code point for what looks alike. */
export const plainOf = (text: string): string => text.normalize('NFKC').toLowerCase();
export const lettersOf = (text: string): string => plainOf(text).replace(/[^\p{L}\p{M}]/gu, '');
const lettersAndDigits = (text: string): string => plainOf(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/** Whether a password is made of the person's own name, firm, address, phone or licence, digits and signs beside. */
export function isNear(
  password: string,
  { name, email, firm_name, phone, ca_license_number }: Person,
): boolean {
  const [local = '', domain = ''] = (email ?? '').split('@');
  const whole = [email, local, domain, name, firm_name, phone, ca_license_number].map((text) => text ?? '');
  const words = [...whole.slice(0, 5), ...whole.slice(0, 5).flatMap((text) => text.split(/[\s@.&,_-]+/))];
  const letters = lettersOf(password);
  return (
    whole.some((text) => text !== '' && lettersAndDigits(text) === lettersAndDigits(password)) ||
    // Four letters or more: `rao` may stand in a good sentence's place of digits, `asharao` may not.
    (letters.length >= 4 && words.some((word) => lettersOf(word) === letters))
  );
}

const required = (message: string) => v.pipe(v.string(message), v.trim(), v.nonEmpty(message));
// Control characters, and those that turn the reading direction of what follows.
const PLAIN = /^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u;

export const fieldRules = {
  name: v.pipe(
    required('Name is required'),
    v.transform((text) => normalise.name(text).replace(/\s+/g, ' ').trim()),
    v.nonEmpty('Name is required'),
    v.maxLength(120, 'Name must be at most 120 characters'),
  ),
  email: v.pipe(
    required('Email is required'),
    v.toLowerCase(),
    v.maxLength(254, 'Invalid email'),
    v.regex(PLAIN, 'Invalid email'),
    v.regex(/^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@.,;<>()"]+$/, 'Invalid email'),
  ),
  ca_license_number: v.pipe(
    required('License required'),
    v.transform(normalise.license),
    v.nonEmpty('License required'),
    v.maxLength(40, 'License number must be at most 40 characters'),
  ),
  phone: v.pipe(
    required('Phone is required'),
    v.transform(normalise.phone),
    v.regex(/^\d{10}$/, 'Phone must be 10 digits'),
  ),
  firm_name: v.pipe(
    required('Firm name is required'),
    v.maxLength(200, 'Firm name must be at most 200 characters'),
    v.regex(PLAIN, 'Firm name has characters that cannot be used'),
  ),
  /** A new password. */
  password: v.pipe(
    v.string('Password is required'),
    v.nonEmpty('Password is required'),
    v.minLength(8, 'Password must be 8+ characters'),
    v.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  ),
  /** A password that exists: whatever it is, it is compared and not judged. */
  current_password: v.pipe(
    v.string('Password is required'),
    v.nonEmpty('Password is required'),
    v.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  ),
  password_confirmation: v.string('Passwords do not match'),
  terms_accepted: v.literal(true, 'Accept terms to continue'),
};

const registrationFields = v.object({
  name: fieldRules.name,
  email: fieldRules.email,
  password: fieldRules.password,
  password_confirmation: fieldRules.password_confirmation,
  ca_license_number: fieldRules.ca_license_number,
  phone: fieldRules.phone,
  firm_name: fieldRules.firm_name,
  terms_accepted: fieldRules.terms_accepted,
});
const newPasswordFields = v.object({
  current_password: fieldRules.current_password,
  password: fieldRules.password,
  password_confirmation: fieldRules.password_confirmation,
});

/** Either six digits from the app or a recovery code; what it is worth, the server finds out. */
const code = v.pipe(
  v.string('Enter the code'),
  v.trim(),
  v.nonEmpty('Enter the code'),
  v.maxLength(40, 'This code is too long'),
);
const secretText = v.pipe(
  v.string('The link is incomplete'),
  v.nonEmpty('The link is incomplete'),
  v.maxLength(100, 'The link is not whole'),
);

const confirmed = (input: { password: string; password_confirmation: string }) =>
  input.password === input.password_confirmation;

export const registration = v.pipe(
  registrationFields,
  v.forward(v.partialCheck([['password'], ['password_confirmation']], confirmed, 'Passwords do not match'), [
    'password_confirmation',
  ]),
);
export type Registration = v.InferOutput<typeof registration>;

export const credentials = v.object({ email: fieldRules.email, password: fieldRules.current_password });
export type Credentials = v.InferOutput<typeof credentials>;

export const passwordChange = v.pipe(
  newPasswordFields,
  v.forward(v.partialCheck([['password'], ['password_confirmation']], confirmed, 'Passwords do not match'), [
    'password_confirmation',
  ]),
);
export type PasswordChange = v.InferOutput<typeof passwordChange>;

/** Fields that are left out stay as they are. A new e-mail address needs the current password. */
export const profile = v.object({
  name: v.optional(fieldRules.name),
  email: v.optional(fieldRules.email),
  phone: v.optional(fieldRules.phone),
  ca_license_number: v.optional(fieldRules.ca_license_number),
  firm_name: v.optional(fieldRules.firm_name),
  current_password: v.optional(fieldRules.current_password),
});
export type Profile = v.InferOutput<typeof profile>;

/** A link that an e-mail about a new device has brought. */
export const deviceAlarm = v.object({ token: secretText });

export const emailConfirmation = v.object({ token: secretText });

export const secondStep = v.object({ challenge: secretText, code });
export type SecondStep = v.InferOutput<typeof secondStep>;

export const forgotten = v.object({ email: fieldRules.email });

export const passwordReset = v.pipe(
  v.object({
    token: secretText,
    password: fieldRules.password,
    password_confirmation: fieldRules.password_confirmation,
  }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], confirmed, 'Passwords do not match'), [
    'password_confirmation',
  ]),
);
export type PasswordReset = v.InferOutput<typeof passwordReset>;

export const passwordProof = v.object({ current_password: fieldRules.current_password });
/** For what a proof of the last minutes is enough. */
export const passwordIfAsked = v.object({ current_password: v.optional(fieldRules.current_password) });
export const codeProof = v.object({ code });
export const bothProofs = v.object({ current_password: fieldRules.current_password, code });

const JOIN_TOKEN = 'The link is incomplete';
/** What one who is invited to a firm fills in. */
export const joining = v.pipe(
  v.object({
    token: v.pipe(v.string(JOIN_TOKEN), v.nonEmpty(JOIN_TOKEN), v.maxLength(100, 'The link is not whole')),
    name: fieldRules.name,
    password: fieldRules.password,
    password_confirmation: fieldRules.password_confirmation,
  }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], confirmed, 'Passwords do not match'), [
    'password_confirmation',
  ]),
);
export type Joining = v.InferOutput<typeof joining>;
