import { openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { Generated, Sendable } from '#server/http/send.ts';
import { repairName } from '#server/text/file-names.ts';
import type { Contents } from './contents.ts';
import { shownAs } from './contents.ts';
import type { InnerRef } from './contract.ts';
import { MAX_SHARED_ITEMS } from './contract.ts';
import { within } from './inner-listing.ts';
import { beginTries } from './limits.ts';
import type { SharingDependencies } from './dependencies.ts';
import type { AdmittedVisitor, Visitor, Visitors } from './visitors.ts';
import { goneLink } from './visitors.ts';

/** How long a started download can be resumed, in milliseconds. */
export const GRANT_LIFETIME_MS = 12 * 60 * 60_000;

const LIMIT_REACHED =
  'No more can be downloaded by this link today. Try again tomorrow, or ask the person who sent it.';

const CHANGED = 'This has changed since the download was started. Start it again.';

/** What a grant gives: items, or a part of the only one. */
interface Granted {
  ids: number[];
  inside?: InnerRef | undefined;
  /** Of the content that it gives; undefined until the first bytes are sent. */
  version?: string | undefined;
}

/** Earlier releases stored only the ids if no part was chosen. */
function grantedIn(json: string): Granted {
  const stored = JSON.parse(json) as Granted | number[];
  return Array.isArray(stored) ? { ids: stored } : stored;
}

type View = Awaited<ReturnType<SharingDependencies['documents']['views']>>[number];

interface Chosen {
  ids: readonly number[];
  views: readonly View[];
  inside: InnerRef | undefined;
}

/** Identifies the content of a file in which a part was chosen. */
const archiveVersion = ({ file_size, modified_at }: View): string => `${file_size} ${modified_at}`;

export function createShareDownloads(
  dependencies: SharingDependencies,
  visitors: Visitors,
  contents: Contents,
  opened: (entered: AdmittedVisitor) => Promise<void>,
) {
  const { db, clock, blobs, audit, daily, archive, documents } = dependencies;

  /**
   * Downloads through a link count against its maker's daily limit, which could otherwise be circumvented.
   * @returns the version of the counted content; undefined for makers without a limit.
   */
  async function countAgainstDailyLimit(
    who: AdmittedVisitor,
    grant: string,
    { ids, views, inside }: Chosen,
  ): Promise<string | undefined> {
    const { actor } = who;
    if (actor.dailyDownloads === null) return undefined;
    const { version, files } = inside
      ? { version: archiveVersion(views[0]!), files: 1 }
      : await wholeOf(who, ids, views);
    try {
      await daily.count(actor, `${grant} ${version}`, { detail: { ids } }, Math.max(1, files));
      return version;
    } catch (error) {
      if (error instanceof AppError && error.code === 'download_limit')
        throw new AppError(429, 'share_limit', LIMIT_REACHED);
      throw error;
    }
  }

  return {
    /**
     * Starts and counts a download of shared files and folders; all of them when none is named.
     * @param inside the requested part of the single named file.
     * @returns the grant, which the download address contains; valid for twelve hours.
     * @throws {AppError} 401, 403, 404; 429 when the daily limit of the link's maker is reached.
     */
    async begin(visitor: Visitor, requestedIds: readonly number[], inside?: InnerRef): Promise<string> {
      const who = await visitors.admit(visitor);
      const { actor, link, tops } = who;
      if (!actor.permissions.includes('documents.download'))
        throw new AppError(403, 'look_only', 'This may be looked at, but not downloaded.');
      await dependencies.limits.check(...beginTries(link.id, visitor.ip));
      const ids =
        requestedIds.length > 0
          ? [...new Set(requestedIds)].slice(0, MAX_SHARED_ITEMS)
          : tops.map(({ id }) => id);
      await contents.ways(who, ids);
      const items = await documents.views(actor, ids);
      if (actor.recipient.masked) await requireAnyGiven(who, items);
      const grant = newSecret();
      if (inside && 'entry' in inside) await within(dependencies, actor, ids[0]!, inside);
      // `within` counts an attachment when it is sent.
      const counted = !inside || 'entry' in inside;
      const version = counted
        ? await countAgainstDailyLimit(who, grant, { ids, views: items, inside })
        : undefined;
      await db.transaction(async (trx) => {
        const changed = await trx('share_links')
          .where({ id: link.id, revoked_at: null })
          .whereRaw('(max_downloads IS NULL OR downloads < max_downloads)')
          .increment('downloads', 1);
        // A concurrent download took the last permitted one.
        if (changed === 0) throw goneLink();
        await trx('share_grants').insert({
          link_id: link.id,
          token_hash: fingerprint(grant),
          items: JSON.stringify({ ids, inside, version } satisfies Granted),
          expires_at: new Date(clock().getTime() + GRANT_LIFETIME_MS).toISOString(),
        });
        await visitors.noteDownloaded(trx, link, visitor.cookie);
        const names = items.slice(0, 3).map(({ name }) => name);
        const subject = ids.length === 1 ? { subject: `item:${ids[0]!}` } : {};
        const detail = { ids: ids.slice(0, 100), names, chosen: ids.length, ...inside };
        await audit.record(trx, { actor, did: 'document.download', ...subject, detail });
      });
      await opened(who);
      return grant;
    },

    /**
     * The bytes of a started download; range requests and retries belong to the same download. @throws {AppError}
     * 401, 404.
     */
    async open(visitor: Visitor, grant: string): Promise<Sendable | Generated> {
      const who = await visitors.admit(visitor, { used: true });
      const { actor, link } = who;
      const row: { id: number; items: string } | undefined = await db('share_grants')
        .where({ link_id: link.id, token_hash: fingerprint(grant) })
        .where('expires_at', '>', clock().toISOString())
        .first('id', 'items');
      if (!row || !actor.permissions.includes('documents.download')) throw goneLink();
      const { ids, inside } = grantedIn(row.items);
      await contents.ways(who, ids);
      const views = await documents.views(actor, ids);
      const [only] = views;
      if (!only) throw goneLink();
      if (inside) {
        await pin(row, archiveVersion(only));
        return within(dependencies, actor, only.id, inside);
      }
      const { files: _, ...whole } = await wholeOf(who, ids, views);
      await pin(row, whole.version);
      return whole;
    },

    /**
     * The original bytes of an image or video for display in place, which is recorded as a viewing; everything else is
     * a download and counts. @param sending false for HEAD, which is not recorded. @throws {AppError} 401, 403, 404.
     */
    async show(visitor: Visitor, id: number, { sending }: { sending: boolean }): Promise<Sendable> {
      const who = await visitors.admit(visitor);
      if (!who.actor.permissions.includes('documents.download'))
        throw new AppError(403, 'look_only', 'This may be looked at, but not downloaded.');
      await contents.ways(who, [id]);
      const [view] = await documents.views(who.actor, [id]);
      const shown = view?.type === 'file' ? shownAs(who, view.file_type) : null;
      if (shown !== 'picture' && shown !== 'video') throw notFound('file');
      const file = await documents.openFile(who.actor, id);
      // The ranges that a player requests are one viewing.
      if (sending)
        await audit.recordViewing({
          actor: who.actor,
          subject: `item:${id}`,
          detail: openedAs(file),
          content: file.sha256,
        });
      return toSendable(file);
    },
  };

  /**
   * Checks that a link which masks Aadhaar numbers gives at least one of the files. @throws {AppError} 409
   * `withheld_…`.
   */
  async function requireAnyGiven(
    { actor }: AdmittedVisitor,
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

  /** One file as it is, or the ZIP of several. */
  async function wholeOf(
    who: AdmittedVisitor,
    ids: readonly number[],
    views: readonly View[],
  ): Promise<Sendable & { files: number }> {
    const [only] = views;
    if (views.length === 1 && only?.type === 'file')
      return { ...toSendable(await documents.openFile(who.actor, only.id)), files: 1 };
    const { version, size, open, files } = await archive.zip(documents.walk(who.actor, ids));
    const whole = views.length === 1 ? dependencies.masking.maskName(only!.name) : `${views.length} items`;
    const name = `${repairName(whole)}.zip`;
    return {
      name,
      fileType: 'zip',
      size,
      version,
      modifiedAt: null,
      open: async (range) => open(range),
      files,
    };
  }

  /**
   * A grant gives one content only, the first that is sent by it: otherwise all that comes into a shared folder within
   * twelve hours would be one download. @throws {AppError} 409 `changed`.
   */
  async function pin(row: { id: number; items: string }, version: string): Promise<void> {
    const granted = grantedIn(row.items);
    if (granted.version === version) return;
    if (granted.version === undefined) {
      const items = JSON.stringify({ ...granted, version });
      if ((await db('share_grants').where({ id: row.id, items: row.items }).update({ items })) > 0) return;
      const now: { items: string } | undefined = await db('share_grants')
        .where({ id: row.id })
        .first('items');
      if (now && grantedIn(now.items).version === version) return;
    }
    throw new AppError(409, 'changed', CHANGED);
  }

  function toSendable(file: Awaited<ReturnType<typeof documents.openFile>>): Sendable {
    const { name, size, sha256, file_type, modified_at, blob_id, masked } = file;
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
