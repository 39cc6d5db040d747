import type { Archive, VersionedZip } from '#server/archive/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Clients } from '#server/clients/service.ts';
import type { Clock } from '#server/clock.ts';
import { aboutItem, previewKind } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import type { VersionRef } from '#server/documents/versions/contract.ts';
import { aboutVersion, openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { Sendable } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { DailyLimit } from '../links/daily-limit.ts';
import type { LinkPayloads } from '../links/link-payloads.ts';
import type { Links } from '../links/links.ts';
import { badLink } from '../links/links.ts';
import type { RecordDownload } from '../links/record-download.ts';
import { dayInIndia, minuteInIndia } from '#server/text/day-in-india.ts';
import { repairName, withNote } from '#server/text/file-names.ts';

/** Kinds that a browser displays from the original bytes. Everything else counts as a download, even with `inline=1`. */
const DISPLAYED_INLINE = new Set(['image', 'video', 'pdf', 'text']);

interface Opening {
  /** False for HEAD: the download is then neither counted nor recorded. */
  sending: boolean;
  /** The browser displays the file instead of saving it. */
  inline: boolean;
  /** The signed-in user of the request, which a browser that opens the link sends as well. */
  visitor?: Actor | null;
}

/** The content of a ZIP: chosen items, or all files of a client. */
export type Selection = { ids: readonly number[] } | { client: { id: number; name: string } };

const toSendable = (name: string, { version, size, open }: VersionedZip): Sendable => ({
  name: `${name}.zip`,
  fileType: 'zip',
  size,
  version,
  modifiedAt: null,
  open: async (range) => open(range),
});

export function createDownloads(dependencies: {
  documents: Pick<
    Documents,
    'brief' | 'openFile' | 'views' | 'files' | 'walk' | 'traverseClient' | 'countFiles'
  >;
  clients: Pick<Clients, 'client'>;
  archive: Archive;
  blobs: BlobStore;
  record: RecordDownload;
  clock: Clock;
  links: Links;
  daily: Pick<DailyLimit, 'requireLeft'>;
  selections: LinkPayloads<Selection>;
}) {
  const { documents, clients, archive, blobs, record, clock, links, daily, selections } = dependencies;

  const linkTo = async (actor: Actor, selection: Selection): Promise<string> =>
    `/api/documents/selection?token=${await selections.store(actor, selection)}`;

  /** The ZIP's name, its items, and its history entry. */
  function resolve(actor: Actor, selection: Selection) {
    if ('client' in selection) {
      const { id, name } = selection.client;
      const steps = documents.traverseClient(actor, id);
      return { name: repairName(name), steps, entry: { subject: `client:${id}`, detail: {} } };
    }
    const { ids } = selection;
    // A selection may have 20,000 items; the history entry lists the first hundred.
    const detail = { items: ids.length, ids: ids.slice(0, 100) };
    return {
      name: ids.length === 1 ? '1 item' : `${ids.length} items`,
      steps: documents.walk(actor, ids),
      entry: { detail },
    };
  }

  return {
    /**
     * Opens the link to item `id`: the original file, or a folder as a ZIP.
     * @throws {AppError} 403 `bad_link`, 404, 429 `download_limit`.
     */
    async open(token: string, id: number, { sending, inline, visitor }: Opening): Promise<Sendable> {
      const { actor, about } = await links.open(token, visitor);
      const entryOf = (name: string) => ({ actor, subject: `item:${id}`, detail: { name, inline } });
      if (about === aboutItem({ id, type: 'folder' })) {
        const { name } = await documents.brief(actor, id);
        const zip = await archive.zip(documents.walk(actor, [id]));
        if (sending) await record({ token, version: zip.version }, entryOf(name), Math.max(1, zip.files));
        return toSendable(name, zip);
      }
      if (about !== aboutItem({ id, type: 'file' })) throw badLink();
      const { name, blob_id, size, sha256, file_type, modified_at } = await documents.openFile(actor, id);
      const isPreview = inline && DISPLAYED_INLINE.has(previewKind(file_type) ?? '');
      if (sending)
        await record(
          { token, version: sha256, shown: isPreview },
          { ...entryOf(name), content: sha256 },
          isPreview ? 0 : 1,
        );
      const open: Sendable['open'] = (range) => blobs.get(blob_id, range);
      return { name, fileType: file_type, size, version: sha256, modifiedAt: modified_at, open };
    },

    /** Like `open`, for an earlier version of a file. @throws {AppError} 403 `bad_link`, 404, 429 `download_limit`. */
    async openVersion(
      token: string,
      ref: VersionRef,
      { sending, inline, visitor }: Opening,
    ): Promise<Sendable> {
      const { actor, about } = await links.open(token, visitor);
      if (about !== aboutVersion(ref)) throw badLink();
      const file = await documents.openFile(actor, ref);
      const { blob_id, size, sha256, name, file_type, modified_at } = file;
      const detail = { ...openedAs(file), inline };
      const isPreview = inline && DISPLAYED_INLINE.has(previewKind(file_type) ?? '');
      const entry = { actor, subject: `item:${ref.item}`, detail, content: sha256 };
      if (sending) await record({ token, version: sha256, shown: isPreview }, entry, isPreview ? 0 : 1);
      const open: Sendable['open'] = (range) => blobs.get(blob_id, range);
      // The file name contains the date: the present version may already be saved under the plain name.
      const dated = withNote(name, `version ${minuteInIndia(new Date(modified_at))}`);
      return { name: dated, fileType: file_type, size, version: sha256, modifiedAt: modified_at, open };
    },

    /** A link to several items as one ZIP. @throws {AppError} 403; 404 if one of them does not exist; 429 `download_limit`. */
    async select(actor: Actor, ids: readonly number[]): Promise<string> {
      const chosen = [...new Set(ids)];
      if ((await documents.views(actor, chosen)).length < chosen.length) throw notFound('item');
      const about = { detail: { items: chosen.length, ids: chosen.slice(0, 100) } };
      await daily.requireLeft(actor, about, () => documents.countFiles(documents.walk(actor, chosen)));
      return linkTo(actor, { ids: chosen });
    },

    /** A link to all files of a client as one ZIP. @throws {AppError} 403, 404; 422 `no_files`; 429 `download_limit`. */
    async selectClient(actor: Actor, id: number): Promise<string> {
      const { name } = await clients.client(actor, id);
      const { items } = await documents.files(actor, { client_id: id, limit: 1 });
      if (items.length === 0)
        throw new AppError(422, 'no_files', `There are no files of ${name} to download.`);
      const about = { subject: `client:${id}`, detail: { name } };
      await daily.requireLeft(actor, about, () => documents.countFiles(documents.traverseClient(actor, id)));
      return linkTo(actor, { client: { id, name } });
    },

    /** Opens the link to a selection. @throws {AppError} 403 `bad_link`, 404, 422 for too many items, 429 `download_limit`. */
    async openSelection(token: string, { sending }: { sending: boolean }): Promise<Sendable> {
      const { actor, payload } = await selections.load(token);
      const { name, steps, entry } = resolve(actor, payload);
      const zip = await archive.zip(steps);
      const sendable = toSendable(`${name} ${dayInIndia(clock())}`, zip);
      const detail = { name: sendable.name, ...entry.detail };
      const content = { token, version: zip.version };
      if (sending) await record(content, { actor, ...entry, detail }, Math.max(1, zip.files));
      return sendable;
    },
  };
}
export type Downloads = ReturnType<typeof createDownloads>;
