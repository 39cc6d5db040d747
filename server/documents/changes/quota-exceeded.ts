import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';
import type { Limits } from '#server/subscription/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { inTrash } from '../../records/usage.ts';
import { inVersions } from '../../records/versions.ts';

/** The error for exceeded storage. Only users who see everything get figures and advice on what to delete. */
export async function quotaExceeded(
  db: Knex,
  actor: Actor,
  before: number,
  { bytes, limits }: { bytes: number; limits: Limits },
): Promise<AppError> {
  if (!seesAll(actor)) {
    const message = `There is not enough storage left for ${formatBytes(bytes)}. Ask an admin to make room.`;
    return new AppError(422, 'quota_exceeded', message, { errors: { file: [message] } });
  }
  const left = Math.max(0, limits.bytes - before);
  const trashed = (await inTrash(db, actor.firmId)).bytes;
  const earlier = await inVersions(db, actor.firmId);
  const advice =
    trashed > 0
      ? `${formatBytes(trashed)} of it is in Trash: empty Trash first, or upgrade your plan.`
      : earlier > 0
        ? `${formatBytes(earlier)} of it is in earlier versions: delete those or files you no longer need, or upgrade your plan.`
        : 'Delete files you no longer need, or upgrade your plan.';
  const message =
    `Not enough storage: ${formatBytes(before)} of ${formatBytes(limits.bytes)} is used, ${formatBytes(left, 'down')} is left ` +
    `and this needs ${formatBytes(bytes, 'up')}. ${advice}`;
  return new AppError(422, 'quota_exceeded', message, { errors: { file: [message] } });
}
