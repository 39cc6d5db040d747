import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { forbidden, invalid } from '#server/http/errors.ts';
import { longDay } from '#server/text/language.ts';
import type { MakeShare, ShareSettings } from './contract.ts';
import { DEFAULT_MAX_DAYS } from './contract.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { daysFrom } from './model.ts';

const SHARING_OFF =
  'Sharing by links is switched off for your firm. Ask an admin to switch it on in Settings.';

/** Whether sharing is enabled for a firm, and the maximum lifetime of its links. */
export async function settingsOf(db: Knex, firmId: number): Promise<ShareSettings> {
  const row: { enabled: number; max_days: number } | undefined = await db('share_settings')
    .where({ firm_id: firmId })
    .first('enabled', 'max_days');
  return row
    ? { enabled: row.enabled === 1, max_days: row.max_days }
    : { enabled: true, max_days: DEFAULT_MAX_DAYS };
}

/**
 * Checks a link against the firm's settings and the actor's permissions.
 * @throws {AppError} 403 if sharing is disabled; 422 on `mode` or `expires_on`.
 */
export async function requireWithinSettings(
  db: Knex,
  now: Date,
  actor: Actor,
  link: Pick<MakeShare, 'mode' | 'expires_on'>,
): Promise<void> {
  const { enabled, max_days } = await settingsOf(db, actor.firmId);
  if (!enabled) throw forbidden(SHARING_OFF);
  if (link.mode === 'download' && !may(actor, 'documents.download'))
    throw invalid({
      mode: ['You may look at documents, but not download them, so others may only look as well'],
    });
  const today = dayInIndia(now);
  if (link.expires_on < today)
    throw invalid({ expires_on: ['This day is over. Choose today or a later day'] });
  const last = daysFrom(today, max_days);
  if (link.expires_on > last)
    throw invalid({ expires_on: [`Your firm shares for at most ${max_days} days: until ${longDay(last)}`] });
}
