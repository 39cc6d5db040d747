import type { Archive, VersionedZip } from '#server/archive/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Clients } from '#server/clients/service.ts';
import type { Clock } from '#server/clock.ts';
import { previewKind } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import type { VersionRef } from '#server/documents/versions/contract.ts';
import { aboutVersion, openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { Sendable } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { DailyLimit } from '../links/daily-limit.ts';
import type { Kept } from '../links/kept.ts';
import type { Links } from '../links/links.ts';
import { badLink } from '../links/links.ts';
import type { Recording } from '../links/record.ts';
import { minuteInIndia } from '#server/text/day-in-india.ts';
import { repairName, withNote } from '#server/text/names.ts';

/** What a browser shows from the file's own bytes; everything else is a download, whatever the link says. */
const SHOWN_AS_IT_IS = new Set(['image', 'video', 'pdf', 'text']);

export type Choice = { ids: readonly number[] } | { client: { id: number; name: string } };

const zipped = (name: string, { version, size, open }: VersionedZip): Sendable => ({
  name: `${name}.zip`,
  fileType: 'zip',
  size,
  version,
  modifiedAt: null,
  open: async (range) => open(range),
});

export function createDownloads(use: {
  documents: Pick<
    Documents,
    'brief' | 'openFile' | 'views' | 'files' | 'walk' | 'traverseClient' | 'countFiles'
  >;
  clients: Pick<Clients, 'client'>;
  archive: Archive;
  blobs: BlobStore;
  record: Recording;
  clock: Clock;
  links: Links;
  daily: Pick<DailyLimit, 'demand'>;
  selections: Kept<Choice>;
}) {
  const { documents, clients, archive, blobs, record, clock, links, daily, selections } = use;

  const linkTo = async (actor: Actor, what: Choice): Promise<string> =>
    `/api/documents/selection?token=${await selections.keep(actor, what)}`;

  function chosen(actor: Actor, what: Choice) {
    if ('client' in what) {
      const { id, name } = what.client;
      const steps = documents.traverseClient(actor, id);
      return { name: repairName(name), steps, entry: { subject: `client:${id}`, detail: {} } };
    }
    const { ids } = what;
    // The trail names the first hundred; a row of twenty thousand ids would help nobody.
    const detail = { items: ids.length, ids: ids.slice(0, 100) };
    return { name: `${ids.length} items`, steps: documents.walk(actor, ids), entry: { detail } };
  }

  return {
    /**
     * What a link to item `id` gives: a file as it is, a folder as a ZIP. `sending` says that the bytes will be sent: then it goes on record.
     * @throws {AppError} 403 `bad_link`, 404, 429 `download_limit`.
     */
    async open(
      token: string,
      id: number,
      { sending, inline }: { sending: boolean; inline: boolean },
    ): Promise<Sendable> {
      const { actor, about } = await links.open(token);
      if (about !== `item:${id}`) throw badLink();
      const { name, type } = await documents.brief(actor, id);
      const entry = { actor, subject: `item:${id}`, detail: { name, inline } };
      if (type === 'folder') {
        const zip = await archive.zip(documents.walk(actor, [id]));
        if (sending) await record(token, entry, Math.max(1, zip.files));
        return zipped(name, zip);
      }
      const { blob_id, size, sha256, file_type, modified_at } = await documents.openFile(actor, id);
      const looks = inline && SHOWN_AS_IT_IS.has(previewKind(file_type) ?? '');
      if (sending) await record(token, entry, looks ? 0 : 1);
      const open: Sendable['open'] = (range) => blobs.get(blob_id, range);
      return { name, fileType: file_type, size, version: sha256, modifiedAt: modified_at, open };
    },

    /** As `open`, an earlier version of a file. @throws {AppError} 403 `bad_link`, 404, 429 `download_limit`. */
    async openVersion(
      token: string,
      ref: VersionRef,
      { sending, inline }: { sending: boolean; inline: boolean },
    ): Promise<Sendable> {
      const { actor, about } = await links.open(token);
      if (about !== aboutVersion(ref)) throw badLink();
      const file = await documents.openFile(actor, ref);
      const { blob_id, size, sha256, name, file_type, modified_at } = file;
      const detail = { ...openedAs(file), inline };
      const looks = inline && SHOWN_AS_IT_IS.has(previewKind(file_type) ?? '');
      if (sending) await record(token, { actor, subject: `item:${ref.item}`, detail }, looks ? 0 : 1);
      const open: Sendable['open'] = (range) => blobs.get(blob_id, range);
      // Beside the present one, whose name it has.
      const dated = withNote(name, `version ${minuteInIndia(new Date(modified_at))}`);
      return { name: dated, fileType: file_type, size, version: sha256, modifiedAt: modified_at, open };
    },

    /** A link to several items as one ZIP. @throws {AppError} 403; 404 when one of them is not there. */
    async select(actor: Actor, ids: readonly number[]): Promise<string> {
      const chosen = [...new Set(ids)];
      if ((await documents.views(actor, chosen)).length < chosen.length) throw notFound('item');
      const about = { detail: { items: chosen.length, ids: chosen.slice(0, 100) } };
      await daily.demand(actor, about, () => documents.countFiles(documents.walk(actor, chosen)));
      return linkTo(actor, { ids: chosen });
    },

    /** A link to all files of a client as one ZIP. @throws {AppError} 403, 404; 422 `no_files` when there are none. */
    async selectClient(actor: Actor, id: number): Promise<string> {
      const { name } = await clients.client(actor, id);
      const { items } = await documents.files(actor, { client_id: id, limit: 1 });
      if (items.length === 0)
        throw new AppError(422, 'no_files', `There are no files of ${name} to download.`);
      const about = { subject: `client:${id}`, detail: { name } };
      await daily.demand(actor, about, () => documents.countFiles(documents.traverseClient(actor, id)));
      return linkTo(actor, { client: { id, name } });
    },

    /** What such a link gives. @throws {AppError} 403 `bad_link`, 404, 422 for too many items. */
    async openSelection(token: string, { sending }: { sending: boolean }): Promise<Sendable> {
      const { actor, what } = await selections.take(token);
      const { name, steps, entry } = chosen(actor, what);
      const made = await archive.zip(steps);
      const zip = zipped(`${name} ${clock().toISOString().slice(0, 10)}`, made);
      const detail = { name: zip.name, ...entry.detail };
      if (sending) await record(token, { actor, ...entry, detail }, Math.max(1, made.files));
      return zip;
    },
  };
}
export type Downloads = ReturnType<typeof createDownloads>;
