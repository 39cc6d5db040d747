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

/** The user and firm named by the stamp across a page. */
export interface StampedUser {
  name: string;
  firm_name: string;
}

/** The text of the stamp: `Ravi Kumar · Rao & Co · Nov 22, 2026, 6:35 PM IST`. */
const stampOf = ({ name, firm_name }: StampedUser, now: Date): string =>
  `${name} · ${firm_name} · ${momentInWords(now)}`;

interface PageDependencies {
  documents: Pick<Documents, 'openFile' | 'noteOpened'>;
  blobs: BlobStore;
  audit: Pick<Audit, 'recordAlone' | 'recordViewing'>;
  clock: Clock;
  viewer: (actor: Actor) => Promise<StampedUser>;
  views: Pick<Views, 'storedView'>;
  /** Renders pages for users with download permission: scans, which everybody sees as pictures. */
  pictures: Renderer;
  /** Renders pages for view-only users, in a queue of its own, so that they do not wait for thumbnails. */
  pages: Renderer;
}

/**
 * Pictures of the pages of files: of scans, since browsers cannot show them; and for view-only users of every type that can
 * be shown, each page stamped with the user's name.
 */
export function createPages(dependencies: PageDependencies) {
  const { documents, blobs, clock } = dependencies;
  const isViewOnly = (actor: Actor) => !may(actor, 'documents.download');

  async function openPagedFile(actor: Actor, ref: FileRef): Promise<OpenedFile> {
    const file = await documents.openFile(actor, ref);
    if (!isViewOnly(actor)) {
      // Pages of shared links have no viewers, so their recipients see every type as pictures of pages.
      const isPaged = actor.recipient ? hasStampedPages : hasPages;
      if (!isPaged(file.file_type) || file.size > PICTURED_MAX) throw notFound('page');
    } else if (!hasStampedPages(file.file_type)) {
      throw new AppError(422, 'look_only', NOT_WITHOUT_DOWNLOAD);
    } else if (file.size > PICTURED_MAX) {
      const maximum = formatBytes(PICTURED_MAX);
      throw new AppError(
        422,
        'too_large_to_show',
        `Files over ${maximum} can't be viewed without download permission. Ask your admin.`,
      );
    }
    return file;
  }

  /** The stored page without a stamp. */
  function storedPage(actor: Actor, file: OpenedFile, number: number, requester?: AbortSignal) {
    const kind = file.masked ? 'masked_page' : 'page';
    const { sha256, file_type } = file;
    const key: RenditionKey = { firm_id: actor.firmId, sha256, file_type, kind, page: number };
    const loadView: Content = async () => ({
      bytes: await dependencies.views.storedView(actor, file, requester),
      fileType: 'view',
    });
    const renderer = isViewOnly(actor) ? dependencies.pages : dependencies.pictures;
    return renderer.rendition(key, file, requester, hasView(file.file_type) ? loadView : undefined);
  }

  /** The stored page of a file that was drawn from what the file is now: of a covered copy that was made anew, once more. */
  async function openedPage(actor: Actor, ref: FileRef, number: number, requester?: AbortSignal) {
    const file = await openPagedFile(actor, ref);
    const page = await storedPage(actor, file, number, requester);
    if (page || !file.masked) return { file, page };
    const present = await openPagedFile(actor, ref);
    return { file: present, page: await storedPage(actor, present, number, requester) };
  }

  /** Records a viewing in the history; with `isNew`, even if one of the user is in progress. */
  async function recordViewing(actor: Actor, file: OpenedFile, isNew: boolean): Promise<void> {
    const stamped = isViewOnly(actor) && { stamped: true };
    const detail = { ...openedAs(file), inline: true, ...stamped };
    const entry = { actor, subject: `item:${file.item.id}`, detail, content: file.sha256 };
    if (isNew) await dependencies.audit.recordAlone({ ...entry, did: 'document.download' });
    else if (!(await dependencies.audit.recordViewing(entry))) return;
    if (stamped) await documents.noteOpened(actor, file.item.id);
  }

  return {
    /** The number of pages of a file. @throws {AppError} 404, 403; 422 for an unreadable file; 503. */
    async count(actor: Actor, ref: FileRef): Promise<number> {
      const { file, page: first } = await openedPage(actor, ref, 1);
      if (!first?.blob_id) throw unreadable(actor);
      // The recipient of a link may never get to see a page, which is recorded when it is sent.
      if (!actor.recipient) await recordViewing(actor, file, true);
      return first.pages ?? 1;
    },

    /** @throws {AppError} 404 beyond the last page; 403; 422 for an unreadable page; 503. */
    async page(
      actor: Actor,
      ref: FileRef,
      number: number,
      requester?: AbortSignal,
    ): Promise<{ blob_id: string; bytes: number; sha256: string; file_type: string } | { stamped: Buffer }> {
      const { file, page: first } = await openedPage(actor, ref, 1, requester);
      if (!first?.blob_id) throw isViewOnly(actor) ? unreadable(actor) : notFound('page');
      if (number > (first.pages ?? 1)) throw notFound('page');
      const rendition =
        number === 1
          ? first
          : ((await storedPage(actor, file, number, requester)) ??
            (await openedPage(actor, ref, number, requester)).page);
      if (!rendition?.blob_id) throw isViewOnly(actor) ? unreadablePage(number) : notFound('page');
      if (!isViewOnly(actor)) {
        await recordViewing(actor, file, false);
        const { sha256, file_type } = file;
        return { blob_id: rendition.blob_id, bytes: rendition.bytes ?? 0, sha256, file_type };
      }
      const stamp = stampOf(await dependencies.viewer(actor), clock());
      // The picture itself: of one content there are several, by type and with Aadhaar numbers covered.
      const name = `${actor.userId} ${rendition.blob_id} ${number}`;
      const plain = await buffer(await blobs.get(rendition.blob_id));
      const owner = ownerOf({ firm_id: actor.firmId, client_id: file.item.client_id });
      const request = { firm_id: actor.firmId, name, owner };
      const stamped = await dependencies.pages.stamp(request, plain, stamp, requester);
      await recordViewing(actor, file, false);
      return { stamped };
    },
  };
}

const unreadablePage = (number: number) =>
  new AppError(422, 'unreadable', `Page ${number} cannot be shown: it is damaged or too complex.`);
