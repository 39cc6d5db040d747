import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { AuditEntry } from '#server/audit/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { DailyLimit } from './daily-limit.ts';
import type { Deduplicator } from './deduplicator.ts';
import { createMemoryDeduplicator } from './deduplicator.ts';

/** Longer than the lifetime of any link. */
export const RECORD_WINDOW_MS = 15 * 60_000;

/**
 * Counts downloads against the daily limit and writes them to the history, once per link: a video player requests
 * hundreds of ranges, and that is one download.
 */
export function createDownloadRecorder({
  audit,
  clock,
  daily,
  once = createMemoryDeduplicator(clock, RECORD_WINDOW_MS),
}: {
  audit: Audit;
  clock: Clock;
  daily: Pick<DailyLimit, 'count'>;
  /** Tokens of links that are in the history, or are being written to it. */
  once?: Deduplicator;
}) {
  /**
   * Resolves once the download by the link with this `token` is in the history. Not for HEAD requests, which send no bytes.
   * @param files in the download; 0 for a preview, which does not count.
   * @throws {AppError} 429 `download_limit`: the caller must send nothing.
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
export type RecordDownload = ReturnType<typeof createDownloadRecorder>;
