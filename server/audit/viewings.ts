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

/** Milliseconds during which a user's requests for the content of a file count as one viewing. */
const VIEWING_MS = 15 * 60_000;

/** The viewings in progress: by user, file and version. */
export function createViewings(clock: Clock) {
  /** The start of each, oldest first. */
  const starts = new Map<string, number>();
  const keyOf = ({ actor, subject, detail }: AuditEntry): string =>
    [
      actor?.userId,
      actor?.recipient?.visitor ?? actor?.sessionId ?? '',
      subject,
      detail?.version_of ?? '',
    ].join(' ');

  return {
    inProgress(entry: AuditEntry): boolean {
      const now = clock().getTime();
      for (const [oldest, startedAt] of starts) {
        if (Math.abs(now - startedAt) < VIEWING_MS) break;
        starts.delete(oldest);
      }
      return starts.has(keyOf(entry));
    },

    /** Starts a viewing if the entry records one. @returns a function that takes it back. */
    begin(entry: AuditEntry): () => void {
      if (entry.did !== 'document.download' || entry.detail?.inline !== true) return () => {};
      const key = keyOf(entry);
      starts.delete(key);
      starts.set(key, clock().getTime());
      return () => void starts.delete(key);
    },
  };
}
