import type { Knex } from 'knex';
import type { SettledClock } from '#server/clock.ts';
import { BOUND_IDS, execute, bindList, queryRows } from '#server/db/sql.ts';
import { deleteVersions } from '#server/records/versions.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { MAX_NAMED } from '../changes/remove.ts';
import { isUnderLegalHold } from '../legal-holds/guard.ts';
import { isKept } from '../retention/guard.ts';
import { sealOver } from '../seals/guard.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Files per transaction. */
const BATCH_SIZE = 100;

/** Earlier versions are all kept for `days` days; after that the last of each day, at most `most` per file. */
export interface VersionRule {
  days: number;
  most: number;
}

interface Old {
  id: number;
  item_id: number;
  firm_id: number;
  day: string;
  replaced_at: string;
  kept_as: string | null;
  bytes: number;
}

/**
 * The versions of one file that the rule does not keep; `versions` is ordered newest first. Versions kept forever are
 * never surplus and do not count towards `most`. All versions replaced after `since` are kept.
 */
export function surplus<Row extends Pick<Old, 'day' | 'replaced_at' | 'kept_as'>>(
  versions: readonly Row[],
  most: number,
  since: string,
): Row[] {
  const days = new Set<string>();
  let count = 0;
  return versions.filter(({ day, replaced_at, kept_as }) => {
    const last = !days.has(day);
    days.add(day);
    if (kept_as !== null || replaced_at > since) return false;
    if (!last || count === most) return true;
    count += 1;
    return false;
  });
}

/** Deletes surplus earlier versions, except those of files that are sealed, under a legal hold or retention rule, or in Trash. */
export function createThinning(
  {
    db,
    audit,
    clock,
    settled,
  }: Pick<ChangeDependencies, 'db' | 'audit' | 'clock'> & { settled: SettledClock },
  { days, most }: VersionRule,
) {
  // Stored in `thinned_by` of each checked version: when the configuration changes, all versions are checked again.
  const rule = `${days}/${most}`;
  const since = async () => new Date((await settled()).getTime() - days * DAY_MS).toISOString();

  const waiting = (within: Knex, until: string, limit: number): Promise<{ id: number; name: string }[]> =>
    queryRows(
      within,
      `SELECT DISTINCT i.id, i.name FROM versions v CROSS JOIN items i
       WHERE v.thinned_by <> ? AND v.replaced_at <= ? AND i.id = v.item_id
         AND ${sealOver('i')} IS NULL AND NOT ${isUnderLegalHold('i.scope_client_id')} AND NOT ${isKept('i')} LIMIT ?`,
      [rule, until, limit],
    );

  /** @returns the number of files checked and of versions deleted. */
  async function thinSome(trx: Knex.Transaction, until: string): Promise<{ items: number; deleted: number }> {
    const names = new Map((await waiting(trx, until, BATCH_SIZE)).map(({ id, name }) => [id, name]));
    const ids = bindList(names.keys());
    const rows = await queryRows<Old>(
      trx,
      `SELECT id, item_id, firm_id, day, replaced_at, kept_as, bytes FROM versions
       WHERE item_id IN (${BOUND_IDS}) ORDER BY item_id, id DESC`,
      [ids],
    );
    const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
    const surplusVersions = [...byItem.values()].flatMap((versions) => surplus(versions, most, until));
    for (const [firmId, firmVersions] of Map.groupBy(surplusVersions, ({ firm_id }) => firm_id)) {
      const items = [...new Set(firmVersions.map(({ item_id }) => item_id))];
      await audit.record(trx, {
        firmId,
        did: 'document.thin_versions',
        subject: items.length === 1 ? `item:${items[0]}` : undefined,
        detail: {
          chosen: items.length,
          ids: items.slice(0, MAX_NAMED),
          names: items.slice(0, MAX_NAMED).map((id) => names.get(id)!),
          versions: firmVersions.length,
          bytes: firmVersions.reduce((sum, { bytes }) => sum + Number(bytes), 0),
        },
        concerns: { items },
      });
    }
    const surplusIds = surplusVersions.map(({ id }) => id);
    if (surplusIds.length > 0) await deleteVersions(trx, surplusIds, clock());
    const markChecked = `UPDATE versions SET thinned_by = ? WHERE item_id IN (${BOUND_IDS}) AND replaced_at <= ?`;
    if (names.size > 0) await execute(trx, markChecked, [rule, ids, until]);
    return { items: names.size, deleted: surplusIds.length };
  }

  return {
    anyDue: async (): Promise<boolean> => (await waiting(db, await since(), 1)).length > 0,

    /** @returns the number of versions deleted. */
    async thin(signal?: AbortSignal): Promise<number> {
      let total = 0;
      const until = await since();
      while (!signal?.aborted) {
        const { items, deleted } = await db.transaction((trx) => thinSome(trx, until));
        if (items === 0) break;
        total += deleted;
      }
      return total;
    },
  };
}
export type Thinning = ReturnType<typeof createThinning>;
