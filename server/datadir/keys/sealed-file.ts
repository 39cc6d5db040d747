import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { KeyRefused, readIfThere } from '#storage/keys.ts';

/** The cost parameters of Argon2id; `memory` is in KiB. */
export interface Cost {
  memory: number;
  passes: number;
  lanes: number;
}

/** What a systemd credential is sealed with. */
type SealedBy = 'host' | 'tpm' | 'unknown';

/** The content of DATA_DIR/master.key.sealed; storage/FORMAT.md describes the file. */
export type SealedKey =
  | { form: 'passphrase'; keyId: string; cost: Cost; salt: Buffer; nonce: Buffer; sealed: Buffer }
  | { form: 'file'; path: string }
  | { form: 'credential'; by: SealedBy; text: string };

export const sealedPath = (dataDir: string): string => join(dataDir, 'master.key.sealed');
/** The file that will replace it, until it is known to open. */
export const nextSealedPath = (dataDir: string): string => `${sealedPath(dataDir)}.next`;

/** The first 16 bytes of a credential, which identify how systemd sealed it. */
const SEALS: Record<string, SealedBy> = {
  '5a1c6a86df9d4096b1d5a65e0862f19a': 'host',
  '0c7cc07b117645919c4b0bea08bc20fe': 'tpm',
  '93a894094874449090caf2fc93cab553': 'tpm',
};

/** Higher costs are not ours, and could exhaust the machine's memory. */
const MAX_COST: Cost = { memory: 4 * 1024 * 1024, passes: 100, lanes: 64 };

type Passphrase = Extract<SealedKey, { form: 'passphrase' }>;

/** The associated data of the sealed key. */
export const boundTo = ({ keyId, cost, salt }: Pick<Passphrase, 'keyId' | 'cost' | 'salt'>): string =>
  `almirah sealed key 1 passphrase ${keyId} argon2id ${cost.memory} ${cost.passes} ${cost.lanes} ${salt.toString('hex')}`;

/** Distinguishes a damaged file from a wrong passphrase. */
const checksum = (key: Passphrase): string =>
  createHash('sha256')
    .update(`${boundTo(key)} ${key.nonce.toString('hex')} ${key.sealed.toString('hex')}`)
    .digest('hex')
    .slice(0, 16);

export function writeSealed(key: SealedKey): string {
  if (key.form === 'credential') return `${key.text.trim()}\n`;
  const written =
    key.form === 'file'
      ? { almirah: 'where the master key is', version: 1, form: 'file', path: key.path }
      : {
          almirah: 'the master key, sealed with a passphrase',
          version: 1,
          form: 'passphrase',
          key_id: key.keyId,
          argon2id: {
            memory_kib: key.cost.memory,
            passes: key.cost.passes,
            lanes: key.cost.lanes,
            salt: key.salt.toString('hex'),
          },
          aes_256_gcm: { nonce: key.nonce.toString('hex'), sealed: key.sealed.toString('hex') },
          checksum: checksum(key),
        };
  return `${JSON.stringify(written, null, 2)}\n`;
}

const integer = (value: unknown, max: number): number => {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > max) throw new Error('out of range');
  return Number(value);
};

const hex = (value: unknown, bytes: number): Buffer => {
  if (typeof value !== 'string' || !/^[0-9a-f]*$/.test(value) || value.length !== 2 * bytes)
    throw new Error('not so many hex digits');
  return Buffer.from(value, 'hex');
};

/** The parsed JSON, not validated yet. */
interface Unvalidated {
  key_id: unknown;
  argon2id: Record<'memory_kib' | 'passes' | 'lanes' | 'salt', unknown>;
  aes_256_gcm: Record<'nonce' | 'sealed', unknown>;
  checksum: unknown;
}

function parsePassphrase(input: Unvalidated): Passphrase {
  const { argon2id, aes_256_gcm } = input;
  const key: Passphrase = {
    form: 'passphrase',
    keyId: hex(input.key_id, 8).toString('hex'),
    cost: {
      memory: integer(argon2id.memory_kib, MAX_COST.memory),
      passes: integer(argon2id.passes, MAX_COST.passes),
      lanes: integer(argon2id.lanes, MAX_COST.lanes),
    },
    salt: hex(argon2id.salt, 16),
    nonce: hex(aes_256_gcm.nonce, 12),
    sealed: hex(aes_256_gcm.sealed, 48),
  };
  if (input.checksum !== checksum(key)) throw new Error('the checksum differs');
  return key;
}

/** @param from the file's path, for messages. @throws {KeyRefused} if it is damaged or of a newer version. */
function parseSealed(text: string, from: string): SealedKey {
  const trimmed = text.trim();
  if (/^[A-Za-z0-9+/\s]{64,}={0,2}$/.test(trimmed)) {
    const head = Buffer.from(trimmed, 'base64').subarray(0, 16).toString('hex');
    return { form: 'credential', by: SEALS[head] ?? 'unknown', text: trimmed };
  }
  let newer = false;
  try {
    const parsed = JSON.parse(trimmed);
    newer = Number(parsed.version) > 1;
    if (parsed.version !== 1) throw new Error('another version');
    if (parsed.form === 'passphrase') return parsePassphrase(parsed);
    if (parsed.form === 'file' && typeof parsed.path === 'string' && parsed.path.startsWith('/'))
      return { form: 'file', path: parsed.path };
    throw new Error('no form that we know');
  } catch {
    throw new KeyRefused(
      newer
        ? `${from} was made by a newer Almirah. Start that version. Nothing was changed.`
        : `${from} is damaged, so the master key cannot be taken out of it. Put the file back from a copy, or seal the key anew ` +
            'with the words of the recovery sheet: npm run admin -- key wrap --with passphrase --sheet FILE. Nothing was changed.',
    );
  }
}

/** @returns undefined if there is no such file. @throws {KeyRefused} if it is damaged. */
export async function readSealed(path: string): Promise<SealedKey | undefined> {
  const found = await readIfThere(path);
  return found && parseSealed(found.toString('latin1'), path);
}
