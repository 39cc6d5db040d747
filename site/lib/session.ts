import { atom } from 'nanostores';
import type { UserView } from '#server/auth/contract.ts';
import * as common from '#messages/common.ts';
import { ApiError, api, beforeCall, onUnauthenticated } from './api.ts';
import { removeUserFiles } from './share-target/store.ts';
import { token } from './token.ts';

type Session =
  | { status: 'loading'; user: null }
  | { status: 'authenticated'; user: UserView }
  /** Signed out in this tab. */
  | { status: 'anonymous'; user: null }
  /** The session ended while `user` was working. */
  | { status: 'expired'; user: UserView }
  /** `user` was signed out in another tab. */
  | { status: 'signed-out'; user: UserView }
  /** `by` signed in in another tab while `user` was working. */
  | { status: 'replaced'; user: UserView; by: UserView };

export const $session = atom<Session>({ status: 'loading', user: null });

/** The stored token, as far as it is known to be that of the session's user. */
let ownToken: string | null = null;

/** Starts the session of a user who has signed in in this tab. */
export function enterSession(user: UserView, bearer: string): void {
  token.set(bearer);
  ownToken = token.get();
  $session.set({ status: 'authenticated', user });
}

function clearSession(): void {
  token.clear();
  ownToken = null;
  $session.set({ status: 'anonymous', user: null });
}

/** Ends the session in every tab, even if the server is unreachable. */
export async function signOut(): Promise<void> {
  const { user } = $session.get();
  await api.post('/api/auth/logout', {}, { unchecked: true }).catch(() => undefined);
  if (user) await removeUserFiles(user.id).catch(() => undefined);
  clearSession();
}

/** Updates fields of the session's user. */
export function mergeUser(fields: Partial<UserView>): void {
  const session = $session.get();
  if (session.status === 'authenticated') $session.set({ ...session, user: { ...session.user, ...fields } });
}

const isIdentified = (user: Partial<UserView> | undefined): boolean =>
  Boolean(user?.name || user?.email || user?.id);

/** Verifies the stored token with the server; signs out if it belongs to no user. Without a response nothing changes. */
export async function verify(): Promise<void> {
  const stored = token.get();
  const known = $session.get().user;
  if (stored === null) {
    if (ownToken !== null && known) $session.set({ status: 'signed-out', user: known });
    return;
  }
  try {
    const data = await api.get<UserView | { user: UserView }>('/api/auth/user', { unchecked: true });
    const user = 'user' in data ? data.user : data;
    if (token.get() !== stored) return await verify();
    if (!isIdentified(user)) return await signOut();
    if (known && known.id !== user.id) return $session.set({ status: 'replaced', user: known, by: user });
    ownToken = stored;
    $session.set({ status: 'authenticated', user });
  } catch {
    // `onUnauthenticated` has handled a 401.
  }
}

const isTaken = (): boolean => ['signed-out', 'replaced'].includes($session.get().status);

/**
 * Resolves while the stored token is the user's own. After another one has signed in in another tab, what this page would
 * send waits: it must not be sent in their name.
 */
async function untilOwn(): Promise<void> {
  if (token.get() !== ownToken) await verify();
  if (isTaken())
    await new Promise<void>((resolve) => {
      const unsubscribe = $session.listen(() => {
        if (isTaken()) return;
        unsubscribe();
        resolve();
      });
    });
  else if (token.get() !== ownToken && $session.get().status === 'authenticated')
    throw new ApiError(0, 'network', common.networkError);
}

/** Starts the session of a page that the server rendered for `viewer`, and synchronises it with the other tabs. */
export function startSession(viewer: UserView): () => void {
  ownToken = token.get();
  $session.set({ status: 'authenticated', user: viewer });
  onUnauthenticated.call = () => {
    // The expired token stays stored: clearing it would sign out the other tabs too.
    const { user } = $session.get();
    if (user && !isTaken()) $session.set({ status: 'expired', user });
  };
  beforeCall.call = untilOwn;
  const onStorage = (event: StorageEvent) => {
    if (event.key === token.key || event.key === null) void verify();
  };
  addEventListener('storage', onStorage);
  void verify();
  return () => removeEventListener('storage', onStorage);
}
