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

/**
 * Files that programs put beside documents for themselves. They are known while the process runs; their bytes are sealed
 * like all others, belong to no row, and are swept after a day at the latest.
 */
export function createScratchFiles({ blobs, clock }: { blobs: BlobStore; clock: Clock }) {
  /** By firm, the oldest first; by folder and name. */
  const firms = new Map<number, Map<string, ScratchFile>>();
  const keyOf = (folder: number | null, name: string): string => `${folder ?? 0}/${nameKey(name)}`;
  const filesOf = (firmId: number): Map<string, ScratchFile> => {
    const files = firms.get(firmId) ?? new Map<string, ScratchFile>();
    firms.set(firmId, files);
    return files;
  };

  async function drop(firmId: number, key: string): Promise<void> {
    const files = filesOf(firmId);
    const file = files.get(key);
    files.delete(key);
    if (file?.blob) await blobs.delete(file.blob.id);
  }

  async function makeRoom(firmId: number, coming: number): Promise<void> {
    const files = filesOf(firmId);
    const now = clock().getTime();
    let bytes = coming;
    for (const { blob } of files.values()) bytes += blob?.size ?? 0;
    for (const [key, { at, blob, aside }] of files) {
      const old = now - Date.parse(at) > (aside === undefined ? KEPT.file : KEPT.aside);
      if (!old && files.size < MOST.files && bytes <= MOST.bytes) continue;
      bytes -= blob?.size ?? 0;
      await drop(firmId, key);
    }
  }

  return {
    isScratch,

    find(actor: Actor, folder: number | null, name: string): ScratchFile | null {
      const file = isScratch(name) ? filesOf(actor.firmId).get(keyOf(folder, name)) : undefined;
      if (file?.aside !== undefined && file.appId !== actor.app?.id) return null;
      return file ?? null;
    },

    /** Those that the program itself has put into a folder: others ask for what they look for by its name. */
    own: (actor: Actor, folder: number | null): ScratchFile[] =>
      [...filesOf(actor.firmId).values()].filter(
        (file) => file.folder === folder && file.appId === actor.app?.id && file.blob !== null,
      ),

    /** Documents that the program has set aside: until it is done, their names are free for it. */
    asideOf(actor: Actor): ReadonlySet<number> {
      const now = clock().getTime();
      const files = [...filesOf(actor.firmId).values()].filter(
        ({ appId, at }) => appId === actor.app?.id && now - Date.parse(at) <= KEPT.aside,
      );
      return new Set(files.flatMap(({ aside }) => aside ?? []));
    },

    /** Takes a file over; one of the same name is gone. */
    async put(
      actor: Actor,
      folder: number | null,
      name: string,
      kept: Pick<ScratchFile, 'blob'> & { aside?: number },
    ): Promise<void> {
      const key = keyOf(folder, name);
      await drop(actor.firmId, key);
      await makeRoom(actor.firmId, kept.blob?.size ?? 0);
      const at = clock().toISOString();
      filesOf(actor.firmId).set(key, { ...kept, name, folder, appId: actor.app?.id ?? 0, at });
    },

    remove: (actor: Actor, { folder, name }: ScratchFile): Promise<void> =>
      drop(actor.firmId, keyOf(folder, name)),

    /** Forgets a file whose bytes have become somebody's. */
    letGo: (actor: Actor, { folder, name }: ScratchFile): boolean =>
      filesOf(actor.firmId).delete(keyOf(folder, name)),
  };
}
export type ScratchFiles = ReturnType<typeof createScratchFiles>;
