import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkPath, keyPath, readChecks, readIfThere, unfinishedReplacement } from '#storage/keys.ts';
import { DATABASE_FILE } from '../../../knexfile.ts';
import { isOnPostgres } from '../postgres/mark.ts';
import type { DataDirSettings } from '../settings.ts';
import { leftPath, readLeft } from './left-behind.ts';
import { readSealed, sealedPath } from './sealed-file.ts';

interface KeyWhereabouts {
  form: 'plain' | 'setting' | 'file' | 'host' | 'tpm' | 'credential' | 'passphrase' | 'none' | 'damaged';
  /** The path of a key file elsewhere. */
  path: string | null;
  /** Whether that file is not there, as on a stick that is not plugged in. */
  missing: boolean;
  /** Whether the key was being replaced, and that did not finish. */
  between: boolean;
  /** Whether that file is on the same disk as the data. */
  same_disk: boolean;
  /** Whether the data folder also contains the plain key, although another form is in use. */
  plain_too: boolean;
  /** Files elsewhere that held the plain key before, and may hold it still. */
  left: string[];
  data_dir: string;
  /** Whether the key is moved by hand: the commands that move it work on a database file only. */
  by_hand: boolean;
}

const diskOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ dev }) => dev,
    () => null,
  );

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );

/** Finds out where the master key of a data folder is stored, without opening it. */
export async function whereKeyLies({
  dataDir,
  masterKey,
  masterKeyFile,
  credential,
  databaseUrl,
}: DataDirSettings): Promise<KeyWhereabouts> {
  const plain = (await readIfThere(keyPath(dataDir))) !== undefined;
  const whereabouts = async (
    form: KeyWhereabouts['form'],
    path: string | null = null,
  ): Promise<KeyWhereabouts> => ({
    form,
    path,
    missing: path !== null && (await isMissing(path)),
    // A damaged check is reported where the key is opened.
    between: ((await readChecks(dataDir).catch(() => undefined))?.keys ?? 1) > 1,
    same_disk:
      path !== null &&
      (await diskOf(dirname(path))) === (await diskOf(dataDir)) &&
      (await diskOf(dataDir)) !== null,
    plain_too: plain && form !== 'plain',
    left: await readLeft(dataDir),
    data_dir: dataDir,
    by_hand: Boolean(databaseUrl),
  });
  if (masterKey) return whereabouts('setting');
  if (masterKeyFile) return whereabouts('file', masterKeyFile);
  const sealed = await readSealed(sealedPath(dataDir)).catch(() => 'damaged' as const);
  if (sealed === 'damaged') return plain ? whereabouts('plain') : whereabouts('damaged');
  if (sealed?.form === 'file') return whereabouts('file', sealed.path);
  if (sealed?.form === 'passphrase') return whereabouts('passphrase');
  if (sealed) return whereabouts(sealed.by === 'unknown' ? 'credential' : sealed.by);
  if (credential) return whereabouts('credential');
  return whereabouts(plain ? 'plain' : 'none');
}

/** Whether a folder is no vault yet: it has no key, and nothing that a key has sealed. */
export const isUnused = ({ form, data_dir, by_hand }: KeyWhereabouts): boolean =>
  form === 'none' &&
  !by_hand &&
  ![checkPath(data_dir), join(data_dir, DATABASE_FILE)].some(existsSync) &&
  !isOnPostgres(data_dir);

/** Whether a thief of the disk has the key as well. */
export const liesBeside = ({ form, same_disk, plain_too }: KeyWhereabouts): boolean =>
  form === 'plain' || plain_too || (form === 'file' && same_disk);

const DESCRIPTIONS: Record<KeyWhereabouts['form'], string> = {
  plain:
    'lies in the data folder as it is: whoever takes the disk, or copies the folder, reads every document',
  setting: 'is given by the setting MASTER_KEY',
  file: 'lies in a file elsewhere',
  host: 'is sealed for this machine by systemd, with a key on its system disk',
  tpm: 'is sealed by the TPM of this machine: the disk opens in no other one',
  credential: 'is given to the service by systemd, as a credential',
  passphrase: 'is sealed with a passphrase that is typed at each start',
  none: 'is not there',
  damaged: 'cannot be read: master.key.sealed is damaged',
};
const MOVE =
  'npm run admin -- key wrap --with passphrase (or tpm, credential, file PATH), with the server stopped';

const MOVE_BY_HAND =
  'copy DATA_DIR/master.key to another disk, set MASTER_KEY_FILE to the copy, and delete it in the data folder, with the server stopped';

/** A sentence for the admin, with what to do if the key is not safe. */
export function whereaboutsInWords(where: KeyWhereabouts): { well: boolean; text: string } {
  const { form, path, missing, between, same_disk, plain_too, left, by_hand } = where;
  const description = `The master key ${DESCRIPTIONS[form]}${path ? `, ${path}` : ''}`;
  const move = by_hand ? `Move it: ${MOVE_BY_HAND}` : `Wrap it: ${MOVE}`;
  if (between)
    return { well: false, text: `${description}. ${unfinishedReplacement(where.data_dir).message}` };
  if (missing)
    return {
      well: false,
      text:
        `${description}, which is not there, so the server does not start. Plug the disk or stick in and mount it, or use the recovery ` +
        'sheet: npm run admin -- key wrap --with passphrase --sheet FILE.',
    };
  if (form === 'plain') return { well: false, text: `${description}. ${move}.` };
  if (form === 'none' || form === 'damaged')
    return {
      well: false,
      text: `${description}. The recovery sheet opens the vault: npm run admin -- key wrap --with passphrase --sheet FILE.`,
    };
  if (plain_too)
    return {
      well: false,
      text: `${description}, but master.key lies in the data folder as well: whoever takes the disk has it. ${by_hand ? '' : `Do again what moved it: ${MOVE}. `}Where a setting gives the key, move the file to another place.`,
    };
  if (form === 'file' && same_disk)
    return {
      well: false,
      text: `${description}, on the disk that has the data: whoever takes it has both. ${move}.`,
    };
  if (left.length > 0)
    return {
      well: false,
      text:
        `${description}. But ${left.join(' and ')} held it as it is before and could not be removed: whoever has that file and the data ` +
        `reads every document. Plug its disk in and do again what moved the key, or delete it there, and then ${leftPath(where.data_dir)}, which names it.`,
    };
  return { well: true, text: `${description}.` };
}
