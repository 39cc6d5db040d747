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
        const first = url === null && file.begun === 0 && round === 1;
        const ask = url === null && (!first || sending.client.asksFirst(file.size));
        if (ask) {
          const { exists } = await sending.client.compare({
            parent_id,
            path: file.sub_path,
            sha256,
            size: file.size,
          });
          if (exists) return { item: exists, there: true };
        }
        return await upload(sending, url, { first, sha256: ask ? null : sha256 });
      } catch (error) {
        if (error instanceof Trouble && error.kind === 'content') files.hashed(file.id, null);
        if (!(error instanceof Trouble) || error.kind !== 'lost' || round === TRIES) throw error;
        url = null;
        files.located(file.id, null);
      }
    }
  } finally {
    release();
  }
}

const metadataOf = (file: QueuedFile, parent_id: number | null) => ({
  filename: file.name,
  ...(Math.abs(file.changed_at) < 8.64e15 && { original_at: new Date(file.changed_at).toISOString() }),
  parent_id: parent_id === null ? '' : String(parent_id),
  ...(file.sub_path !== '' && { path: file.sub_path }),
  ...(file.version === 1 && { conflict: 'replace' }),
  upload_key: file.upload_key,
});

/** @param sha256 of the file, where the vault has not been asked for it. */
async function upload(
  sending: Sending,
  known: string | null,
  { first, sha256 }: { first: boolean; sha256: string | null },
): Promise<{ item: Item; there: boolean }> {
  const { client, files, file, signal, pace, progress } = sending;
  const handle = await open(file.path);
  try {
    const piece = (start: number, end: number) =>
      counted(bytesOf(handle, file, { start, end, pace, signal }), start, progress);
    let url = known;
    let offset = 0;
    if (url === null) {
      // A reply that was lost leaves an upload at the vault, which the same key finds again.
      if (first) files.begin(file.id);
      const body = first && file.size <= PIECE_BYTES ? piece(0, file.size) : undefined;
      const metadata = { ...metadataOf(file, sending.parent_id), ...(sha256 !== null && { sha256 }) };
      const { item, ...begun } = await client.begin(metadata, file.size, { ...(body && { body }), signal });
      if (item) return { item, there: begun.there };
      url = begun.url;
      files.located(file.id, url);
      if (!first || body) offset = await client.offset(url);
    } else offset = await client.offset(url);

    for (let wrong = 0; ;) {
      progress(offset);
      if (offset === file.size) break;
      const end = Math.min(offset + PIECE_BYTES, file.size);
      try {
        const answer = await client.send(url, offset, piece(offset, end), end - offset, signal);
        if (answer.item) return { item: answer.item, there: false };
        offset = answer.offset;
      } catch (error) {
        if (!(error instanceof Trouble) || error.kind !== 'offset' || (wrong += 1) > TRIES) throw error;
        offset = await client.offset(url);
      }
      files.sent(file.id, offset);
    }
    const item = await client.outcome(url);
    if (item) return { item, there: false };
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
