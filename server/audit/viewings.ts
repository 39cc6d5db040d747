import type { Clock } from '#server/clock.ts';
import { networkOf } from '#server/http/network.ts';
import type { Limit, Try } from '#server/http/rate-limiter.ts';
import type { AuditEntry } from './contract.ts';

/** Recorded viewings by one shared link from one network; each adds rows that are never deleted. */
const LINK_VIEWINGS: Limit = { name: 'share_viewing', tries: 600, seconds: 60 * 60 };

export const viewingTry = (linkId: number, ip: string): Try => ({
  limit: LINK_VIEWINGS,
  subject: `${linkId} ${networkOf(ip)}`,
});

/** A viewing ends when the user has requested nothing of the file for so many milliseconds. */
const VIEWING_MS = 15 * 60_000;

/** The viewings in progress: by user, file, version and content. */
export function createViewings(clock: Clock) {
  /** The time of the last request of each, oldest first. */
  const requested = new Map<string, number>();
  const keyOf = ({ actor, subject, detail, content = '' }: AuditEntry): string =>
    [
      actor?.userId,
      actor?.recipient?.visitor ?? actor?.sessionId ?? '',
      subject,
      detail?.version_of ?? '',
      content,
    ].join(' ');

  return {
    /** Whether the entry belongs to a viewing in progress, which then goes on: a long film is one viewing. */
    inProgress(entry: AuditEntry): boolean {
      const now = clock().getTime();
      for (const [oldest, requestedAt] of requested) {
        if (Math.abs(now - requestedAt) < VIEWING_MS) break;
        requested.delete(oldest);
      }
      const key = keyOf(entry);
      if (!requested.delete(key)) return false;
      requested.set(key, now);
      return true;
    },

    /** Starts a viewing if the entry records one. @returns a function that takes it back. */
    begin(entry: AuditEntry): () => void {
      if (entry.did !== 'document.download' || entry.detail?.inline !== true) return () => {};
      const key = keyOf(entry);
      requested.delete(key);
      requested.set(key, clock().getTime());
      return () => void requested.delete(key);
    },
  };
}
