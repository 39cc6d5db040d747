import { open } from 'node:fs/promises';
import type { AbandonedUpload } from '#desktop/queue/abandoned.ts';
import type { Files, QueuedFile } from '#desktop/queue/files.ts';
import { PIECE_BYTES } from '#server/desktop/contract.ts';
import { bytesOf, requireUnchanged } from './content.ts';
import type { ContentCheck } from './content-check.ts';
import { createContentCheck } from './content-check.ts';
import type { Pace } from './pace.ts';
import { UploadError } from './upload-error.ts';
import type { Item, VaultClient } from './vault-client.ts';

/** How often an upload is restarted, or its offset queried, before the file is left for a later attempt. */
const TRIES = 3;

export interface Sending {
  client: VaultClient;
  files: Files;
  pace: Pace;
  file: QueuedFile;
  /** Target folder: of the watched folder, or as chosen for a dropped file. */
  parent_id: number | null;
  /** The data folder of the vault from which the file's `item_id` is; null if unknown. */
  data_folder: string | null;
  signal: AbortSignal;
  /** Reports the bytes that the vault has or is receiving. */
  progress: (bytes: number) => void;
  /** A mutex for uploads of the same content to the same target. @returns releases it. */
  lock: (key: string) => Promise<() => void>;
}

/** The upload at the vault; null before it has started. */
interface UploadRef {
  url: string | null;
}
type Sent = { item: Item; existed: boolean };

/** Uploads one file. @returns the item, and whether it existed before. */
export async function sendFile(sending: Sending): Promise<Sent> {
  const { client, files, file } = sending;
  await requireUnchanged(file);
  const content = createContentCheck(sending);
  const ref: UploadRef = { url: file.upload_url };
  // Hashing a large file takes as long as uploading a good part of it. The vault is only asked first when the
  // hash is known, or the content is likely there.
  let sendAtOnce =
    file.size > PIECE_BYTES &&
    file.sent_before === 0 &&
    (ref.url !== null || (file.sha256 === null && !client.lastExisted()));
  try {
    for (let round = 1; ; round += 1) {
      const first = ref.url === null && file.begun === 0 && round === 1;
      try {
        if (sendAtOnce) return await sendWhileChecking(sending, ref, content, first);
        const sha256 = await content.hash();
        const ask = ref.url === null && (!first || file.sent_before > 0 || client.comparesFirst(file.size));
        const item = ask ? await content.findExisting() : null;
        return item
          ? { item, existed: true }
          : await upload(sending, ref, { first, ...(!ask && { sha256 }) });
      } catch (error) {
        if (!(error instanceof UploadError)) throw error;
        if (error.kind === 'content') files.hashed(file.id, null);
        // The vault refuses new uploads, for example without free space, but may already have this content.
        const refused = sendAtOnce && ref.url === null && (error.kind === 'file' || error.hold === 'full');
        if (refused) sendAtOnce = false;
        else if (error.kind !== 'lost' || round === TRIES) throw error;
        ref.url = null;
        files.located(file.id, null);
      }
    }
  } finally {
    await content.end();
  }
}

/** Uploads while checking whether the vault has the content; if so, the upload is cancelled. */
async function sendWhileChecking(
  sending: Sending,
  ref: UploadRef,
  content: ContentCheck,
  first: boolean,
): Promise<Sent> {
  const { client, files, file, signal } = sending;
  const stop = new AbortController();
  const checking = content.findExisting();
  checking.then(
    (item) => item && stop.abort(),
    () => stop.abort(),
  );
  try {
    return await upload(sending, ref, {
      first,
      checking: { content, existing: checking, stop: stop.signal },
    });
  } catch (error) {
    signal.throwIfAborted();
    const item = stop.signal.aborted && (await checking);
    if (!item) throw error;
    if (ref.url !== null) await client.cancel(ref.url).catch(ignoreEnded);
    files.located(file.id, null);
    return { item, existed: true };
  }
}

