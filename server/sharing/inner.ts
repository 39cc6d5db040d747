import { may } from '#server/actor.ts';
import { openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { hasInnerPages } from '#server/previews/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { Contents } from './contents.ts';
import { whyNot } from './contents.ts';
import type { RecipientPage, Wanted } from './contract.ts';
import { typeOf } from './inside.ts';
import { insideTries } from './limits.ts';
import type { SharingParts } from './parts.ts';
import type { Entered, Visitor, Visitors } from './visitors.ts';

/**
 * Pages of one entry of a ZIP or one attachment, as pictures: shown to whoever may download it, and to nobody by a link
 * that is view only, where the recipient's name would have to stand across them, or that covers Aadhaar numbers.
 */
export function createInner(parts: SharingParts, visitors: Visitors, contents: Contents) {
  const { archiveViewer, documents, previews, audit, limits } = parts;

  function demandShown({ actor }: Entered): void {
    if (!may(actor, 'documents.download'))
      throw new AppError(403, 'look_only', 'What is in this file is shown by name only.');
    if (actor.recipient.masked) throw notFound('file');
  }

  /** What is wanted of a file; its bytes are read when a page is made. @throws {AppError} 404 also for what has no pages; 422. */
  async function innerOf({ actor }: Entered, id: number, wanted: Wanted) {
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
      const one = (await previews.attachments(actor, id)).find(({ index }) => index === place);
      if (!one) throw notFound('attachment');
      const bytes = () => previews.attachmentToShow(actor, id, place);
      return { name: one.name, size: one.size, bytes };
    }
  }

  return {
    /** The page of what lies in a file; that of the file itself where it is not shown to this recipient, or is not there. */
    async show(visitor: Visitor, id: number, wanted: Wanted): Promise<RecipientPage> {
      const shown = (who: Entered): Promise<RecipientPage> => pageOf(who, visitor, id, wanted);
      const page = await contents.entered(visitor, shown, null);
      return page.state === 'gone' ? contents.file(visitor, id) : page;
    },

    /** One page as a picture, WebP. @throws {AppError} 401, 403, 404, 422, 429, 503. */
    async page(visitor: Visitor, id: number, wanted: Wanted, page: number, requester?: AbortSignal) {
      const who = await visitors.enter(visitor);
      demandShown(who);
      await contents.ways(who, [id]);
      await limits.check(...insideTries(who.link.id, visitor.ip));
      const { inner } = await innerOf(who, id, wanted);
      const { picture } = await previews.innerPage(who.actor, inner, page, requester);
      return Buffer.from(picture);
    },
  };

  async function pageOf(who: Entered, visitor: Visitor, id: number, wanted: Wanted): Promise<RecipientPage> {
    const { actor, link } = who;
    const around = await contents.about(who, visitor, id);
    try {
      demandShown(who);
      const { file, inner } = await innerOf(who, id, wanted);
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
          inline: true,
          [of === 'zip' ? 'entry' : 'attachment']: of === 'zip' ? key : name,
        };
        await audit.recordAlone({ actor, did: 'document.download', subject: `item:${id}`, detail });
      } catch (error) {
        shown.why = whyNot(error);
      }
      return { state: 'inner', ...around, entry, ...shown };
    } catch (error) {
      // By an address that somebody has changed: the list says what there is.
      if (error instanceof AppError && error.status < 500) return { state: 'gone' };
      throw error;
    }
  }
}
