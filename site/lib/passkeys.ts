import type {
  PasskeyAdded,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '#server/auth/passkeys/contract.ts';
import * as t from '#messages/passkeys.ts';
import { ApiError, api, messageOf } from './api.ts';
import type { Outcome } from './signIn.ts';
import { NO_ANSWER, signInWithAssertion } from './signIn.ts';

// Loaded on first use, to keep the sign-in page light.
const webauthn = () => import('@simplewebauthn/browser');

/** Whether the user closed the browser's prompt, or it timed out. */
const isCancelled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** Whether this browser supports passkeys. */
export const supportsPasskeys = (): boolean =>
  typeof window !== 'undefined' && 'PublicKeyCredential' in window;

/** Signs in by a passkey; `challenge` identifies the sign-in of which this is the second step. */
export async function signInWithPasskey(challenge?: string): Promise<Outcome> {
  const path = '/api/auth/login/passkey/options';
  try {
    const options = await api.send<PasskeyRequestOptions>('POST', path, { challenge }, { anonymous: true });
    const { startAuthentication } = await webauthn();
    return await signInWithAssertion(await startAuthentication({ optionsJSON: options.data }));
  } catch (error) {
    if (error instanceof ApiError)
      return { ok: false, code: error.code, message: messageOf(error, NO_ANSWER) };
    return { ok: false, code: 'stopped', message: isCancelled(error) ? t.signInStopped : t.signInFailed };
  }
}

/** Creates a passkey on the device. @throws {ApiError} with a message for every failure. */
export async function addPasskey(name: string, current_password: string): Promise<PasskeyAdded> {
  const options = await api.post<PasskeyCreationOptions>('/api/auth/passkeys/options', { current_password });
  const { startRegistration } = await webauthn();
  const response = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    const isRegistered = error instanceof Error && error.name === 'InvalidStateError';
    throw new ApiError(
      400,
      'stopped',
      isRegistered ? t.alreadyHere : isCancelled(error) ? t.stopped : t.addFailed,
    );
  });
  return api.post<PasskeyAdded>('/api/auth/passkeys', { name, response });
}

/** Step-up authentication by a passkey. @throws {ApiError} with a message for every failure. */
export async function proveWithPasskey(): Promise<void> {
  const options = await api.post<PasskeyRequestOptions>('/api/auth/prove/passkey');
  const { startAuthentication } = await webauthn();
  const response = await startAuthentication({ optionsJSON: options }).catch((error: unknown) => {
    throw new ApiError(400, 'stopped', isCancelled(error) ? t.signInStopped : t.signInFailed);
  });
  await api.post('/api/auth/prove', { response });
}
