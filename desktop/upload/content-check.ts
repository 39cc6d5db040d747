import { hashOf } from './content.ts';
import type { Sending } from './one-file.ts';
import type { Item } from './vault-client.ts';

/** Hashes a file's content and checks whether the vault has it, while the upload is in progress. */
export function createContentCheck({ client, files, file, parent_id, signal, lock }: Sending) {
  let hashing: Promise<string> | undefined;
  let hashed = false;
  let unlock: Promise<() => void> | undefined;
  let ended = false;

  async function hashOnce(): Promise<string> {
    const sha256 = file.sha256 ?? (await hashOf(file, signal));
    if (file.sha256 === null) files.hashed(file.id, sha256);
    hashed = true;
    return sha256;
  }
  async function hash(): Promise<string> {
    const sha256 = await (hashing ??= hashOnce());
    if (ended) throw new Error('Nobody waits for it any more.');
    await (unlock ??= lock(`${parent_id}/${file.sub_path}/${sha256}`));
    return sha256;
  }

  return {
    /**
     * The SHA-256, once no other upload of this content to the same target is in progress.
     * @throws {Changed}
     */
    hash,
    /** Whether hashing is finished, so that `there` only waits for other uploads and the vault. */
    hashed: () => hashed,
    /**
     * The item in the target folder that has this content; after a restore of the vault also a document that was made of it,
     * wherever it is. @throws {Changed} and {Trouble}
     */
    async findExisting(): Promise<Item | null> {
      const content = { sha256: await hash(), size: file.size };
      const place = { parent_id, path: file.sub_path, ...content };
      const { exists } = await client.compare(place);
      if (exists || file.sent_before === 0) return exists;
      // A document in the target of another file is that file's, or of two targets one would lack it.
      const others: number[] = [];
      for (const { item_id, sub_path: path, parent_id } of files.alike({ ...file, ...content })) {
        const other = item_id ?? (await client.compare({ parent_id, path, ...content })).exists?.id;
        if (other !== undefined) others.push(other);
      }
      return (await client.compare({ ...place, made: true, others })).exists;
    },
    /** Releases the next upload of this content. Waits for the hash, so that the next attempt has it. */
    async end(): Promise<void> {
      ended = true;
      await hashing?.catch(() => {});
      (await unlock)?.();
    },
  };
}
export type ContentCheck = ReturnType<typeof createContentCheck>;
