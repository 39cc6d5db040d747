import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Clients } from '#server/clients/service.ts';
import type { ItemView, RecentView } from '#server/documents/contract.ts';
import { joinSpellings } from '#server/documents/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Trash } from '#server/documents/trash/service.ts';
import type { Versions } from '#server/documents/versions/service.ts';
import { forbidden } from '#server/http/errors.ts';
import { percentOf } from '#server/subscription/contract.ts';
import type { Subscription } from '#server/subscription/service.ts';
import type { Stats, TypeStat } from './contract.ts';
import { CLEANUP_SHOWN, LATELY_DAYS, RECENT_SHOWN } from './contract.ts';
import { may } from '#server/actor.ts';

const DAY = 24 * 60 * 60_000;

interface DashboardDependencies {
  clock: Clock;
  documents: Pick<Documents, 'total' | 'totals' | 'files' | 'recent' | 'untouched'>;
  clients: Pick<Clients, 'totals'>;
  subscription: Pick<Subscription, 'limitsOf'>;
  trash: Pick<Trash, 'bytes'>;
  versions: Pick<Versions, 'bytes'>;
}

/** What the drive's root and the storage screen show; all of it from running totals and indexes. */
export function createDashboard({
  clock,
  documents,
  clients,
  subscription,
  trash,
  versions,
}: DashboardDependencies) {
  const requireMayRead = (actor: Actor) => {
    if (!may(actor, 'documents.read')) throw forbidden();
  };

  return {
    /** @throws {AppError} 403. */
    async stats(actor: Actor): Promise<Stats> {
      requireMayRead(actor);
      const total = await documents.total(actor);
      const limits = await subscription.limitsOf(actor);
      const { total: total_clients } = await clients.totals(actor);
      const trash_bytes = await trash.bytes(actor);
      const versions_bytes = await versions.bytes(actor);
      const used = total.bytes + trash_bytes + versions_bytes;
      const texts = { used_formatted: formatBytes(used), limit_formatted: formatBytes(limits.bytes) };
      return {
        total_files: total.files,
        total_clients,
        used_bytes: used,
        trash_bytes,
        trash_formatted: formatBytes(trash_bytes),
        versions_bytes,
        versions_formatted: formatBytes(versions_bytes),
        limit_bytes: limits.bytes,
        ...texts,
        percentage: percentOf(used, limits.bytes),
        usage_text: `${texts.used_formatted} / ${texts.limit_formatted}`,
      };
    },

    /** What the actor opened or changed last, each with the folder it is in. @throws {AppError} 403. */
    async recentFiles(actor: Actor, limit: number = RECENT_SHOWN): Promise<RecentView[]> {
      requireMayRead(actor);
      return documents.recent(actor, limit);
    },

    /** The firm's newest files, whoever put them there. @throws {AppError} 403. */
    async newestFiles(actor: Actor, limit: number): Promise<ItemView[]> {
      requireMayRead(actor);
      return (await documents.files(actor, { limit })).items;
    },

    /** The firm's largest files. @throws {AppError} 403. */
    async largestFiles(actor: Actor, limit: number = CLEANUP_SHOWN): Promise<ItemView[]> {
      requireMayRead(actor);
      return (await documents.files(actor, { sort: 'size', limit })).items;
    },

    /** The files that were changed longest ago, of those that nobody has opened lately. @throws {AppError} 403. */
    async untouchedFiles(actor: Actor, limit: number = CLEANUP_SHOWN): Promise<ItemView[]> {
      requireMayRead(actor);
      const since = new Date(clock().getTime() - LATELY_DAYS * DAY).toISOString();
      return documents.untouched(actor, since, limit);
    },

    /** Per type of file, what takes the most first. @throws {AppError} 403. */
    async storageBreakdown(actor: Actor): Promise<TypeStat[]> {
      requireMayRead(actor);
      const totals = joinSpellings(await documents.totals(actor));
      const used = totals.reduce((sum, { bytes }) => sum + bytes, 0);
      return totals.map(({ file_type, files, bytes }) => ({
        type: file_type,
        count: files,
        size: bytes,
        formatted_size: formatBytes(bytes),
        percentage: used === 0 ? 0 : percentOf(bytes, used),
      }));
    },
  };
}
export type Dashboard = ReturnType<typeof createDashboard>;
