import type { ChangePiece } from '#server/events/contract.ts';
import { invalidateAll, invalidateAffected } from './cache.ts';
import { subscribeToEvents } from './events.ts';
import { $session, verify } from './session.ts';

type ChangeListener = (pieces: readonly ChangePiece[]) => void;

const changeListeners = new Set<ChangeListener>();
let subscription: { userId: number; unsubscribe: () => void } | null = null;

const listener = {
  changed(pieces: readonly ChangePiece[]): void {
    invalidateAffected(pieces);
    for (const notify of changeListeners) notify(pieces);
  },
  reset: invalidateAll,
  session(): void {
    void verify();
    invalidateAll();
  },
};

/** Subscribes to colleagues' changes, for data outside the query cache. @returns unsubscribe. */
export function subscribeToChanges(onChange: ChangeListener): () => void {
  changeListeners.add(onChange);
  return () => changeListeners.delete(onChange);
}

function stopLiveUpdates(): void {
  subscription?.unsubscribe();
  subscription = null;
}

/** Keeps the page's data current while the user is signed in, starting with the events after `renderedAt`. */
export function startLiveUpdates(userId: number, renderedAt: string): void {
  if (subscription?.userId === userId) return;
  stopLiveUpdates();
  subscription = { userId, unsubscribe: subscribeToEvents(listener, renderedAt) };
}

if (typeof window !== 'undefined') {
  // Refetches that failed while the network was down are repeated.
  addEventListener('online', () => subscription && invalidateAll());
  $session.listen(({ status, user }, before) => {
    if (status !== 'authenticated') return stopLiveUpdates();
    // After a new sign-in the events since then are unknown: without `renderedAt` everything is refetched.
    if (before && before.status !== 'loading' && before.status !== 'authenticated' && !subscription)
      subscription = { userId: user.id, unsubscribe: subscribeToEvents(listener) };
  });
}
