import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { KeyRefused, readIfThere } from '#storage/keys.ts';

/** What Argon2id takes for one passphrase; `memory` is in KiB. */
export interface Cost {
  memory: number;
  passes: number;
  lanes: number;
}

/** By what a systemd credential is sealed. */
export type SealedBy = 'host' | 'tpm' | 'unknown';

/** What DATA_DIR/master.key.sealed says of where the master key is; storage/FORMAT.md describes the file. */
export type SealedKey =
  | { form: 'passphrase'; keyId: string; cost: Cost; salt: Buffer; nonce: Buffer; sealed: Buffer }
  | { form: 'file'; path: string }
  | { form: 'credential'; by: SealedBy; text: string };

export const sealedPath = (dataDir: string): string => join(dataDir, 'master.key.sealed');
/** What is to take the place of that file, while it is being made sure that it opens. */
export const nextSealedPath = (dataDir: string): string => `${sealedPath(dataDir)}.next`;

/** The first 16 bytes of a credential, by which systemd knows how it is sealed. */
const SEALS: Record<string, SealedBy> = {
  '5a1c6a86df9d4096b1d5a65e0862f19a': 'host',
  '0c7cc07b117645919c4b0bea08bc20fe': 'tpm',
  '93a894094874449090caf2fc93cab553': 'tpm',
};

/** More than this is no setting of ours, and would take all memory of the machine. */
const MOST: Cost = { memory: 4 * 1024 * 1024, passes: 100, lanes: 64 };

type Passphrase = Extract<SealedKey, { form: 'passphrase' }>;

/** What the sealed bytes are bound to. */
export const boundTo = ({ keyId, cost, salt }: Pick<Passphrase, 'keyId' | 'cost' | 'salt'>): string =>
  `almirah sealed key 1 passphrase ${keyId} argon2id ${cost.memory} ${cost.passes} ${cost.lanes} ${salt.toString('hex')}`;

/** Tells a damaged file from a wrong passphrase. */
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

const whole = (value: unknown, most: number): number => {
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > most) throw new Error('out of range');
  return Number(value);
};

const hex = (value: unknown, bytes: number): Buffer => {
  if (typeof value !== 'string' || !/^[0-9a-f]*$/.test(value) || value.length !== 2 * bytes)
    throw new Error('not so many hex digits');
  return Buffer.from(value, 'hex');
};

/** As it is read, before anything of it is believed. */
interface Written {
  key_id: unknown;
  argon2id: Record<'memory_kib' | 'passes' | 'lanes' | 'salt', unknown>;
  aes_256_gcm: Record<'nonce' | 'sealed', unknown>;
  checksum: unknown;
}

function parsePassphrase(given: Written): Passphrase {
  const { argon2id, aes_256_gcm } = given;
  const key: Passphrase = {
    form: 'passphrase',
    keyId: hex(given.key_id, 8).toString('hex'),
    cost: {
      memory: whole(argon2id.memory_kib, MOST.memory),
      passes: whole(argon2id.passes, MOST.passes),
      lanes: whole(argon2id.lanes, MOST.lanes),
    },
    salt: hex(argon2id.salt, 16),
    nonce: hex(aes_256_gcm.nonce, 12),
    sealed: hex(aes_256_gcm.sealed, 48),
  };
  if (given.checksum !== checksum(key)) throw new Error('the checksum differs');
  return key;
}

/** @param from the file, for messages. @throws {KeyRefused} when it is damaged or of a newer version. */
function parseSealed(text: string, from: string): SealedKey {
  const trimmed = text.trim();
  if (/^[A-Za-z0-9+/\s]{64,}={0,2}$/.test(trimmed)) {
    const head = Buffer.from(trimmed, 'base64').subarray(0, 16).toString('hex');
    return { form: 'credential', by: SEALS[head] ?? 'unknown', text: trimmed };
  }
  let newer = false;
  try {
    const given = JSON.parse(trimmed);
    newer = Number(given.version) > 1;
    if (given.version !== 1) throw new Error('another version');
    if (given.form === 'passphrase') return parsePassphrase(given);
    if (given.form === 'file' && typeof given.path === 'string' && given.path.startsWith('/'))
      return { form: 'file', path: given.path };
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

/** Undefined where there is no such file. @throws {KeyRefused} when it is damaged. */
export async function readSealed(path: string): Promise<SealedKey | undefined> {
  const found = await readIfThere(path);
  return found && parseSealed(found.toString('latin1'), path);
}
