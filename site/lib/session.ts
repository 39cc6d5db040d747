import { atom } from 'nanostores';
import type { UserView } from '#server/auth/contract.ts';
import { api, onUnauthenticated } from './api.ts';
import { removeUserFiles } from './share-target/store.ts';
import { token } from './token.ts';

type Session =
  | { status: 'loading'; user: null }
  | { status: 'authenticated'; user: UserView }
  | { status: 'anonymous'; user: null }
  /** The session ended while `user` was working. */
  | { status: 'expired'; user: UserView };

export const $session = atom<Session>({ status: 'loading', user: null });

function clearSession(): void {
  token.clear();
  $session.set({ status: 'anonymous', user: null });
}

/** Ends the session in every tab, even if the server is unreachable. */
export async function signOut(): Promise<void> {
  const { user } = $session.get();
  await api.post('/api/auth/logout').catch(() => undefined);
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
  if (token.get() === null) return;
  try {
    const data = await api.get<UserView | { user: UserView }>('/api/auth/user');
    const user = 'user' in data ? data.user : data;
    const known = $session.get().user;
    // Somebody else has signed in in another tab: nothing of this page may be sent as theirs.
    if (known && known.id !== user.id) $session.set({ status: 'anonymous', user: null });
    else if (isIdentified(user)) $session.set({ status: 'authenticated', user });
    else await signOut();
  } catch {
    // `onUnauthenticated` has handled a 401.
  }
}

/** Starts the session of a page that the server rendered for `viewer`, and synchronises it with the other tabs. */
export function startSession(viewer: UserView): () => void {
  $session.set({ status: 'authenticated', user: viewer });
  onUnauthenticated.call = () => {
    // The expired token stays stored: clearing it would send the other tabs, with unsaved work, to the sign-in.
    const { user } = $session.get();
    if (user) $session.set({ status: 'expired', user });
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key !== token.key && event.key !== null) return;
    if (token.get() === null) $session.set({ status: 'anonymous', user: null });
    else void verify();
  };
  addEventListener('storage', onStorage);
  void verify();
  return () => removeEventListener('storage', onStorage);
}
