import type { SecondWay, SignedIn, TwoStepChallenge, UserView } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import type { FieldMessages } from './apiError.ts';
import { ApiError, api } from './api.ts';
import { enterSession } from './session.ts';

/** The second step of a sign-in: the challenge for `signInWithCode`, and the ways offered beside a recovery code. */
export interface SecondStep {
  challenge: string;
  ways: readonly SecondWay[];
}

export type Outcome =
  | { ok: true; user: UserView }
  | {
      ok: false;
      message: string;
      errors?: FieldMessages;
      /** The server's stable error code. */
      code?: string;
      /** The password was right, and a second step is required. */
      second?: SecondStep;
    };

export interface RegistrationPayload {
  name: string;
  email: string;
  password: string;
  password_confirmation: string;
  ca_license_number: string;
  phone: string;
  firm_name: string;
  terms_accepted: boolean;
}

/** Texts for failures without a message from the server. */
interface Texts {
  401?: string;
  /** For an error response. */
  fallback: string;
  /** For a successful response without a user. */
  incomplete: string;
}

export const NO_ANSWER = t.networkError;

/** The outcome for a failed sign-in or registration. */
function failedOutcome(error: ApiError, texts: Texts): Outcome {
  const { status, message, errors, retryAfter, code } = error;
  if (status === 0) return { ok: false, message: navigator.onLine ? t.noServer(location.origin) : NO_ANSWER };
  if (status === 401 && texts[401]) return { ok: false, message: texts[401] };
  if (status === 419) return { ok: false, message: navigator.cookieEnabled ? t.sessionExpired : t.noCookies };
  if (status === 422 && errors)
    return { ok: false, message: Object.values(errors).flat().join(', '), errors };
  if (status === 429 && retryAfter && !/\d/.test(message)) {
    return { ok: false, message: `${message} ${t.tryAgainIn(retryAfter)}` };
  }
  return { ok: false, code, message: error.hasServerMessage ? message : texts.fallback };
}

async function authenticate(path: string, body: unknown, texts: Texts): Promise<Outcome> {
  try {
    const response = await api.send<SignedIn | TwoStepChallenge | null>('POST', path, body, {
      anonymous: true,
    });
    const { data } = response;
    if (!response.success || !data) return { ok: false, message: response.message || texts.incomplete };
    if ('two_step' in data) return { ok: false, message: '', second: data.two_step };
    const { user, token: bearer } = data;
    enterSession(user, bearer);
    return { ok: true, user };
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'unreadable') return failedOutcome(error, texts);
    throw error;
  }
}

/** Turns a rejection into the outcome "no answer from the server". */
export const orNetworkError = (outcome: Promise<Outcome>): Promise<Outcome> =>
  outcome.catch(() => ({ ok: false, message: NO_ANSWER }));

export const signIn = (email: string, password: string): Promise<Outcome> =>
  authenticate(
    '/api/auth/login',
    { email, password },
    {
      401: t.invalidCredentials,
      fallback: t.loginFailedTryAgain,
      incomplete: t.loginFailed,
    },
  );

/** The second step by a code, after a sign-in that returned a challenge. */
export const signInWithCode = (challenge: string, code: string): Promise<Outcome> =>
  authenticate(
    '/api/auth/login/code',
    { challenge, code },
    {
      fallback: t.loginFailedTryAgain,
      incomplete: t.loginFailed,
    },
  );

/** Signs in with a passkey's WebAuthn response. */
export const signInWithAssertion = (response: unknown): Promise<Outcome> =>
  authenticate(
    '/api/auth/login/passkey',
    { response },
    { fallback: t.loginFailedTryAgain, incomplete: t.loginFailed },
  );

export const register = (payload: RegistrationPayload): Promise<Outcome> =>
  authenticate('/api/auth/register', payload, {
    fallback: t.registrationFailedTryAgain,
    incomplete: t.registrationFailed,
  });
