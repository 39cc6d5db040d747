import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { AuditEntry } from '#server/audit/contract.ts';
import type { Clock } from '#server/clock.ts';
import type { DailyLimit } from './daily-limit.ts';
import type { Deduplicator } from './deduplicator.ts';
import { createMemoryDeduplicator } from './deduplicator.ts';

/** Longer than the lifetime of any link. */
export const RECORD_WINDOW_MS = 15 * 60_000;

/** What a link gives at the moment. */
export interface LinkedContent {
  token: string;
  /** Identifies the content; see `Sendable`. */
  version: string;
  /** The browser displays it instead of saving it. */
  shown?: boolean;
}

const keyOf = ({ token, version, shown = false }: LinkedContent): string =>
  `${token} ${version}${shown ? ' shown' : ''}`;

/**
 * Counts downloads against the daily limit and writes them to the history, once per link and content: a video player
 * requests hundreds of ranges, and that is one download. What the link gives once its file or folder has changed is
 * another download.
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
  /** Links with their contents that are in the history, or are being written to it. */
  once?: Deduplicator;
}) {
  /**
   * Resolves once the download of this content by the link is in the history. Not for HEAD requests, which send no bytes.
   * @param files in the download; 0 for a preview, which does not count.
   * @throws {AppError} 429 `download_limit`: the caller must send nothing.
   */
  return async function record(
    content: LinkedContent,
    download: Omit<AuditEntry, 'did' | 'actor'> & { actor: Actor },
    files = 1,
  ): Promise<void> {
    const key = keyOf(content);
    await daily.count(download.actor, key, download, files);
    if (!(await once.isFirst(key))) return;
    try {
      await audit.recordAlone({ did: 'document.download', ...download });
    } catch (error) {
      await once.forget(key);
      throw error;
    }
  };
}
export type RecordDownload = ReturnType<typeof createDownloadRecorder>;
