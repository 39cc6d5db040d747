import type { Audit } from '#server/audit/service.ts';
import type { AuditEntry } from '#server/audit/contract.ts';
import type { Clock } from '#server/clock.ts';

/** Longer than any link is good for, in milliseconds. */
const REMEMBERED = 15 * 60_000;

/** Puts downloads on record, each link once: a player asks for hundreds of ranges, and that is one download. */
export function createRecording({ audit, clock }: { audit: Audit; clock: Clock }) {
  /** Links that are on record already, or are being put there, the oldest first. */
  const known = new Map<string, number>();

  /** Resolves once the download by the link with this `token` is on record; whoever sends nothing does not call it. */
  return async function record(token: string, download: Omit<AuditEntry, 'did'>): Promise<void> {
    const now = clock().getTime();
    for (const [old, at] of known) {
      if (now - at < REMEMBERED) break;
      known.delete(old);
    }
    if (known.has(token)) return;
    known.set(token, now);
    try {
      await audit.recordAlone({ did: 'document.download', ...download });
    } catch (error) {
      known.delete(token);
      throw error;
    }
  };
}
export type Recording = ReturnType<typeof createRecording>;
