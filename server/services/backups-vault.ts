import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { checkHeader, passingCheck } from '#storage/checking.ts';
import { openDiskBytes } from '#storage/disk.ts';
import { checkPath, findMasterKey } from '#storage/keys.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import { blobsPath, openVaultBytes } from '#storage/store.ts';
import { verify } from '#storage/verify.ts';
import { postgres } from '../../knexfile.ts';
import type { VaultDatabase } from '../backups/repository/make.ts';
import { keyIdOf, repositoryKeys } from '../backups/repository/keys.ts';
import type { TrialDatabase } from '../backups/trial-restore.ts';
import type { Vault } from '../backups/vault.ts';
import { copyPages } from '../datadir/copies.ts';
import type { DataDirSettings } from '../datadir/settings.ts';
import { bytesSourceOf } from '../datadir/settings.ts';
import { copyToFile } from '../datadir/postgres/copies.ts';
import { versionOf } from '../datadir/database.ts';
import { countFiles, describeBlob, described, fileBlobs, sampleFiles } from '../datadir/named-files.ts';
import { integrityFaults } from '../db/sqlite/integrity.ts';
import { openCopy } from '../datadir/single-file.ts';
import { vaultIdOf } from '../datadir/vault-id.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { searchIndex } from '../search/index.ts';

/** Writes a consistent snapshot of a PostgreSQL database to a new SQLite file that the vault's key opens. */
export async function copyFromPostgres(address: string, file: string, key: string): Promise<void> {
  const db = knex(postgres(address));
  await copyToFile(db, file, key, { gramsOf: searchIndex.gramsOf }).finally(() => db.destroy());
}

const newestMigration = async (db: Knex): Promise<string> =>
  (await versionOf(db)).done.toSorted().at(-1) ?? '';

/** A backup always contains an SQLite file, also when the database is in PostgreSQL. */
const databaseOf = ({ dataDir, databaseUrl }: DataDirSettings, key: string): VaultDatabase => ({
  copy: (file) => (databaseUrl ? copyFromPostgres(databaseUrl, file, key) : copyPages(dataDir, key, file)),
  open(file) {
    const db = openCopy(file, key);
    return {
      blobs: () => fileBlobs(db),
      count: () => countFiles(db),
      migration: () => newestMigration(db),
      describe: (id) => describeBlob(db, id),
      close: () => db.destroy(),
    };
  },
});

/**
 * Opens the parts of the data folder that backups read.
 * @throws {KeyRefused} without the right key.
 */
export async function openVault(settings: DataDirSettings): Promise<Vault> {
  const { dataDir, masterKey, masterKeyFile } = settings;
  const check = await readFile(checkPath(dataDir), 'utf8');
  const id = keyIdOf(check);
  const master = await findMasterKey({
    dataDir,
    masterKey: masterKey ?? undefined,
    masterKeyFile: masterKeyFile ?? undefined,
  });
  if (!id || master?.keyId.toString('hex') !== id)
    throw new Error(`The master key is not the one that ${dataDir} is sealed with.`);
  const bytes = await openVaultBytes(bytesSourceOf(settings), master, false);
  return {
    id: await vaultIdOf(dataDir),
    check,
    keys: repositoryKeys(id, master.serverSecret),
    bytes,
    blobs: createSealedBlobs(bytes, master),
    checkSealed: async (blob, reader) => passingCheck(blob, await checkHeader(master, blob, reader)),
    database: databaseOf(settings, pageKeyOf(master.serverSecret)),
    scratch: join(dataDir, 'backups', 'scratch'),
    async openStore(folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const store = await openDiskBytes({ root: blobsPath(folder) });
      return { bytes: store, blobs: createSealedBlobs(store, master) };
    },
  };
}

/** @param findKey finds the key of the database pages. */
export function trialDatabase(findKey: () => Promise<string | undefined>): TrialDatabase {
  async function reading<T>(file: string, ask: (db: Knex) => Promise<T>): Promise<T> {
    const db = openCopy(file, await findKey());
    return ask(db).finally(() => db.destroy());
  }
  return {
    faults: (file, migration) =>
      reading(file, async (db) => {
        const faults = await integrityFaults(db);
        const newest = await newestMigration(db);
        if (newest !== migration)
          faults.push(`The database has been through ${newest}, but the manifest says ${migration}.`);
        return faults;
      }),
    count: (file) => reading(file, countFiles),
    sample: (file, most) =>
      reading(file, async (db) =>
        (await sampleFiles(db, most)).map((row) => ({ ...row, name: described(row) })),
      ),
    async read(blobs, { blob_id, file_size, sha256 }) {
      const expected = async function* () {
        yield { id: blob_id, size: file_size, sha256 };
      };
      for await (const finding of verify(blobs, expected())) {
        if (finding.state === 'sound') return null;
        return finding.state === 'missing' ? 'is missing' : `is damaged: ${finding.why}`;
      }
      return null;
    },
  };
}
