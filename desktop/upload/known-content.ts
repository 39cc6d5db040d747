import { hashOf } from './content.ts';
import type { Sending } from './one-file.ts';
import type { Item } from './vault-client.ts';

/** What is to be known of a file's content before it becomes whole at the vault. */
export function lookAt({ client, files, file, parent_id, signal, alone }: Sending) {
  let hashing: Promise<string> | undefined;
  let hashed = false;
  let turn: Promise<() => void> | undefined;
  let over = false;

  async function hashOnce(): Promise<string> {
    const sha256 = file.sha256 ?? (await hashOf(file, signal));
    if (file.sha256 === null) files.hashed(file.id, sha256);
    hashed = true;
    return sha256;
  }
  async function hash(): Promise<string> {
    const sha256 = await (hashing ??= hashOnce());
    if (over) throw new Error('Nobody waits for it any more.');
    await (turn ??= alone(`${parent_id}/${file.sub_path}/${sha256}`));
    return sha256;
  }

  return {
    /** Its SHA-256, once no other file of this content is on its way to the same place. @throws {Changed} */
    hash,
    /** Whether `there` has only the other files and the vault to wait for. */
    hashed: () => hashed,
    /** The item of this content in its folder. @throws {Changed} and {Trouble} */
    async there(): Promise<Item | null> {
      const sha256 = await hash();
      const { exists } = await client.compare({ parent_id, path: file.sub_path, sha256, size: file.size });
      return exists;
    },
    /** Lets the next file of this content go. A hash is waited for, so that the next try has it. */
    async end(): Promise<void> {
      over = true;
      await hashing?.catch(() => {});
      (await turn)?.();
    },
  };
}
export type Content = ReturnType<typeof lookAt>;
