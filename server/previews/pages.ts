import { momentInWords } from '#server/text/day-in-india.ts';
import { buffer } from 'node:stream/consumers';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents, FileRef, OpenedFile } from '#server/documents/service.ts';
import { openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { RenditionKey } from '#server/records/service.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { ownerOf } from '#server/sandbox/owner.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { hasPages, hasStampedPages, hasView, NOT_WITHOUT_DOWNLOAD, PICTURED_MAX } from './contract.ts';
import type { Content, Renderer } from './renderer.ts';
import { unreadable } from './unreadable.ts';
import type { Views } from './views.ts';

/** Milliseconds for which pages that are looked at belong to one look. */
const ONE_LOOK = 15 * 60_000;

/** The reader, with firm and time, as the stamp across a page names them. */
export interface Looker {
  name: string;
  firm_name: string;
}

/** What stands across a page: `Ravi Kumar · Rao & Co · 22 Nov 2026, 18:35 IST`. */
const stampOf = ({ name, firm_name }: Looker, now: Date): string =>
  `${name} · ${firm_name} · ${momentInWords(now)}`;

export interface PageParts {
  documents: Pick<Documents, 'openFile' | 'noteOpened'>;
  blobs: BlobStore;
  audit: Pick<Audit, 'recordAlone'>;
  clock: Clock;
  viewer: (actor: Actor) => Promise<Looker>;
  views: Pick<Views, 'kept'>;
  /** For scans, which are shown to everybody as pictures. */
  pictures: Renderer;
  /** For those who may only look: what they wait for does not wait for thumbnails. */
  pages: Renderer;
}

/**
 * Files page by page as pictures: scans, since no browser shows them; and to one who may only look everything that can
 * be shown, each page with the name of who looks across it.
 */
export function createPages(use: PageParts) {
  const { documents, blobs, clock } = use;
  /** When somebody began to look at something, by session and item, the oldest first. */
  const looks = new Map<string, number>();
  const onlyLooks = (actor: Actor) => !may(actor, 'documents.download');

  async function paged(actor: Actor, ref: FileRef): Promise<OpenedFile> {
    const file = await documents.openFile(actor, ref);
    if (!onlyLooks(actor)) {
      // A recipient of a link has no viewers of ours: to them everything is shown by its pages.
      const paged = actor.recipient ? hasStampedPages : hasPages;
      if (!paged(file.file_type) || file.size > PICTURED_MAX) throw notFound('page');
    } else if (!hasStampedPages(file.file_type)) {
      throw new AppError(422, 'look_only', NOT_WITHOUT_DOWNLOAD);
    } else if (file.size > PICTURED_MAX) {
      const most = formatBytes(PICTURED_MAX);
      throw new AppError(
        422,
        'too_large_to_show',
        `Files over ${most} can't be viewed without download permission. Ask your admin.`,
      );
    }
    return file;
  }

  /** A page without anybody's name, as it is kept. */
  function page(actor: Actor, file: OpenedFile, number: number, requester?: AbortSignal) {
    const kind = file.masked ? 'masked_page' : 'page';
    const key: RenditionKey = { firm_id: actor.firmId, sha256: file.sha256, kind, page: number };
    const read: Content = async () => ({
      bytes: await use.views.kept(actor, file, requester),
      fileType: 'view',
    });
    const renderer = onlyLooks(actor) ? use.pages : use.pictures;
    return renderer.rendition(key, file, requester, hasView(file.file_type) ? read : undefined);
  }

  async function note(actor: Actor, file: OpenedFile): Promise<void> {
    const stamped = onlyLooks(actor) && { stamped: true };
    const detail = { ...openedAs(file), inline: true, ...stamped };
    const subject = `item:${file.item.id}`;
    await use.audit.recordAlone({ actor, did: 'document.download', subject, detail });
    if (stamped) await documents.noteOpened(actor, file.item.id);
  }

  /** Puts a look on record; with `again` also when it goes on from one that is. */
  async function look(actor: Actor, file: OpenedFile, again: boolean): Promise<void> {
    const now = clock().getTime();
    const key = `${actor.recipient?.visitor ?? actor.sessionId} ${file.item.id} ${file.version ?? ''}`;
    for (const [old, at] of looks) {
      if (Math.abs(now - at) < ONE_LOOK) break;
      looks.delete(old);
    }
    if (looks.has(key) && !again) return;
    looks.delete(key);
    looks.set(key, now);
    await note(actor, file);
  }

  return {
    /** How many pages a file has that is shown page by page. @throws {AppError} 404, 403; 422 for what cannot be read; 503. */
    async count(actor: Actor, ref: FileRef): Promise<number> {
      const file = await paged(actor, ref);
      const first = await page(actor, file, 1);
      if (!first?.blob_id) throw unreadable(actor);
      await look(actor, file, true);
      return first.pages ?? 1;
    },

    /** @throws {AppError} 404 beyond the last page; 403; 422 for one that cannot be read; 503. */
    async page(
      actor: Actor,
      ref: FileRef,
      number: number,
      requester?: AbortSignal,
    ): Promise<{ blob_id: string; bytes: number; sha256: string } | { stamped: Buffer }> {
      const file = await paged(actor, ref);
      const first = await page(actor, file, 1, requester);
      if (!first?.blob_id) throw onlyLooks(actor) ? unreadable(actor) : notFound('page');
      if (number > (first.pages ?? 1)) throw notFound('page');
      const found = number === 1 ? first : await page(actor, file, number, requester);
      if (!found?.blob_id) throw onlyLooks(actor) ? unreadablePage(number) : notFound('page');
      if (!onlyLooks(actor)) return { blob_id: found.blob_id, bytes: found.bytes ?? 0, sha256: file.sha256 };
      await look(actor, file, false);
      const stamp = stampOf(await use.viewer(actor), clock());
      const name = `${actor.userId} ${file.sha256} ${number}`;
      const plain = await buffer(await blobs.get(found.blob_id));
      const owner = ownerOf({ firm_id: actor.firmId, client_id: file.item.client_id });
      const of = { firm_id: actor.firmId, name, owner };
      return { stamped: await use.pages.stamp(of, plain, stamp, requester) };
    },
  };
}

const unreadablePage = (number: number) =>
  new AppError(422, 'unreadable', `Page ${number} cannot be shown: it is damaged or too complex.`);
