import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Encrypts data so that only this user on this computer can decrypt it. */
export interface Seal {
  seal(text: string): Buffer;
  open(bytes: Buffer): string;
}
/** The system's keychain. @throws when it rejects a call. */
export interface Keychain {
  put(name: string, secret: string): Promise<void>;
  get(name: string): Promise<string | null>;
  remove(name: string): Promise<void>;
}

/**
 * Stores the vaults' tokens: in the system's keychain if it works, otherwise in files readable by this user
 * only, encrypted where the system supports it.
 */
export function createTokens(folder: string, { seal, keychain }: { seal?: Seal; keychain?: Keychain } = {}) {
  const file = (vault: number) => join(folder, `vault-${vault}.token`);
  const name = (vault: number) => `vault-${vault} ${folder}`;
  const cache = new Map<number, string>();

  return {
    async put(vault: number, token: string): Promise<void> {
      cache.set(vault, token);
      if (keychain) {
        try {
          await keychain.put(name(vault), token);
          if ((await keychain.get(name(vault))) === token) return await rm(file(vault), { force: true });
        } catch {
          // The keychain is locked or not running: use the file.
        }
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      const fresh = `${file(vault)}.new`;
      await rm(fresh, { force: true });
      await writeFile(fresh, seal ? seal.seal(token) : token, { mode: 0o600, flush: true });
      await rename(fresh, file(vault));
    },
    /** @returns null when there is none, or this user cannot decrypt it. */
    async load(vault: number): Promise<string | null> {
      let token: string | null = null;
      try {
        const bytes = await readFile(file(vault));
        token = seal ? seal.open(bytes) : bytes.toString('utf8');
      } catch {
        token = (await keychain?.get(name(vault)).catch(() => null)) ?? null;
      }
      if (token !== null) cache.set(vault, token);
      return token;
    },
    of: (vault: number): string | undefined => cache.get(vault),
    async remove(vault: number): Promise<void> {
      cache.delete(vault);
      await rm(file(vault), { force: true });
      await keychain?.remove(name(vault)).catch(() => {});
    },
  };
}
export type Tokens = ReturnType<typeof createTokens>;
