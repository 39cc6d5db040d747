import { AppError, notFound } from '#server/http/errors.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Generated, Sendable } from '#server/http/send.ts';
import { repairName } from '#server/text/names.ts';
import type { Contents } from './contents.ts';
import { shownAs } from './contents.ts';
import type { Wanted } from './contract.ts';
import { SHARED_AT_ONCE } from './contract.ts';
import { within } from './inside.ts';
import { beginTries } from './limits.ts';
import type { SharingParts } from './parts.ts';
import type { Entered, Visitor, Visitors } from './visitors.ts';
import { goneLink } from './visitors.ts';

/** For how long a download that was begun can go on, in milliseconds. */
const GRANT_LIFETIME = 12 * 60 * 60_000;

const TODAY =
  'No more can be downloaded by this link today. Try again tomorrow, or ask the person who sent it.';

export function createShareDownloads(
  parts: SharingParts,
  visitors: Visitors,
  contents: Contents,
  opened: (entered: Entered) => Promise<void>,
) {
  const { db, clock, blobs, audit, daily, archive, documents } = parts;

  /** What the maker's own downloads of a day leave is what leaves by the maker's links: or the limit would be walked around. */
  async function count({ actor }: Entered, grant: string, ids: readonly number[]): Promise<void> {
    if (actor.dailyDownloads === null) return;
    const files = await documents.countFiles(documents.walk(actor, ids));
    try {
      await daily.count(actor, grant, { detail: { ids } }, Math.max(1, files));
    } catch (error) {
      if (error instanceof AppError && error.code === 'download_limit')
        throw new AppError(429, 'share_limit', TODAY);
      throw error;
    }
  }

  return {
    /**
     * Begins a download, which counts: of files and folders of what was shared, all of it where none is named.
     * @param inside what is wanted of the one file that is named.
     * @returns what stands for it in the address that gives the bytes, for twelve hours.
     * @throws {AppError} 401, 403, 404; 429 when the link's maker may not have more downloaded today.
     */
    async begin(visitor: Visitor, named: readonly number[], inside?: Wanted): Promise<string> {
      const who = await visitors.enter(visitor);
      const { actor, link, tops } = who;
      if (!actor.permissions.includes('documents.download'))
        throw new AppError(403, 'look_only', 'This may be looked at, but not downloaded.');
      await parts.limits.check(...beginTries(link.id, visitor.ip));
      const ids = named.length > 0 ? [...new Set(named)].slice(0, SHARED_AT_ONCE) : tops.map(({ id }) => id);
      await contents.ways(who, ids);
      const items = await documents.views(actor, ids);
      if (actor.recipient.masked) await demandSome(who, items);
      const grant = newSecret();
      if (inside && 'entry' in inside) await within(parts, actor, ids[0]!, inside);
      // An attachment is counted as it is given.
      if (!inside || 'entry' in inside) await count(who, grant, ids);
      await db.transaction(async (trx) => {
        const changed = await trx('share_links')
          .where({ id: link.id, revoked_at: null })
          .whereRaw('(max_downloads IS NULL OR downloads < max_downloads)')
          .increment('downloads', 1);
        // Somebody else has had the last one just before.
        if (changed === 0) throw goneLink();
        await trx('share_grants').insert({
          link_id: link.id,
          token_hash: fingerprint(grant),
          items: JSON.stringify(inside ? { ids, inside } : ids),
          expires_at: new Date(clock().getTime() + GRANT_LIFETIME).toISOString(),
        });
        const names = items.slice(0, 3).map(({ name }) => name);
        const one = ids.length === 1 ? { subject: `item:${ids[0]!}` } : {};
        const detail = { ids: ids.slice(0, 100), names, chosen: ids.length, ...inside };
        await audit.record(trx, { actor, did: 'document.download', ...one, detail });
      });
      await opened(who);
      return grant;
    },

    /** The bytes of a download that was begun; ranges and repeats are the same one. @throws {AppError} 401, 404. */
    async open(visitor: Visitor, grant: string): Promise<Sendable | Generated> {
      const who = await visitors.enter(visitor, { used: true });
      const { actor, link } = who;
      const row: { items: string } | undefined = await db('share_grants')
        .where({ link_id: link.id, token_hash: fingerprint(grant) })
        .where('expires_at', '>', clock().toISOString())
        .first('items');
      if (!row || !actor.permissions.includes('documents.download')) throw goneLink();
      const kept = JSON.parse(row.items) as number[] | { ids: number[]; inside: Wanted };
      const { ids, inside = null } = Array.isArray(kept) ? { ids: kept } : kept;
      await contents.ways(who, ids);
      const views = await documents.views(actor, ids);
      const [only] = views;
      if (!only) throw goneLink();
      if (inside) return within(parts, actor, only.id, inside);
      if (views.length === 1 && only.type === 'file') return fileOf(who, only.id);
      const { version, size, open } = await archive.zip(documents.walk(actor, ids));
      const whole = views.length === 1 ? parts.masking.maskName(only.name) : `${views.length} items`;
      const name = `${repairName(whole)}.zip`;
      return { name, fileType: 'zip', size, version, modifiedAt: null, open: async (range) => open(range) };
    },

    /** A picture's or film's own bytes, to be shown in place; whatever else leaves is a download, and counts. @throws {AppError} 401, 403, 404. */
    async show(visitor: Visitor, id: number): Promise<Sendable> {
      const who = await visitors.enter(visitor);
      if (!who.actor.permissions.includes('documents.download'))
        throw new AppError(403, 'look_only', 'This may be looked at, but not downloaded.');
      await contents.ways(who, [id]);
      const [view] = await documents.views(who.actor, [id]);
      const shown = view?.type === 'file' ? shownAs(who, view.file_type) : null;
      if (shown !== 'picture' && shown !== 'video') throw notFound('file');
      return fileOf(who, id);
    },
  };

  /** That at least one file is given by a link that covers Aadhaar numbers. @throws {AppError} 409 `withheld_…`. */
  async function demandSome(
    { actor }: Entered,
    items: readonly { id: number; type: string }[],
  ): Promise<void> {
    const [only] = items;
    if (items.length === 1 && only?.type === 'file') return void (await documents.openFile(actor, only.id));
    const ids = items.map(({ id }) => id);
    let left = 0;
    for await (const step of documents.walk(actor, ids)) {
      if ('left_out' in step) left += 1;
      else if (step.type === 'file') return undefined;
    }
    if (left > 0) throw new AppError(409, 'withheld_type', 'Nothing of it can be given.');
    return undefined;
  }

  async function fileOf({ actor }: Entered, id: number): Promise<Sendable> {
    const { name, size, sha256, file_type, modified_at, blob_id, masked } = await documents.openFile(
      actor,
      id,
    );
    return {
      name,
      fileType: file_type,
      size,
      version: masked ? blob_id : sha256,
      modifiedAt: modified_at,
      open: (range) => blobs.get(blob_id, range),
    };
  }
}
