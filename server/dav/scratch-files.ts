import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { nameKey } from '#server/text/names.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { isScratch } from './scratch-names.ts';

/** A file of a program's own, which is no document. */
export interface ScratchFile {
  name: string;
  folder: number | null;
  appId: number;
  /** ISO 8601, UTC. */
  at: string;
  /** Its bytes; null for a document that a program has set aside while it saves. */
  blob: Pick<StoredBlob, 'id' | 'size' | 'sha256' | 'crc32'> | null;
  /** The document that was set aside under this name. */
  aside?: number;
}

const HOUR = 60 * 60_000;
/** What is still there after so many ms was forgotten by its program; less for a document set aside. */
const KEPT = { file: 12 * HOUR, aside: HOUR / 6 };
/** Of one firm. */
const MOST = { files: 2000, bytes: 1024 ** 3 };

interface Row {
  firm_id: number;
  place: string;
  folder_id: number | null;
  name: string;
  app_password_id: number;
  blob: string | null;
  size: number;
  aside: number | null;
  at: string;
}

const fileOf = ({ folder_id, name, app_password_id, blob, aside, at }: Row): ScratchFile => ({
  name,
  folder: folder_id,
  appId: app_password_id,
  at,
  blob: blob === null ? null : (JSON.parse(blob) as ScratchFile['blob']),
  ...(aside !== null && { aside }),
});

/**
 * Files that programs put beside documents for themselves. A program that saves asks for them at whichever process answers; their
 * bytes are sealed like all others, belong to no document, and are swept after a day at the latest.
 */
export function createScratchFiles({ db, blobs, clock }: { db: Knex; blobs: BlobStore; clock: Clock }) {
  const placeOf = (folder: number | null, name: string): string => `${folder ?? 0}/${nameKey(name)}`;
  const before = (ms: number): string => new Date(clock().getTime() - ms).toISOString();
  const kept = (): Knex.QueryBuilder<Row, Row[]> =>
    db('dav_scratch').where((row) =>
      row
        .where((file) => file.whereNull('aside').andWhere('at', '>=', before(KEPT.file)))
        .orWhere((aside) => aside.whereNotNull('aside').andWhere('at', '>=', before(KEPT.aside))),
    );

  /** What has to go so that so many bytes may come: what is old, wherever it is, and the firm's oldest. */
  async function inTheWay(trx: Knex.Transaction, firmId: number, coming: number): Promise<Row[]> {
    const gone: Row[] = await trx('dav_scratch').where('at', '<', before(KEPT.file));
    const files: Row[] = await trx('dav_scratch')
      .where({ firm_id: firmId })
      .where('at', '>=', before(KEPT.file))
      .orderBy('at', 'desc')
      .orderBy('place');
    let [count, bytes] = [1, coming];
    for (const file of files) {
      count += 1;
      bytes += file.size;
      const over = file.aside !== null && file.at < before(KEPT.aside);
      if (over || count > MOST.files || bytes > MOST.bytes) gone.push(file);
    }
    return gone;
  }

  async function forget(trx: Knex.Transaction, rows: readonly Row[]): Promise<void> {
    for (const { firm_id, place } of rows) await trx('dav_scratch').where({ firm_id, place }).delete();
  }

  const bytesOf = (rows: readonly Row[]): string[] => rows.flatMap((row) => fileOf(row).blob?.id ?? []);

  async function letGo(actor: Actor, { folder, name }: ScratchFile): Promise<boolean> {
    const own = { firm_id: actor.firmId, place: placeOf(folder, name) };
    return (await db('dav_scratch').where(own).delete()) > 0;
  }

  return {
    isScratch,

    async find(actor: Actor, folder: number | null, name: string): Promise<ScratchFile | null> {
      if (!isScratch(name)) return null;
      const row: Row | undefined = await kept()
        .where({ firm_id: actor.firmId, place: placeOf(folder, name) })
        .first();
      if (!row || (row.aside !== null && row.app_password_id !== actor.app?.id)) return null;
      return fileOf(row);
    },

    /** Those that the program itself has put into a folder: others ask for what they look for by its name. */
    async own(actor: Actor, folder: number | null): Promise<ScratchFile[]> {
      const rows: Row[] = await kept()
        .where({ firm_id: actor.firmId, app_password_id: actor.app?.id ?? 0, folder_id: folder })
        .whereNotNull('blob')
        .orderBy('at');
      return rows.map(fileOf);
    },

    /** Documents that the program has set aside: until it is done, their names are free for it. */
    async asideOf(actor: Actor): Promise<ReadonlySet<number>> {
      const ids = (await kept()
        .where({ firm_id: actor.firmId, app_password_id: actor.app?.id ?? 0 })
        .whereNotNull('aside')
        .pluck('aside')) as number[];
      return new Set(ids);
    },

    /** Takes a file over; one of the same name is gone. */
    async put(
      actor: Actor,
      folder: number | null,
      name: string,
      { blob, aside }: Pick<ScratchFile, 'blob'> & { aside?: number },
    ): Promise<void> {
      const row: Row = {
        firm_id: actor.firmId,
        place: placeOf(folder, name),
        folder_id: folder,
        name,
        app_password_id: actor.app?.id ?? 0,
        blob:
          blob && JSON.stringify({ id: blob.id, size: blob.size, sha256: blob.sha256, crc32: blob.crc32 }),
        size: blob?.size ?? 0,
        aside: aside ?? null,
        at: clock().toISOString(),
      };
      const gone = await db.transaction(async (trx) => {
        const { firm_id, place } = row;
        const same: Row[] = await trx('dav_scratch').where({ firm_id, place });
        await forget(trx, same);
        const others = await inTheWay(trx, firm_id, row.size);
        await forget(trx, others);
        await trx('dav_scratch').insert(row);
        return [...same, ...others];
      });
      for (const id of bytesOf(gone)) if (id !== blob?.id) await blobs.delete(id);
    },

    async remove(actor: Actor, file: ScratchFile): Promise<void> {
      if ((await letGo(actor, file)) && file.blob) await blobs.delete(file.blob.id);
    },

    /** Forgets a file whose bytes become somebody's. @returns false where somebody else was faster. */
    letGo,
  };
}
export type ScratchFiles = ReturnType<typeof createScratchFiles>;
