import { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { refusedFile } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { requireDownload } from '#server/links/links.ts';
import type { MailAttachment } from '#server/previews/contract.ts';
import type { Previews } from '#server/previews/service.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import type { NewUploadDependencies } from '../new-upload.ts';
import { requireSession } from '../new-upload.ts';
import type { Repeats } from '../repeats.ts';
import type { Uploads } from '../service.ts';
import type { SavedAttachments, SaveRequest } from './contract.ts';

/** Attachments of so many bytes are taken out of the e-mail at once, since it is read anew each time. They are in memory meanwhile. */
const TOGETHER_BYTES = 16 * 1024 * 1024;
/** Names in one entry of the history; the upload of each file has an entry of its own. */
const NAMES_MAX = 20;
const DOWNLOAD = 'You can download it from the e-mail instead.';
const UNREADABLE =
  'It cannot be taken out of the e-mail here. Download the e-mail and open it in your e-mail program.';

/** Saves attachments of an e-mail in the drive as documents beside it. */
export function createAttachments(dependencies: {
  documents: Pick<Documents, 'openFile' | 'checkBeside' | 'addBeside'>;
  previews: Pick<Previews, 'attachmentContents' | 'attachments'>;
  uploads: Pick<Uploads, 'saveScanned' | 'saveTogether'>;
  blobs: BlobStore;
  repeats: Repeats;
  audit: Pick<Audit, 'record'>;
  again: NewUploadDependencies['again'];
}) {
  const { documents, previews, uploads, blobs, repeats } = dependencies;

  /** The attachments that a request asks for, each once. @throws {AppError} 404 for one that the e-mail does not have. */
  async function requested(actor: Actor, mailId: number, places: number[] | null): Promise<MailAttachment[]> {
    const all = await previews.attachments(actor, mailId);
    if (!places) return all;
    const byPlace = new Map(all.map((attachment) => [attachment.index, attachment]));
    return [...new Set(places)].map((place) => {
      const found = byPlace.get(place);
      if (!found) throw notFound('attachment');
      return found;
    });
  }

  /** The bytes of attachments, one after the other; null for what cannot be taken out of the e-mail, as when they are too many. */
  async function* contentsOf<One extends MailAttachment>(
    actor: Actor,
    mailId: number,
    all: readonly One[],
  ): AsyncGenerator<[One, Buffer | null]> {
    for (let start = 0, end = 0; start < all.length; start = end) {
      let bytes = 0;
      do bytes += all[end++]!.size;
      while (end < all.length && bytes + all[end]!.size <= TOGETHER_BYTES);
      const some = all.slice(start, end);
      const places = some.map(({ index }) => index);
      const found = await previews.attachmentContents(actor, mailId, places).catch((error: unknown) => {
        if (error instanceof AppError && error.status === 404) return null;
        throw error;
      });
      if (found) yield* some.map((one, n): [One, Buffer] => [one, found[n]!]);
      else if (some.length === 1) yield [some[0]!, null];
      // One of them hides the others.
      else for (const one of some) yield* contentsOf(actor, mailId, [one]);
    }
  }

  async function attempt(
    actor: Actor,
    mailId: number,
    { attachments }: SaveRequest,
  ): Promise<SavedAttachments> {
    requireDownload(actor);
    const mail = await documents.openFile(actor, mailId);
    await documents.checkBeside(actor, mailId, 0);
    const refused: SavedAttachments['refused'] = [];
    const wanted: { index: number; name: string; size: number; key: string; item: ItemView | null }[] = [];
    for (const { index, name, size } of await requested(actor, mailId, attachments)) {
      const message = refusedFile(name, size);
      // Not a key that a browser can choose for an upload: those are UUIDs.
      const key = `attachment ${mailId} ${mail.sha256} ${index}`;
      if (message) refused.push({ name, message: `${message}. ${DOWNLOAD}` });
      else wanted.push({ index, name, size, key, item: await repeats.findUnchanged(actor, key) });
    }
    const missing = wanted.filter(({ item }) => item === null);
    const bytes = missing.reduce((sum, { size }) => sum + size, 0);
    if (missing.length > 0) await documents.checkBeside(actor, mailId, bytes);
    const saved = new Map<number, ItemView>();
    const stored: StoredBlob[] = [];
    await uploads.saveTogether(stored, async () => {
      const files: ((typeof wanted)[number] & { blob: StoredBlob })[] = [];
      for await (const [one, bytes] of contentsOf(actor, mailId, missing)) {
        const { name } = one;
        if (bytes) {
          const blob = await blobs.put(Readable.from([bytes]));
          await uploads.saveScanned(actor, blob, name, async () => void stored.push(blob));
          files.push({ ...one, blob });
        } else refused.push({ name, message: UNREADABLE });
      }
      if (files.length === 0) return;
      await requireSession(dependencies, actor);
      await documents.addBeside(actor, mailId, async (trx, add) => {
        for (const { index, ...file } of files)
          saved.set(index, await repeats.record(trx, actor, file, () => add(file)));
        const names = [...saved.values()].map(({ name }) => name);
        await dependencies.audit.record(trx, {
          actor,
          did: 'document.save_attachments',
          subject: `item:${mailId}`,
          detail: { name: mail.name, attachments: names.slice(0, NAMES_MAX), files: names.length },
        });
      });
    });
    return {
      saved: wanted.flatMap(({ index, item, name: attachment }) => {
        const { id, name } = item ?? saved.get(index) ?? {};
        if (id === undefined || name === undefined) return [];
        return { id, name, attachment, parent_id: (item ?? mail.item).parent_id, earlier: item !== null };
      }),
      refused,
    };
  }

  return {
    /**
     * Saves attachments of an e-mail in its folder and for its client, as an upload would: all that are of accepted types, or none.
     * What the person has saved before is not saved again while it is still there with that content, so that a request may be repeated.
     * @throws {AppError} 403; 404; 422 on `parent_id` for a sealed folder, `quota_exceeded`, for an unreadable e-mail; 503.
     */
    async save(actor: Actor, mailId: number, request: SaveRequest): Promise<SavedAttachments> {
      try {
        return await attempt(actor, mailId, request);
      } catch (error) {
        // The same request was faster, such as that of a double click: this one gets what it saved.
        if (error instanceof AppError && error.code === 'upload_begun')
          return attempt(actor, mailId, request);
        throw error;
      }
    },
  };
}
export type Attachments = ReturnType<typeof createAttachments>;
