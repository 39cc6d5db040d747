import { currentOf, folderOf, makeCurrent, migrationsIn, versionIn, versionsIn } from '../updates/layout.ts';
import { recordsOf } from '../updates/record.ts';
import { compareVersions } from '../updates/versions.ts';
import { asOwner } from './as-owner.ts';
import { Refused } from './refused.ts';
import type { Installation } from './update-dependencies.ts';
import { runAdmin, serviceOf } from './update-dependencies.ts';

/** Says that a person has to start a version, where no service does. */
export const isReady = (version: string): string => `${version} is ready. Start it: npm start`;

/**
 * Goes back to the previous version and keeps all data since: the current version runs its down migrations,
 * which only it has.
 * @returns false when that would delete data and `loseData` is not set.
 */
export async function goBack(installation: Installation, loseData: boolean): Promise<boolean> {
  const { base, config, say } = installation;
  const current = await currentOf(base);
  const from = (await versionIn(current))!;
  const to = (await versionsIn(base)).findLast((version) => compareVersions(version, from) < 0);
  const folder = to === undefined ? null : await folderOf(base, to);
  if (!to || !folder) throw new Refused(`There is no older version in ${base} than ${from}, which runs.`);
  const service = serviceOf(installation);
  say(`Going back from ${from} to ${to}.`);
  await service.stop();
  const target = (await migrationsIn(folder)).at(-1)!;
  const lose = loseData ? ['--lose-data'] : [];
  if (!(await runAdmin(installation, ['migrate', '--to', target, ...lose]))) {
    await service.start?.();
    return false;
  }
  await makeCurrent(base, folder);
  const now = new Date().toISOString();
  const record = { from, to, step: 'done' as const, database: false, why: null };
  await asOwner(config.dataDir, () =>
    recordsOf(config.dataDir).write({ ...record, began_at: now, ended_at: now }),
  );
  await service.start?.();
  await service.watch();
  say(service.start ? `${to} runs.` : isReady(to));
  return true;
}
