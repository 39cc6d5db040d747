import type { Actor } from '#server/actor.ts';
import { requireDownload } from '#server/links/links.ts';
import type { DavDependencies } from './dependencies.ts';

/** Clients read one file in many ranges: within this many ms they count as one download. */
const DOWNLOAD_WINDOW_MS = 15 * 60_000;

/**
 * Opens a document whose bytes leave the vault, or go where a program reads them without being asked again.
 * @param counted whether bytes are sent: such a download counts towards the daily limit and is in the history.
 * @throws {AppError} 403 `look_only`, 404, 429 `download_limit`.
 */
export async function openDownload(
  { documents, record, clock }: Pick<DavDependencies, 'documents' | 'record' | 'clock'>,
  actor: Actor,
  id: number,
  { counted }: { counted: boolean },
): ReturnType<DavDependencies['documents']['openFile']> {
  requireDownload(actor);
  const file = await documents.openFile(actor, id);
  if (counted) {
    const when = Math.floor(clock().getTime() / DOWNLOAD_WINDOW_MS);
    const token = `dav ${actor.app!.id} ${id} ${when}`;
    await record(
      { token, version: file.sha256 },
      { actor, subject: `item:${id}`, detail: { name: file.name } },
    );
  }
  return file;
}
