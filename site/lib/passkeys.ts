import type {
  PasskeyAdded,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '#server/auth/passkeys/contract.ts';
import * as t from '#messages/passkeys.ts';
import { ApiError, api, messageOf } from './api.ts';
import type { Outcome } from './session.ts';
import { NO_ANSWER, signInWithAssertion } from './session.ts';

// Loaded when it is used: the first view of the sign-in does without.
const webauthn = () => import('@simplewebauthn/browser');

/** The person has closed what the browser asked, or has let it wait too long. */
const isStopped = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Whether this browser knows passkeys at all. */
export const supportsPasskeys = (): boolean =>
  typeof window !== 'undefined' && 'PublicKeyCredential' in window;

/** Has the person's device sign what the server asks; `challenge` is that of a second step. */
export async function signInWithPasskey(challenge?: string): Promise<Outcome> {
  const path = '/api/auth/login/passkey/options';
  try {
    const asked = await api.send<PasskeyRequestOptions>('POST', path, { challenge }, { anonymous: true });
    const { startAuthentication } = await webauthn();
    return await signInWithAssertion(await startAuthentication({ optionsJSON: asked.data }));
  } catch (error) {
    if (error instanceof ApiError)
      return { ok: false, code: error.code, message: messageOf(error, NO_ANSWER) };
    return { ok: false, code: 'stopped', message: isStopped(error) ? t.signInStopped : t.signInFailed };
  }
}

/** Makes a passkey on the device. @throws {ApiError} with words for all that can go wrong. */
export async function addPasskey(name: string, current_password: string): Promise<PasskeyAdded> {
  const asked = await api.post<PasskeyCreationOptions>('/api/auth/passkeys/options', { current_password });
  const { startRegistration } = await webauthn();
  const response = await startRegistration({ optionsJSON: asked }).catch((error: unknown) => {
    const isHere = error instanceof Error && error.name === 'InvalidStateError';
    throw new ApiError(400, 'stopped', isHere ? t.alreadyHere : isStopped(error) ? t.stopped : t.addFailed);
  });
  return api.post<PasskeyAdded>('/api/auth/passkeys', { name, response });
}

/** Has the person's device sign that it is them, once more. @throws {ApiError} with words for all that can go wrong. */
export async function proveWithPasskey(): Promise<void> {
  const asked = await api.post<PasskeyRequestOptions>('/api/auth/prove/passkey');
  const { startAuthentication } = await webauthn();
  const response = await startAuthentication({ optionsJSON: asked }).catch((error: unknown) => {
    throw new ApiError(400, 'stopped', isStopped(error) ? t.signInStopped : t.signInFailed);
  });
  await api.post('/api/auth/prove', { response });
}
