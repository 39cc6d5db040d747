import { may } from '#server/actor.ts';
import { openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { hasInnerPages } from '#server/previews/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Contents } from './contents.ts';
import { pagesUnavailableReason } from './contents.ts';
import type { RecipientPage, InnerRef } from './contract.ts';
import { typeOf } from './inner-listing.ts';
import { insideTries } from './limits.ts';
import type { SharingDependencies } from './dependencies.ts';
import type { AdmittedVisitor, Visitor, Visitors } from './visitors.ts';

/**
 * Pages of one ZIP entry or attachment, as pictures. Only for recipients who may download: not by a link for viewing
 * only, whose pages would need the recipient's name across them, and not by a link that masks Aadhaar numbers.
 */
export function createInner(dependencies: SharingDependencies, visitors: Visitors, contents: Contents) {
  const { archiveViewer, documents, previews, audit, limits } = dependencies;

  function requireInnerPages({ actor }: AdmittedVisitor): void {
    if (!may(actor, 'documents.download'))
      throw new AppError(403, 'look_only', 'What is in this file is shown by name only.');
    if (actor.recipient.masked) throw notFound('file');
  }

  /**
   * Resolves a part of a file; its bytes are read when a page is rendered. @throws {AppError} 404 also for a part
   * without pages; 422.
   */
  async function resolveInner({ actor }: AdmittedVisitor, id: number, wanted: InnerRef) {
    const file = await documents.openFile(actor, id);
    const key = `${file.sha256} ${JSON.stringify(wanted)}`;
    const found = 'entry' in wanted ? await entryOf(wanted.entry) : await attachmentOf(wanted.attachment);
    const fileType = typeOf(found.name) ?? '';
    if (!hasInnerPages(fileType, found.size)) throw notFound('page');
    return { file, inner: { ...found, key, fileType } };

    async function entryOf(path: string) {
      const { name, size, content } = await archiveViewer.fileToShow(actor, id, path);
      return { name, size, bytes: content };
    }

    async function attachmentOf(place: number) {
      const attachment = (await previews.attachments(actor, id)).find(({ index }) => index === place);
      if (!attachment) throw notFound('attachment');
      const bytes = async () => (await previews.attachmentContents(actor, id, [place]))[0]!;
      return { name: attachment.name, size: attachment.size, bytes };
    }
  }

  return {
    /**
     * The page of a part of a file; falls back to the page of the file when the part is missing or not displayed to
     * this recipient.
     */
    async show(visitor: Visitor, id: number, wanted: InnerRef): Promise<RecipientPage> {
      const shown = (who: AdmittedVisitor): Promise<RecipientPage> => pageOf(who, visitor, id, wanted);
      const page = await contents.entered(visitor, shown, null);
      return page.state === 'gone' ? contents.file(visitor, id) : page;
    },

    /** Renders one page as WebP. @throws {AppError} 401, 403, 404, 422, 429, 503. */
    async page(visitor: Visitor, id: number, wanted: InnerRef, page: number, requester?: AbortSignal) {
      const who = await visitors.admit(visitor);
      requireInnerPages(who);
      await contents.ways(who, [id]);
      await limits.check(...insideTries(who.link.id, visitor.ip));
      const { inner } = await resolveInner(who, id, wanted);
      const { picture } = await previews.innerPage(who.actor, inner, page, requester);
      return Buffer.from(picture);
    },
  };

  async function pageOf(
    who: AdmittedVisitor,
    visitor: Visitor,
    id: number,
    wanted: InnerRef,
  ): Promise<RecipientPage> {
    const { actor, link } = who;
    const { large: _, ...around } = await contents.about(who, visitor, id);
    try {
      requireInnerPages(who);
      const { file, inner } = await resolveInner(who, id, wanted);
      const { name, fileType, size } = inner;
      const [of, key] =
        'entry' in wanted ? (['zip', wanted.entry] as const) : (['mail', String(wanted.attachment)] as const);
      const entry = { of, key, name, file_type: fileType, size: formatBytes(size) };
      const shown = { pages: 0, why: null as string | null };
      try {
        await limits.check(...insideTries(link.id, visitor.ip));
        shown.pages = (await previews.innerPage(actor, inner, 1)).pages;
        const detail = {
          ...openedAs(file),
          [of === 'zip' ? 'entry' : 'attachment']: of === 'zip' ? key : name,
        };
        await audit.recordViewing({ actor, subject: `item:${id}`, detail, content: inner.key });
      } catch (error) {
        shown.why = pagesUnavailableReason(error);
      }
      return { state: 'inner', ...around, entry, ...shown };
    } catch (error) {
      // The address was edited: fall back to the list of the contents.
      if (error instanceof AppError && error.status < 500) return { state: 'gone' };
      throw error;
    }
  }
}
