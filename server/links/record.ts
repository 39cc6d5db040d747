import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { AuditEntry } from '#server/audit/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { DailyLimit } from './daily-limit.ts';
import type { Once } from './once.ts';
import { onceInMemory } from './once.ts';

/** Longer than any link is good for, in milliseconds. */
export const REMEMBERED = 15 * 60_000;

/**
 * Counts downloads against what a person may have in a day, and puts them on record, each link once: a player asks for
 * hundreds of ranges, and that is one download.
 */
export function createRecording({
  audit,
  clock,
  daily,
  once = onceInMemory(clock, REMEMBERED),
}: {
  audit: Audit;
  clock: Clock;
  daily: Pick<DailyLimit, 'count'>;
  /** Links that are on record already, or are being put there. */
  once?: Once;
}) {
  /**
   * Resolves once the download by the link with this `token` is on record; whoever sends nothing does not call it.
   * @param files in it; 0 for a preview, which is looked at and does not count.
   * @throws {AppError} 429 `download_limit`: then nothing may be sent.
   */
  return async function record(
    token: string,
    download: Omit<AuditEntry, 'did' | 'actor'> & { actor: Actor },
    files = 1,
  ): Promise<void> {
    await daily.count(download.actor, token, download, files);
    if (!(await once.isFirst(token))) return;
    try {
      await audit.recordAlone({ did: 'document.download', ...download });
    } catch (error) {
      await once.forget(token);
      throw error;
    }
  };
}
export type Recording = ReturnType<typeof createRecording>;
