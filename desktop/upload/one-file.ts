import { open } from 'node:fs/promises';
import type { Files, QueuedFile } from '#desktop/queue/files.ts';
import { bytesOf, demandSame, hashOf } from './content.ts';
import type { Pace } from './pace.ts';
import { Trouble } from './trouble.ts';
import type { Item, VaultClient } from './vault-client.ts';

/** Bytes of one request, which also pass through proxies that limit one. */
export const PIECE_BYTES = 16 * 1024 * 1024;
/** Times that an upload is begun again, or asked how far it is, before the file is left to a later try. */
const TRIES = 3;

export interface Sending {
  client: VaultClient;
  files: Files;
  pace: Pace;
  file: QueuedFile;
  /** Where it goes: its watched folder, or what was chosen when it was dropped. */
  parent_id: number | null;
  signal: AbortSignal;
  /** Bytes that the vault has, or is being sent. */
  progress: (bytes: number) => void;
  /** Only one at a time may send the same content to the same place. @returns what lets the next one go. */
  alone: (key: string) => Promise<() => void>;
}

/** Brings one file to the vault. @returns the item, and whether it was there before. */
export async function sendFile(sending: Sending): Promise<{ item: Item; there: boolean }> {
  const { files, file, signal, parent_id } = sending;
  await demandSame(file);
  const sha256 = file.sha256 ?? (await hashOf(file, signal));
  if (file.sha256 === null) files.hashed(file.id, sha256);
  const release = await sending.alone(`${parent_id}/${file.sub_path}/${sha256}`);
  try {
    let url = file.upload_url;
    for (let round = 1; ; round += 1) {
      try {
        if (url === null) {
          const { exists } = await sending.client.compare({
            parent_id,
            path: file.sub_path,
            sha256,
            size: file.size,
          });
          if (exists) return { item: exists, there: true };
        }
        return { item: await upload(sending, url, round), there: false };
      } catch (error) {
        if (!(error instanceof Trouble) || error.kind !== 'lost' || round === TRIES) throw error;
        url = null;
        files.located(file.id, null);
      }
    }
  } finally {
    release();
  }
}

const metadataOf = (file: QueuedFile, parent_id: number | null): Record<string, string> => ({
  filename: file.name,
  ...(Math.abs(file.changed_at) < 8.64e15 && { original_at: new Date(file.changed_at).toISOString() }),
  parent_id: parent_id === null ? '' : String(parent_id),
  ...(file.sub_path !== '' && { path: file.sub_path }),
  ...(file.version === 1 && { conflict: 'replace' }),
  upload_key: file.upload_key,
});

async function upload(sending: Sending, known: string | null, round: number): Promise<Item> {
  const { client, files, file, signal, pace, progress } = sending;
  const handle = await open(file.path);
  try {
    const piece = (start: number, end: number) => bytesOf(handle, file, { start, end, pace, signal });
    let url = known;
    let offset = 0;
    if (url === null) {
      // A reply that was lost leaves an upload at the vault, which the same key finds again.
      const first = file.begun === 0 && round === 1;
      if (first) files.begin(file.id);
      const body = first && file.size <= PIECE_BYTES ? piece(0, file.size) : undefined;
      const begun = await client.begin(metadataOf(file, sending.parent_id), file.size, {
        ...(body && { body }),
        signal,
      });
      if (begun.item) return begun.item;
      url = begun.url;
      files.located(file.id, url);
      if (!first || body) offset = await client.offset(url);
    } else offset = await client.offset(url);

    for (let wrong = 0; ;) {
      progress(offset);
      if (offset === file.size) break;
      const end = Math.min(offset + PIECE_BYTES, file.size);
      try {
        const answer = await client.send(
          url,
          offset,
          counted(piece(offset, end), offset, progress),
          end - offset,
          signal,
        );
        if (answer.item) return answer.item;
        offset = answer.offset;
      } catch (error) {
        if (!(error instanceof Trouble) || error.kind !== 'offset' || (wrong += 1) > TRIES) throw error;
        offset = await client.offset(url);
      }
      files.sent(file.id, offset);
    }
    const item = await client.outcome(url);
    if (item) return item;
    throw new Trouble('again', 'The vault has not finished taking this file in.');
  } finally {
    await handle.close();
  }
}

async function* counted(
  pieces: AsyncIterable<Buffer>,
  from: number,
  progress: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let at = from;
  for await (const piece of pieces) {
    yield piece;
    at += piece.length;
    progress(at);
  }
}
