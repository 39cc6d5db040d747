import type { Vault, Vaults } from '#desktop/queue/vaults.ts';
import type { Log } from '#desktop/queue/log.ts';
import type { Program, VaultClient } from '#desktop/upload/vault-client.ts';
import { createVaultClient } from '#desktop/upload/vault-client.ts';
import type { Links } from './link.ts';
import { addressOf } from './link.ts';
import type { Tokens } from './tokens.ts';

/** Connects this computer with vaults and disconnects it. The account's password is never entered here. */
export function createPairing(dependencies: {
  vaults: Vaults;
  tokens: Tokens;
  links: Links;
  log: Log;
  program: Program;
  /** Name of this computer. */
  name: string;
  onPaired: (vault: Vault) => void;
  onEnded: (vault: number) => void;
}) {
  const { vaults, tokens, links, log, program, name } = dependencies;
  const clients = new Map<number, { client: VaultClient; base: string; token: string }>();

  async function claim(base: string, code: string, verifier?: string): Promise<Vault> {
    const client = createVaultClient(base, null, program);
    const paired = await client.token({
      code,
      name,
      ...program,
      ...(verifier !== undefined && { verifier }),
    });
    const vault = vaults.save(base, paired);
    await tokens.put(vault.id, paired.token);
    log.add('note', `Connected with ${vault.firm_name} as ${vault.user_name}.`);
    dependencies.onPaired(vault);
    return vault;
  }

  return {
    /** @returns the URL to open in the signed-in browser. */
    link: (typed: string, port: number): string => links.begin(addressOf(typed), port, name),
    /** Completes a pairing from the browser's redirect. @throws when it was not started here. */
    async connected(code: string, state: string): Promise<Vault> {
      const link = links.redeem(state);
      if (!link) throw new Error('This link has been used or is too old. Begin again in Almirah Uploader.');
      return claim(link.base, code, link.verifier);
    },
    /** Pairs by the code that the vault shows. */
    code: (typed: string, code: string): Promise<Vault> =>
      Promise.try(() => claim(addressOf(typed), code.replaceAll(/[\s-]/g, '').toUpperCase())),

    client(id: number): VaultClient | undefined {
      const token = tokens.of(id);
      const vault = vaults.find(id);
      if (!token || !vault) return undefined;
      const known = clients.get(id);
      if (known?.token === token && known.base === vault.base) return known.client;
      const client = createVaultClient(vault.base, token, program);
      clients.set(id, { client, base: vault.base, token });
      return client;
    },

    /** Disconnects here, and at the vault if it can be reached. */
    async end(id: number): Promise<void> {
      dependencies.onEnded(id);
      await this.client(id)
        ?.leave()
        .catch(() => {});
      log.add('note', `Disconnected from ${vaults.find(id)?.firm_name ?? 'the vault'}.`);
      await tokens.remove(id);
      vaults.remove(id);
      clients.delete(id);
    },
  };
}
