import { open } from 'node:fs/promises';
import type { Files, QueuedFile } from '#desktop/queue/files.ts';
import { bytesOf, demandSame } from './content.ts';
import type { Content } from './known-content.ts';
import { lookAt } from './known-content.ts';
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

/** Where an upload is at the vault; null before it was begun. */
interface Way {
  url: string | null;
}
type Sent = { item: Item; there: boolean };

/** Brings one file to the vault. @returns the item, and whether it was there before. */
export async function sendFile(sending: Sending): Promise<Sent> {
  const { client, files, file } = sending;
  await demandSame(file);
  const content = lookAt(sending);
  const way: Way = { url: file.upload_url };
  // To hash a large file takes as long as to send a good part of it. What was hashed before, or is likely there, is asked for first.
  let atOnce =
    file.size > PIECE_BYTES && (way.url !== null || (file.sha256 === null && !client.lastWasThere()));
  try {
    for (let round = 1; ; round += 1) {
      const first = way.url === null && file.begun === 0 && round === 1;
      try {
        if (atOnce) return await sendAndLook(sending, way, content, first);
        const sha256 = await content.hash();
        const ask = way.url === null && (!first || client.asksFirst(file.size));
        const item = ask ? await content.there() : null;
        return item ? { item, there: true } : await upload(sending, way, { first, ...(!ask && { sha256 }) });
      } catch (error) {
        if (!(error instanceof Trouble)) throw error;
        if (error.kind === 'content') files.hashed(file.id, null);
        // For what may not begin, as where there is no room, the vault can have the content all the same.
        const refused = atOnce && way.url === null && (error.kind === 'file' || error.hold === 'full');
        if (refused) atOnce = false;
        else if (error.kind !== 'lost' || round === TRIES) throw error;
        way.url = null;
        files.located(file.id, null);
      }
    }
  } finally {
    await content.end();
  }
}

/** Sends a file and looks meanwhile whether the vault has its content; then the upload is given up. */
async function sendAndLook(sending: Sending, way: Way, content: Content, first: boolean): Promise<Sent> {
  const { client, files, file, signal } = sending;
  const stop = new AbortController();
  const looking = content.there();
  looking.then(
    (item) => item && stop.abort(),
    () => stop.abort(),
  );
  try {
    return await upload(sending, way, { first, looking: { content, there: looking, stop: stop.signal } });
  } catch (error) {
    signal.throwIfAborted();
    const item = stop.signal.aborted && (await looking);
    if (!item) throw error;
    if (way.url !== null) await client.cancel(way.url).catch(unlessLost);
    files.located(file.id, null);
    return { item, there: true };
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof Trouble && error.kind === 'lost')) throw error;
}

const metadataOf = (file: QueuedFile, parent_id: number | null) => ({
  filename: file.name,
  ...(Math.abs(file.changed_at) < 8.64e15 && { original_at: new Date(file.changed_at).toISOString() }),
  parent_id: parent_id === null ? '' : String(parent_id),
  ...(file.sub_path !== '' && { path: file.sub_path }),
  ...(file.version === 1 && { conflict: 'replace' }),
  upload_key: file.upload_key,
});

interface Known {
  /** Whether nothing was tried to send it before. */
  first: boolean;
  /** Of the file, where the vault has not been asked for it. */
  sha256?: string;
  /** What the last piece waits for, so that no content becomes whole which is there already. */
  looking?: { content: Content; there: Promise<unknown>; stop: AbortSignal };
}

async function upload(sending: Sending, way: Way, { first, sha256, looking }: Known): Promise<Sent> {
  const { client, files, file, pace, progress } = sending;
  const signal = looking ? AbortSignal.any([sending.signal, looking.stop]) : sending.signal;
  const handle = await open(file.path);
  try {
    const piece = (start: number, end: number) =>
      counted(bytesOf(handle, file, { start, end, pace, signal }), start, progress);
    let offset = 0;
    if (way.url === null) {
      // A reply that was lost leaves an upload at the vault, which the same key finds again.
      if (first) files.begin(file.id);
      const body = first && file.size <= PIECE_BYTES ? piece(0, file.size) : undefined;
      const metadata = { ...metadataOf(file, sending.parent_id), ...(sha256 !== undefined && { sha256 }) };
      const { item, ...begun } = await client.begin(metadata, file.size, {
        ...(body && { body }),
        signal: sending.signal,
      });
      if (item) return { item, there: begun.there };
      way.url = begun.url;
      files.located(file.id, way.url);
      if (!first || body) offset = await client.offset(way.url);
    } else offset = await client.offset(way.url);

    for (let wrong = 0; ;) {
      progress(offset);
      if (offset === file.size) break;
      const end = Math.min(offset + PIECE_BYTES, file.size);
      if (looking && (end === file.size || looking.content.hashed())) await looking.there;
      signal.throwIfAborted();
      try {
        const answer = await client.send(way.url, offset, piece(offset, end), end - offset, signal);
        if (answer.item) return { item: answer.item, there: false };
        offset = answer.offset;
      } catch (error) {
        if (!(error instanceof Trouble) || error.kind !== 'offset' || (wrong += 1) > TRIES) throw error;
        offset = await client.offset(way.url);
      }
      files.sent(file.id, offset);
    }
    const item = await client.outcome(way.url);
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
