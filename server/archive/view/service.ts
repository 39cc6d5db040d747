import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Actor } from '#server/actor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Documents, OpenedFile } from '#server/documents/service.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import type { LinkPayloads } from '#server/links/link-payloads.ts';
import type { RecordDownload } from '#server/links/record-download.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { Generated } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Contents } from './contents.ts';
import { contentsOf } from './contents.ts';
import type { EntriesQuery, EntriesView, EntryRequest } from '../contract.ts';
import { contentOf, requireReadable, locate } from '../read/content.ts';
import { readDirectory } from '../read/directory.ts';
import { planOf } from '../extract/plan.ts';
import { ArchiveRefused } from '../read/refusal.ts';
import { blobSource } from '../read/source.ts';

/** Archives whose contents are cached, since a user who opens one folder opens the next. */
const MAX_CACHED = 2;
const CACHE_MS = 2 * 60_000;

interface ChosenEntry {
  itemId: number;
  path: string;
  password: string | undefined;
}

const toAppError = (error: unknown): unknown =>
  error instanceof ArchiveRefused ? new AppError(422, error.code, error.message) : error;

/** A file of an archive; the version is the archive's. */
type Entry = Generated & { version: string };

/** Lists the contents of archives and extracts single files, without unpacking the archive. */
export function createArchiveViewer(dependencies: {
  documents: Pick<Documents, 'openFile'>;
  blobs: BlobStore;
  record: RecordDownload;
  daily: Pick<DailyLimit, 'requireLeft'>;
  /** Stores the choice behind a link, since a password must not be part of a URL. */
  kept: LinkPayloads<ChosenEntry>;
}) {
  const { documents, blobs, record, kept, daily } = dependencies;
  /** By blob id, the most recently used last. Blobs never change. */
  const cache = new Map<string, Promise<Contents>>();
  let expiry: NodeJS.Timeout | undefined;

  async function read({ blob_id, size }: OpenedFile): Promise<Contents> {
    const source = blobSource(blobs, blob_id, size);
    try {
      return contentsOf(await planOf(await readDirectory(source)));
    } catch (error) {
      throw toAppError(error);
    } finally {
      source.close();
    }
  }

  async function contentsOfFile(file: OpenedFile): Promise<Contents> {
    if (file.file_type !== 'zip') throw new AppError(422, 'not_a_zip', 'Only ZIP files can be looked into.');
    const { blob_id } = file;
    const reading = cache.get(blob_id) ?? read(file);
    cache.delete(blob_id);
    cache.set(blob_id, reading);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    clearTimeout(expiry);
    expiry = setTimeout(() => cache.clear(), CACHE_MS).unref();
    return reading.catch((error: unknown) => {
      cache.delete(blob_id);
      throw error;
    });
  }

  async function openEntry(actor: Actor, { itemId, path, password }: ChosenEntry): Promise<Entry> {
    const file = await documents.openFile(actor, itemId);
    const found = (await contentsOfFile(file)).file(path);
    if (!found) throw notFound('file');
    const { name, entry } = found;
    const open = async () => {
      const source = blobSource(blobs, file.blob_id, file.size);
      try {
        requireReadable(entry, password);
        const { start, end } = await locate(source, entry);
        const content = contentOf(entry, source.bytes(start, end), password);
        const stream = Readable.from(content, { highWaterMark: 1 });
        return stream.once('close', () => source.close());
      } catch (error) {
        source.close();
        throw toAppError(error);
      }
    };
    return { name, type: 'application/octet-stream', size: entry.size, version: file.blob_id, open };
  }

  /** Reads the first bytes, so that a faulty entry is reported before a download begins. */
  async function requireOpens({ open }: Generated): Promise<void> {
    try {
      for await (const _ of await open()) break;
    } catch (error) {
      throw toAppError(error);
    }
  }

  return {
    /**
     * The contents of one folder of an archive, or the results of `search` in all of it.
     * @throws {AppError} 403, 404; 422 with the reason if the file is not a ZIP or cannot be unpacked.
     */
    async entries(actor: Actor, itemId: number, query: EntriesQuery): Promise<EntriesView> {
      const contents = await contentsOfFile(await documents.openFile(actor, itemId));
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
     * One file of an archive. The caller checks whether it may be downloaded, and audits that.
     * @throws {AppError} 403, 404; 422 with the reason.
     */
    async file(actor: Actor, what: ChosenEntry): Promise<Generated> {
      const { version: _, ...file } = await openEntry(actor, what);
      await requireOpens(file);
      return file;
    },

    /**
     * One file of an archive, for a preview. `content` unpacks it.
     * @throws {AppError} 403, 404; 422 with the reason, also from `content`.
     */
    async fileToShow(actor: Actor, itemId: number, path: string) {
      const { name, size, open } = await openEntry(actor, { itemId, path, password: undefined });
      const content = async (): Promise<Buffer> => {
        try {
          return await buffer(await open());
        } catch (error) {
          throw toAppError(error);
        }
      };
      return { name, size: size ?? 0, content };
    },

    /**
     * A link to one file of an archive. The password is checked here, since a link cannot ask for another one.
     * @throws {AppError} 403, 404; 422 with the reason: `password_needed`, `wrong_password`, …
     */
    async link(actor: Actor, itemId: number, { path, password }: EntryRequest): Promise<string> {
      const file = await openEntry(actor, { itemId, path, password });
      const { name } = file;
      await requireOpens(file);
      await daily.requireLeft(actor, { subject: `item:${itemId}`, detail: { name, entry: path } });
      return kept.store(actor, { itemId, path, password });
    },

    /**
     * Opens the file of such a link. Its stream fails before the last bytes if the content does not match the archive's checksum. With
     * `sending` the download is audited.
     * @throws {AppError} 403 `bad_link`, 404, 422.
     */
    async open(token: string, { sending }: { sending: boolean }): Promise<Generated> {
      const { actor, payload: what } = await kept.load(token);
      const { version, ...file } = await openEntry(actor, what);
      const { itemId, path } = what;
      const detail = { name: file.name, entry: path };
      if (sending) await record({ token, version }, { actor, subject: `item:${itemId}`, detail });
      return file;
    },
  };
}
export type ArchiveViewer = ReturnType<typeof createArchiveViewer>;
