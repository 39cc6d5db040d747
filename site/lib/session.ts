import { atom } from 'nanostores';
import type { SecondWay, SignedIn, TwoStepChallenge, UserView } from '#server/auth/contract.ts';
import * as t from '#messages/auth.ts';
import type { FieldMessages } from './apiError.ts';
import { ApiError, api, onUnauthenticated } from './api.ts';
import { removeUserFiles } from './share-target/store.ts';
import { token } from './token.ts';

export type Session =
  | { status: 'loading'; user: null }
  | { status: 'authenticated'; user: UserView }
  | { status: 'anonymous'; user: null }
  /** It ended in the middle of work; `user` is whose it was. */
  | { status: 'expired'; user: UserView };

export const $session = atom<Session>({ status: 'loading', user: null });

/** What `signInWithCode` takes with a code, and by which ways it can be done beside a recovery code. */
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
      /** The server's stable word for it. */
      code?: string;
      /** The password was right, and a second step is asked for. */
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

/** What to say where the server says nothing fit to be shown. */
interface Texts {
  401?: string;
  /** It answered with a failure. */
  fallback: string;
  /** It answered, but did not do it. */
  undone: string;
}

export const NO_ANSWER = t.networkError;

function end(): void {
  token.clear();
  $session.set({ status: 'anonymous', user: null });
}

/** What to tell who tried to sign in or to register. */
function explain(error: ApiError, texts: Texts): Outcome {
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

async function enter(path: string, body: unknown, texts: Texts): Promise<Outcome> {
  try {
    const answer = await api.send<SignedIn | TwoStepChallenge | null>('POST', path, body, {
      anonymous: true,
    });
    const entry = answer.data;
    if (!answer.success || !entry) return { ok: false, message: answer.message || texts.undone };
    if ('two_step' in entry) return { ok: false, message: '', second: entry.two_step };
    const { user, token: bearer } = entry;
    token.set(bearer);
    $session.set({ status: 'authenticated', user });
    return { ok: true, user };
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'unreadable') return explain(error, texts);
    throw error;
  }
}

/** As a sign-in ends that must say something in any case: without an answer, that there was none. */
export const orNetworkError = (asked: Promise<Outcome>): Promise<Outcome> =>
  asked.catch(() => ({ ok: false, message: NO_ANSWER }));

export const signIn = (email: string, password: string): Promise<Outcome> =>
  enter(
    '/api/auth/login',
    { email, password },
    {
      401: t.invalidCredentials,
      fallback: t.loginFailedTryAgain,
      undone: t.loginFailed,
    },
  );

/** The second step, after a sign-in that gave a challenge. */
export const signInWithCode = (challenge: string, code: string): Promise<Outcome> =>
  enter(
    '/api/auth/login/code',
    { challenge, code },
    {
      fallback: t.loginFailedTryAgain,
      undone: t.loginFailed,
    },
  );

/** What a passkey has signed. */
export const signInWithAssertion = (response: unknown): Promise<Outcome> =>
  enter('/api/auth/login/passkey', { response }, { fallback: t.loginFailedTryAgain, undone: t.loginFailed });

export const register = (payload: RegistrationPayload): Promise<Outcome> =>
  enter('/api/auth/register', payload, {
    fallback: t.registrationFailedTryAgain,
    undone: t.registrationFailed,
  });

/** Ends the session here and in every tab, even when the server cannot be asked. */
export async function signOut(): Promise<void> {
  const { user } = $session.get();
  await api.post('/api/auth/logout').catch(() => undefined);
  if (user) await removeUserFiles(user.id).catch(() => undefined);
  end();
}

/** Changes fields of the user on every screen that shows them. */
export function mergeUser(fields: Partial<UserView>): void {
  const session = $session.get();
  if (session.status === 'authenticated') $session.set({ ...session, user: { ...session.user, ...fields } });
}

const isSomebody = (user: Partial<UserView> | undefined): boolean =>
  Boolean(user?.name || user?.email || user?.id);

/** Asks the server who the stored token is; nobody means the session is over. Without an answer nothing changes. */
export async function verify(): Promise<void> {
  if (token.get() === null) return;
  try {
    const answer = await api.get<UserView | { user: UserView }>('/api/auth/user');
    const user = 'user' in answer ? answer.user : answer;
    if (isSomebody(user)) $session.set({ status: 'authenticated', user });
    else await signOut();
  } catch {
    // A 401 has been handled where it came in.
  }
}

/** Starts the session of a page the server rendered for `viewer`, and keeps it in step with the other tabs. */
export function startSession(viewer: UserView): () => void {
  $session.set({ status: 'authenticated', user: viewer });
  onUnauthenticated.call = () => {
    // The dead token stays: taking it away would send the other tabs, and the work in them, to the sign-in.
    const { user } = $session.get();
    if (user) $session.set({ status: 'expired', user });
  };
  const follow = (event: StorageEvent) => {
    if (event.key !== token.key && event.key !== null) return;
    if (token.get() === null) $session.set({ status: 'anonymous', user: null });
    else void verify();
  };
  addEventListener('storage', follow);
  void verify();
  return () => removeEventListener('storage', follow);
}
