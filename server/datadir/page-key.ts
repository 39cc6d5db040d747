import { findMasterKey, readChecks } from '#storage/keys.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { unlocked } from './keys/unlock.ts';
import type { DataDirSettings } from './settings.ts';
import { keySourceOf } from './settings.ts';

/**
 * The page key of a data folder's database; undefined without a master key, or with one of another folder: then only an unsealed
 * database opens.
 * @throws {KeyRefused} for a malformed key.
 */
export async function findPageKey(settings: DataDirSettings): Promise<string | undefined> {
  const source = keySourceOf(await unlocked(settings));
  const master = await findMasterKey(source);
  if (!master) return undefined;
  const checks = await readChecks(settings.dataDir);
  return checks && checks.position(master) < 0 ? undefined : pageKeyOf(master.serverSecret);
}
