import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from './durable.ts';
import type { MasterKey } from './masterkey.ts';
import { deriveMasterKey, MASTER_KEY_BYTES } from './masterkey.ts';

/** The store is not opened and nothing was changed; the message says why and what to do. */
export class KeyRefused extends Error {
  override name = 'KeyRefused';
}

export interface KeySource {
  dataDir: string;
  /** 64 hex digits or base64 of 32 bytes, as in the setting MASTER_KEY. */
  masterKey?: string | undefined;
  /** A file with the key in one of these forms or as 32 raw bytes, as in MASTER_KEY_FILE. */
  masterKeyFile?: string | undefined;
}

interface LoadedKey {
  master: MasterKey;
  /** The path of a newly created key: tell the admin to keep a copy elsewhere. */
  madeAt?: string;
}

export const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new KeyRefused(cannotRead(path, error.code));
  });

/** Why a file with a key cannot be read. It never advises to open the file to more users. */
function cannotRead(path: string, code: string | undefined): string {
  if (code === 'EISDIR') return `${path} is a folder. Give a file.`;
  if (code !== 'EACCES' && code !== 'EPERM') return `${path} cannot be read (${code}).`;
  return (
    `${path} may not be read by this user (${code}). Put sudo before the command, or run it as the user of the server. ` +
    'If the server itself says this, make its user the owner of the file (chown); leave it closed to all others.'
  );
}

export const keyPath = (dataDir: string): string => join(dataDir, 'master.key');
/** The file of the new key while the old one is being replaced. */
export const nextKeyPath = (dataDir: string): string => join(dataDir, 'master.key.next');
export const checkPath = (dataDir: string): string => join(dataDir, 'master.check');

/** Decodes a key from one of its forms; undefined if it has none of them. */
function readSecret(input: Buffer | string): { secret: Buffer; typed: boolean } | undefined {
  if (Buffer.isBuffer(input) && input.length === MASTER_KEY_BYTES) return { secret: input, typed: false };
  const text = input.toString('utf8').trim();
  const hex = /^[0-9a-f]{64}$/i.test(text);
  const base64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  if (!hex && !base64) return undefined;
  // Random base64 contains both upper and lower case letters.
  const typed = !hex && (text === text.toLowerCase() || text === text.toUpperCase());
  return { secret: Buffer.from(text, hex ? 'hex' : 'base64'), typed };
}

function notAKey(input: Buffer | string, from: string): KeyRefused {
  const text = input.toString('utf8').trim();
  return new KeyRefused(
    `${from} does not hold a master key: it takes 32 bytes as 64 hex digits or 44 characters of base64, ` +
      `and has ${text.length} characters. Nothing was changed.`,
  );
}

/** @param from the source of the key, for messages, which never contain the key. */
export function parseMasterKey(input: Buffer | string, from: string): MasterKey {
  const read = readSecret(input);
  if (!read) throw notAKey(input, from);
  const master = deriveMasterKey(read.secret);
  return { ...master, weak: master.weak || read.typed };
}

/** Decodes a key from one of its forms. @throws {KeyRefused} naming `from` if it has none of them. */
export function parseSecret(input: Buffer | string, from: string): Buffer {
  const read = readSecret(input);
  if (!read) throw notAKey(input, from);
  return read.secret;
}

/** Checks a key before its first use. @throws {KeyRefused} if it could be guessed. */
export function refuseWeak({ weak }: MasterKey, from: string): void {
  if (!weak) return;
  throw new KeyRefused(
    `${from} could be guessed: it is made of readable text or of a pattern. ` +
      'Make one with "openssl rand -hex 32", or let the server make its own. Nothing was changed.',
  );
}

const checkLine = ({ keyId, check }: MasterKey): string =>
  `almirah-key 1 ${keyId.toString('hex')} ${check.toString('hex')}\n`;

export const writeChecks = (dataDir: string, ...keys: MasterKey[]): Promise<void> =>
  writeDurably(checkPath(dataDir), keys.map(checkLine).join(''));

/**
 * The 32 bytes of the master key from the settings or DATA_DIR, for the recovery sheet.
 * @throws {KeyRefused} if there is none.
 */
