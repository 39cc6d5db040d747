import * as v from 'valibot';
import type { ClientScope, Permission, Role } from '#server/permissions.ts';
import { atLeast } from '#server/text/length.ts';
import { tenDigits } from '#server/text/phone.ts';

/** The hours in which a user may work, in Indian Standard Time. */
export interface WorkHours {
  /** From Monday = 1 to Sunday = 7. */
  days: number[];
  /** `09:30`. */
  from: string;
  /** Exclusive; on the next day unless it is after `from`. */
  to: string;
}

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** `Monday to Saturday, 09:30 to 19:00 IST`; days that are not consecutive are listed one by one. */
export function hoursText({ days, from, to }: WorkHours): string {
  const sorted = days.toSorted((a, b) => a - b);
  const names = sorted.map((day) => DAYS[day - 1]!);
  const areConsecutive = sorted.every((day, index) => index === 0 || day === sorted[index - 1]! + 1);
  const dayText =
    names.length === 7
      ? 'every day'
      : names.length > 2 && areConsecutive
        ? `${names[0]} to ${names.at(-1)}`
        : names.length > 1
          ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
          : names[0];
  return `${dayText}, ${from} to ${to} IST`;
}

export interface UserView {
  id: number;
  name: string;
  full_name: string;
  email: string;
  initials: string;
  role: Role;
  /** The effective permissions. */
  permissions: Permission[];
  client_scope: ClientScope;
  /** False beyond the number of users that the plan allows: the user may only read and download. */
  seated: boolean;
  /** Whether the user must set up two-step sign-in before anything else, because the firm requires it. */
  owes_two_step: boolean;
  phone: string;
  ca_license_number: string;
  firm_name: string;
}

/** The response to a completed sign-in. */
export interface SignedIn {
  user: UserView;
  token: string;
}

/** A second step: a code from an app on the phone, or a passkey. */
export type SecondWay = 'app' | 'passkey';

/**
 * The response to a correct password when a second step is required; `POST /api/auth/login/code` takes the challenge
 * and the code.
 */
export interface TwoStepChallenge {
  two_step: {
    challenge: string;
    /** Recovery codes work beside each of them. */
    ways: SecondWay[];
    /** The lifetime of the challenge, in seconds. */
    expires_in: number;
  };
}

/** The second steps by which the user can prove their identity again, beside the password. */
export interface ProofWays {
  ways: SecondWay[];
}

export interface TwoStepStatus {
  /** ISO 8601; null while two-step sign-in is off. */
  enabled_at: string | null;
  recovery_codes_left: number;
}

export interface TwoStepSetup {
  /** Base32 in groups of four, for typing by hand. */
  secret: string;
  /** `otpauth://…`, for the QR code. */
  address: string;
}

/** A device on which the user is signed in. */
export interface DeviceView {
  id: number;
  /** `Firefox on Windows`. */
  name: string;
  place: string;
  signed_in_at: string;
  last_used_at: string;
  is_current: boolean;
}

/** A sign-in on an unknown device, about which its owner got an e-mail. */
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

/** Normalisations that the registration form applies while the user types. */
export const normalise = {
  name: (text: string) => text.replace(/[^\p{L}\p{M}\s]/gu, ''),
  license: (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase(),
  phone: (text: string) => tenDigits(text) ?? text.replace(/\D/g, ''),
};

/** Long enough for any passphrase, short enough that hashing it costs nothing. */
const PASSWORD_MAX = 1024;

export const PASSWORD_TOO_COMMON =
  'This password is one of the first that attackers try. Choose another, such as a short sentence.';
export const PASSWORD_TOO_NEAR =
  'Do not use your name, your firm, your e-mail address or your phone number as the password.';

/** The facts about the owner of a password that an attacker who knows the person tries first. */
export type Person = Partial<Pick<UserView, 'name' | 'email' | 'firm_name' | 'phone' | 'ca_license_number'>>;

/** Folds case and compatibility characters, as password guessers do. */
export const plainOf = (text: string): string => text.normalize('NFKC').toLowerCase();
export const lettersOf = (text: string): string => plainOf(text).replace(/[^\p{L}\p{M}]/gu, '');
const lettersAndDigits = (text: string): string => plainOf(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * Whether a password consists of the person's own name, firm, e-mail address, phone or licence number, apart from
 * digits and signs.
 */
export function isNear(
  password: string,
  { name, email, firm_name, phone, ca_license_number }: Person,
): boolean {
  const [local = '', domain = ''] = (email ?? '').split('@');
  const facts = [email, local, domain, name, firm_name, phone, ca_license_number].map((text) => text ?? '');
  const words = [...facts.slice(0, 5), ...facts.slice(0, 5).flatMap((text) => text.split(/[\s@.&,_-]+/))];
  const letters = lettersOf(password);
  return (
    facts.some((text) => text !== '' && lettersAndDigits(text) === lettersAndDigits(password)) ||
    // Only from four letters on: `rao` may occur in a good password beside digits, `asharao` may not.
    (letters.length >= 4 && words.some((word) => lettersOf(word) === letters))
  );
}

const required = (message: string) => v.pipe(v.string(message), v.trim(), v.nonEmpty(message));
// No control characters, and none that change the text direction.
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
    atLeast(8, 'Password must be 8+ characters'),
    v.maxLength(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
  ),
  /** An existing password is compared and never judged. */
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

/** Six digits from the app, or a recovery code; the server tells them apart. */
const code = v.pipe(
  v.string('Enter the code'),
  v.trim(),
  v.nonEmpty('Enter the code'),
  v.maxLength(40, 'This code is too long'),
);
const secretText = v.pipe(
  v.string('The link is incomplete'),
  v.nonEmpty('The link is incomplete'),
  v.maxLength(100, 'The link is incomplete'),
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

/** Omitted fields stay unchanged. A new e-mail address needs the current password. */
export const profile = v.object({
  name: v.optional(fieldRules.name),
  email: v.optional(fieldRules.email),
  phone: v.optional(fieldRules.phone),
  ca_license_number: v.optional(fieldRules.ca_license_number),
  firm_name: v.optional(fieldRules.firm_name),
  current_password: v.optional(fieldRules.current_password),
});
export type Profile = v.InferOutput<typeof profile>;

/** The token of the link in an e-mail about a new device. */
export const deviceAlarm = v.object({ token: secretText });

export const emailConfirmation = v.object({ token: secretText });

export const secondStep = v.object({ challenge: secretText, code });
export type SecondStep = v.InferOutput<typeof secondStep>;

export const resetRequest = v.object({ email: fieldRules.email });

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

export const passwordOnly = v.object({ current_password: fieldRules.current_password });
/** The password may be omitted within minutes of the last proof of identity. */
export const optionalPassword = v.object({ current_password: v.optional(fieldRules.current_password) });
export const codeOnly = v.object({ code });
export const passwordAndCode = v.object({ current_password: fieldRules.current_password, code });

const INCOMPLETE_LINK = 'The link is incomplete';
/** The form of a person who joins a firm by invitation. */
export const joining = v.pipe(
  v.object({
    token: v.pipe(
      v.string(INCOMPLETE_LINK),
      v.nonEmpty(INCOMPLETE_LINK),
      v.maxLength(100, 'The link is incomplete'),
    ),
    name: fieldRules.name,
    password: fieldRules.password,
    password_confirmation: fieldRules.password_confirmation,
  }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], confirmed, 'Passwords do not match'), [
    'password_confirmation',
  ]),
);
export type Joining = v.InferOutput<typeof joining>;
