import type { ChangePiece } from '#server/events/contract.ts';
import { invalidateAll, invalidateAffected } from './cache.ts';
import { subscribeToEvents } from './events.ts';
import { $session, verify } from './session.ts';

type Hearing = (pieces: readonly ChangePiece[]) => void;

const hearings = new Set<Hearing>();
let listening: { userId: number; stop: () => void } | null = null;

const listener = {
  changed(pieces: readonly ChangePiece[]): void {
    invalidateAffected(pieces);
    for (const hear of hearings) hear(pieces);
  },
  reset: invalidateAll,
  session(): void {
    void verify();
    invalidateAll();
  },
};

/** Hears what colleagues change, for what is not a list. @returns what ends it. */
export function subscribeToChanges(hear: Hearing): () => void {
  hearings.add(hear);
  return () => hearings.delete(hear);
}

function end(): void {
  listening?.stop();
  listening = null;
}

/** Keeps every screen of this page as it is at the server, from `drawnAt` on, while the user is signed in. */
export function startLiveUpdates(userId: number, drawnAt: string): void {
  if (listening?.userId === userId) return;
  end();
  listening = { userId, stop: subscribeToEvents(listener, drawnAt) };
}

if (typeof window !== 'undefined') {
  // What was told while there was no network could not be loaded.
  addEventListener('online', () => listening && invalidateAll());
  $session.listen(({ status, user }, before) => {
    if (status === 'anonymous' || status === 'expired') end();
    // Signed in again: what was missed meanwhile nobody can tell.
    if (status === 'authenticated' && before?.status === 'expired' && !listening)
      listening = { userId: user.id, stop: subscribeToEvents(listener) };
  });
}
