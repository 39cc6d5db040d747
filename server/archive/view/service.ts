import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Actor } from '#server/actor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Documents, OpenedFile } from '#server/documents/service.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import type { Kept } from '#server/links/kept.ts';
import type { Recording } from '#server/links/record.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { Generated } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Contents } from './contents.ts';
import { contentsOf } from './contents.ts';
import type { EntriesQuery, EntriesView, EntryRequest } from '../contract.ts';
import { contentOf, demandReadable, locate } from '../read/content.ts';
import { readDirectory } from '../read/directory.ts';
import { planOf } from '../extract/plan.ts';
import { ArchiveRefused } from '../read/refusal.ts';
import { blobSource } from '../read/source.ts';

/** Archives whose contents are remembered, since who opens one folder of them opens the next. */
const REMEMBERED = 2;
const FORGOTTEN_AFTER = 2 * 60_000;

export interface ChosenEntry {
  itemId: number;
  path: string;
  password: string | undefined;
}

const refused = (error: unknown): unknown =>
  error instanceof ArchiveRefused ? new AppError(422, error.code, error.message) : error;

/** Shows what archives hold, and gives single files out of them, without unpacking. */
export function createArchiveViewer(use: {
  documents: Pick<Documents, 'openFile'>;
  blobs: BlobStore;
  record: Recording;
  daily: Pick<DailyLimit, 'demand'>;
  /** Keeps what a link stands for: a password has no place in an address. */
  kept: Kept<ChosenEntry>;
}) {
  const { documents, blobs, record, kept, daily } = use;
  /** By blob, which never changes; the one used last stands last. */
  const known = new Map<string, Promise<Contents>>();
  let forgetting: NodeJS.Timeout | undefined;

  async function read({ blob_id, size }: OpenedFile): Promise<Contents> {
    const source = blobSource(blobs, blob_id, size);
    try {
      return contentsOf(await planOf(await readDirectory(source)));
    } catch (error) {
      throw refused(error);
    } finally {
      source.close();
    }
  }

  async function archive(file: OpenedFile): Promise<Contents> {
    if (file.file_type !== 'zip') throw new AppError(422, 'not_a_zip', 'Only ZIP files can be looked into.');
    const { blob_id } = file;
    const reading = known.get(blob_id) ?? read(file);
    known.delete(blob_id);
    known.set(blob_id, reading);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value!);
    clearTimeout(forgetting);
    forgetting = setTimeout(() => known.clear(), FORGOTTEN_AFTER).unref();
    return reading.catch((error: unknown) => {
      known.delete(blob_id);
      throw error;
    });
  }

  async function chosen(actor: Actor, { itemId, path, password }: ChosenEntry): Promise<Generated> {
    const file = await documents.openFile(actor, itemId);
    const found = (await archive(file)).file(path);
    if (!found) throw notFound('file');
    const { name, entry } = found;
    const open = async () => {
      const source = blobSource(blobs, file.blob_id, file.size);
      try {
        demandReadable(entry, password);
        const { start, end } = await locate(source, entry);
        const content = contentOf(entry, source.bytes(start, end), password);
        const stream = Readable.from(content, { highWaterMark: 1 });
        return stream.once('close', () => source.close());
      } catch (error) {
        source.close();
        throw refused(error);
      }
    };
    return { name, type: 'application/octet-stream', size: entry.size, open };
  }

  /** Reads its first bytes, so that what is wrong with it is said before it is sent. */
  async function demandOpens({ open }: Generated): Promise<void> {
    try {
      for await (const _ of await open()) break;
    } catch (error) {
      throw refused(error);
    }
  }

  return {
    /**
     * What one folder of an archive holds, or what is named like `search` in all of it.
     * @throws {AppError} 403, 404; 422 for what is not a ZIP or would not be unpacked, with the reason.
     */
    async entries(actor: Actor, itemId: number, query: EntriesQuery): Promise<EntriesView> {
      const contents = await archive(await documents.openFile(actor, itemId));
      const { plan } = contents;
      const folder = contents.folder(query.path);
      if (folder === undefined) throw notFound('folder');
      const { entries, total } = await (query.search === ''
        ? contents.list(folder, query)
        : contents.find(query.search, query));
      return {
        path: query.path,
        entries,
        total,
        files: plan.files.length,
        folders: plan.folders.length,
        bytes: plan.bytes,
        formatted_bytes: formatBytes(plan.bytes),
        encrypted: plan.files.some(({ entry }) => entry.encryption !== null),
        skipped: plan.skipped,
        skipped_count: plan.skippedCount,
      };
    },

    /**
     * One file of an archive, for who has asked whether it may leave and puts it on record.
     * @throws {AppError} 403, 404; 422 with the reason.
     */
    async file(actor: Actor, what: ChosenEntry): Promise<Generated> {
      const file = await chosen(actor, what);
      await demandOpens(file);
      return file;
    },

    /**
     * One file of an archive of which something is to be shown, by name and bytes; its content is unpacked when asked for.
     * @throws {AppError} 403, 404; 422 with the reason, as `content` does.
     */
    async fileToShow(actor: Actor, itemId: number, path: string) {
      const { name, size, open } = await chosen(actor, { itemId, path, password: undefined });
      const content = async (): Promise<Buffer> => {
        try {
          return await buffer(await open());
        } catch (error) {
          throw refused(error);
        }
      };
      return { name, size: size ?? 0, content };
    },

    /**
     * A link to one file of an archive. Its first bytes are read: what opens a link cannot ask for another password.
     * @throws {AppError} 403, 404; 422 with the reason: `password_needed`, `wrong_password`, …
     */
    async link(actor: Actor, itemId: number, { path, password }: EntryRequest): Promise<string> {
      const file = await chosen(actor, { itemId, path, password });
      const { name } = file;
      await demandOpens(file);
      await daily.demand(actor, { subject: `item:${itemId}`, detail: { name, entry: path } });
      return kept.keep(actor, { itemId, path, password });
    },

    /**
     * What such a link gives. Its stream fails before the last bytes when the content is not what the archive says.
     * `sending` says that the bytes will be sent: then it goes on record.
     * @throws {AppError} 403 `bad_link`, 404, 422.
     */
    async open(token: string, { sending }: { sending: boolean }): Promise<Generated> {
      const { actor, what } = await kept.take(token);
      const file = await chosen(actor, what);
      const { itemId, path } = what;
      const detail = { name: file.name, entry: path };
      if (sending) await record(token, { actor, subject: `item:${itemId}`, detail });
      return file;
    },
  };
}
export type ArchiveViewer = ReturnType<typeof createArchiveViewer>;
