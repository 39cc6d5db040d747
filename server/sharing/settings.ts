import type { Knex } from 'knex';
import type { ShareSettings } from './contract.ts';
import { DEFAULT_MAX_DAYS } from './contract.ts';

/** Whether sharing is enabled for a firm, and the maximum lifetime of its links. */
export async function settingsOf(db: Knex, firmId: number): Promise<ShareSettings> {
  const row: { enabled: number; max_days: number } | undefined = await db('share_settings')
    .where({ firm_id: firmId })
    .first('enabled', 'max_days');
  return row
    ? { enabled: row.enabled === 1, max_days: row.max_days }
    : { enabled: true, max_days: DEFAULT_MAX_DAYS };
}