export async function readMasterSecret({ dataDir, masterKey, masterKeyFile }: KeySource): Promise<Buffer> {
  const path = masterKeyFile || keyPath(dataDir);
  const configured = masterKey ?? (await readIfThere(path));
  const read = configured === undefined ? undefined : readSecret(configured);
  if (read) return read.secret;
  throw new KeyRefused(`There is no master key at ${masterKey ? 'MASTER_KEY' : path}.`);
}

/** The key ids in `master.check`, current first; undefined if the file does not exist. */
export async function readChecks(dataDir: string): Promise<Checks | undefined> {
  const text = (await readIfThere(checkPath(dataDir)))?.toString('latin1');
  return text === undefined ? undefined : parseChecks(text, checkPath(dataDir));
}

export interface Checks {
  keys: number;
  position(master: MasterKey): number;
}

/** Parses the text of a `master.check`. @param from its path, for messages. */
export function parseChecks(text: string, from: string): Checks {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0 || !lines.every((line) => /^almirah-key 1 [0-9a-f]{16} [0-9a-f]{64}$/.test(line))) {
    throw new KeyRefused(
      `${from} is damaged, so the master key cannot be checked. Take the file from a backup. Nothing was changed.`,
    );
  }
  return {
    keys: lines.length,
    position: (master) => {
      const wanted = Buffer.from(checkLine(master).trimEnd());
      return lines.findIndex((line) => timingSafeEqual(Buffer.from(line), wanted));
    },
  };
}

/** The data folder is between two master keys. */
export const unfinishedReplacement = (dataDir: string): KeyRefused =>
  new KeyRefused(
    `The master key of ${dataDir} was being replaced, and that did not finish. Run "npm run admin -- replace-key" again first, ` +
      'with --to if it had that. Nothing was changed.',
  );

/** The key from the settings or DATA_DIR; undefined if there is none. Creates nothing. */
export async function findMasterKey({
  dataDir,
  masterKey,
  masterKeyFile,
}: KeySource): Promise<MasterKey | undefined> {
  if (masterKey && masterKeyFile) {
    throw new KeyRefused(
      'Both MASTER_KEY and MASTER_KEY_FILE are set. Set one of them. Nothing was changed.',
    );
  }
  if (masterKey) return parseMasterKey(masterKey, 'MASTER_KEY');
  const path = masterKeyFile || keyPath(dataDir);
  const found = await readIfThere(path);
  if (found) return parseMasterKey(found, path);
  if (!masterKeyFile) return undefined;
  throw new KeyRefused(`MASTER_KEY_FILE names ${path}, which is not there. Nothing was changed.`);
}

/**
 * The master key of a data folder, checked against the folder's `master.check`. For a new folder a key is created, or the given
 * one becomes the folder's. `hasBlobs` says whether sealed files exist, which a new key could not open.
 * @throws {KeyRefused} if the key is missing, short, wrong, or being replaced; nothing was changed.
 */
export async function loadMasterKey(
  source: KeySource,
  hasBlobs: (found?: MasterKey) => Promise<boolean>,
): Promise<LoadedKey> {
  const { dataDir } = source;
  const found = await findMasterKey(source);
  const checks = await readChecks(dataDir);
  if (checks) {
    if (!found) {
      throw new KeyRefused(
        `${keyPath(dataDir)} is missing, and the files in ${dataDir} are sealed with it. ` +
          'Put the key back from your copy, or set MASTER_KEY or MASTER_KEY_FILE. Nothing was changed.',
      );
    }
    if (checks.position(found) < 0) {
      throw new KeyRefused(
        `The master key is not the one that ${dataDir} was sealed with. ` +
          'Give the right key, or the data folder that belongs to this one. Nothing was changed.',
      );
    }
    if (checks.keys > 1) {
      throw unfinishedReplacement(dataDir);
    }
    return { master: found };
  }
  if (await hasBlobs(found)) {
    throw new KeyRefused(
      `${dataDir} holds sealed files but no master.check, so ${found ? 'the' : 'a new'} master key may not be theirs. ` +
        'Take master.check and master.key from the same backup as the files. Nothing was changed.',
    );
  }
  if (found) refuseWeak(found, 'The master key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (found) {
    await writeChecks(dataDir, found);
    return { master: found };
  }
  const secret = randomBytes(MASTER_KEY_BYTES);
  const madeAt = keyPath(dataDir);
  await writeDurably(madeAt, `${secret.toString('hex')}\n`);
  const master = deriveMasterKey(secret);
  await writeChecks(dataDir, master);
  return { master, madeAt };
}