/** An upload that has ended, or is being completed, needs no cancelling. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof UploadError && (error.kind === 'lost' || error.kind === 'offset'))) throw error;
}

/**
 * Cancels an upload that is no longer wanted. One that is complete stays.
 * @throws {UploadError} `hold` while the vault cannot be asked.
 */
export async function cancelUpload(client: VaultClient, abandoned: AbandonedUpload): Promise<void> {
  const { upload_key, name: filename, size } = abandoned;
  try {
    let url = abandoned.upload_url;
    if (url === null) {
      // Finds that of the same key, or begins one.
      const upload = await client.begin({ filename, parent_id: '', upload_key }, size, {});
      if (upload.item) return;
      ({ url } = upload);
    }
    await client.cancel(url);
  } catch (error) {
    // A full vault has none of this key, and begins none. A refusal will not change; one that has ended needs no cancelling.
    const mayChange = !(error instanceof UploadError) || error.kind === 'hold' || error.kind === 'again';
    if (mayChange && !(error instanceof UploadError && error.hold === 'full')) throw error;
  }
}

const metadataOf = ({ file, parent_id, data_folder }: Sending): Record<string, string> => ({
  filename: file.name,
  ...(Math.abs(file.changed_at) < 8.64e15 && { original_at: new Date(file.changed_at).toISOString() }),
  parent_id: parent_id === null ? '' : String(parent_id),
  ...(file.sub_path !== '' && { path: file.sub_path }),
  ...(file.item_id !== null && { conflict: 'replace', item_id: String(file.item_id) }),
  ...(file.item_id !== null && data_folder !== null && { data_folder }),
  upload_key: file.upload_key,
});

interface Attempt {
  /** Whether this is the first attempt. */
  first: boolean;
  /** SHA-256 of the file, when the vault was not asked for it. */
  sha256?: string;
  /** The last piece waits for this check, so that no duplicate content is completed. */
  checking?: { content: ContentCheck; existing: Promise<unknown>; stop: AbortSignal };
}

async function upload(sending: Sending, ref: UploadRef, { first, sha256, checking }: Attempt): Promise<Sent> {
  const { client, files, file, pace, progress } = sending;
  const signal = checking ? AbortSignal.any([sending.signal, checking.stop]) : sending.signal;
  const handle = await open(file.path);
  try {
    const piece = (start: number, end: number) =>
      counted(bytesOf(handle, file, { start, end, pace, signal }), start, progress);
    let offset = 0;
    if (ref.url === null) {
      // If the response is lost, the vault has an upload that the same key finds again.
      if (first) files.begin(file.id);
      const body = first && file.size <= PIECE_BYTES ? piece(0, file.size) : undefined;
      const metadata = { ...metadataOf(sending), ...(sha256 !== undefined && { sha256 }) };
      const { item, ...begun } = await client.begin(metadata, file.size, {
        ...(body && { body }),
        signal: sending.signal,
      });
      if (item) return { item, existed: begun.existed };
      ref.url = begun.url;
      files.located(file.id, ref.url);
      if (!first || body) offset = await client.offset(ref.url);
    } else offset = await client.offset(ref.url);

    for (let wrong = 0; ;) {
      progress(offset);
      if (offset === file.size) break;
      const end = Math.min(offset + PIECE_BYTES, file.size);
      if (checking && (end === file.size || checking.content.hashed())) await checking.existing;
      signal.throwIfAborted();
      try {
        const answer = await client.send(ref.url, offset, piece(offset, end), end - offset, signal);
        if (answer.item) return { item: answer.item, existed: false };
        offset = answer.offset;
      } catch (error) {
        if (!(error instanceof UploadError) || error.kind !== 'offset' || (wrong += 1) > TRIES) throw error;
        offset = await client.offset(ref.url);
      }
      files.sent(file.id, offset);
    }
    const item = await client.outcome(ref.url);
    if (item) return { item, existed: false };
    throw new UploadError('again', 'The vault has not finished taking this file in.');
  } finally {
    await handle.close();
  }
}

async function* counted(
  pieces: AsyncIterable<Buffer>,
  from: number,
  progress: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let position = from;
  for await (const piece of pieces) {
    yield piece;
    position += piece.length;
    progress(position);
  }
}
