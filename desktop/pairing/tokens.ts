import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Seals what is put on the disk, so that only this user of this computer can open it. */
export interface Seal {
  seal(text: string): Buffer;
  open(bytes: Buffer): string;
}
/** A keychain of the system's. @throws when it takes nothing. */
export interface Keychain {
  put(name: string, secret: string): Promise<void>;
  get(name: string): Promise<string | null>;
  remove(name: string): Promise<void>;
}

/**
 * The tokens of the vaults: in the system's keychain where it takes them, otherwise each in a file that only this user can
 * read, sealed where the system seals.
 */
export function createTokens(folder: string, { seal, keychain }: { seal?: Seal; keychain?: Keychain } = {}) {
  const file = (vault: number) => join(folder, `vault-${vault}.token`);
  const name = (vault: number) => `vault-${vault} ${folder}`;
  const held = new Map<number, string>();

  return {
    async put(vault: number, token: string): Promise<void> {
      held.set(vault, token);
      if (keychain) {
        try {
          await keychain.put(name(vault), token);
          if ((await keychain.get(name(vault))) === token) return await rm(file(vault), { force: true });
        } catch {
          // A keychain that is locked or away: the file does.
        }
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      const fresh = `${file(vault)}.new`;
      await rm(fresh, { force: true });
      await writeFile(fresh, seal ? seal.seal(token) : token, { mode: 0o600, flush: true });
      await rename(fresh, file(vault));
    },
    /** @returns null where there is none, or none that this user can open. */
    async load(vault: number): Promise<string | null> {
      let token: string | null = null;
      try {
        const bytes = await readFile(file(vault));
        token = seal ? seal.open(bytes) : bytes.toString('utf8');
      } catch {
        token = (await keychain?.get(name(vault)).catch(() => null)) ?? null;
      }
      if (token !== null) held.set(vault, token);
      return token;
    },
    of: (vault: number): string | undefined => held.get(vault),
    async remove(vault: number): Promise<void> {
      held.delete(vault);
      await rm(file(vault), { force: true });
      await keychain?.remove(name(vault)).catch(() => {});
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;
