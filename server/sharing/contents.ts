import type { Breadcrumb, ItemView } from '#server/documents/contract.ts';
import { FILE_GROUPS, previewKind } from '#server/documents/contract.ts';
import { PAGE_TYPES, TEXT_TYPES } from '#server/masking/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { hasStampedPages, hasThumbnail } from '#server/previews/contract.ts';
import { may } from '#server/actor.ts';
import type { RecipientHead, RecipientItem, RecipientPage, Shown } from './contract.ts';
import { lastDay } from './model.ts';
import { insideOf } from './inside.ts';
import type { SharingParts } from './parts.ts';
import { textsIn } from './texts/index.ts';
import type { Entered, Visitor, Visitors } from './visitors.ts';

/** Items on one page, so that it stays small. */
const PAGE = 100;
/** What every browser shows from the file's own bytes. */
const PICTURES = new Set('jpg jpeg png gif webp'.split(' '));
const VIDEOS = new Set(['mp4', 'webm', 'm4v', 'mov', ...FILE_GROUPS.audio.split(' ')]);

/**
 * How the visitor is shown a file. Where downloads are counted, by the link or by its maker's limit, no original is shown
 * in place: it could be saved from there without being counted.
 */
export function shownAs({ actor, link }: Entered, type: string | null): Shown {
  // What is covered stands on pictures of pages alone.
  if (actor.recipient.masked)
    return PAGE_TYPES.includes(type ?? '') || TEXT_TYPES.includes(type ?? '') ? 'pages' : null;
  const counted = link.max_downloads !== null || actor.dailyDownloads !== null;
  if (may(actor, 'documents.download') && !counted) {
    if (PICTURES.has(type ?? '')) return 'picture';
    if (VIDEOS.has(type ?? '')) return 'video';
  }
  return hasStampedPages(type) && previewKind(type) !== null ? 'pages' : null;
}

/** Why a page is not shown, by what whoever draws it says. */
const WHY: Record<string, string> = {
  withheld_waiting: 'waiting',
  withheld_type: 'withheld',
  withheld_unknown: 'withheld',
  withheld_locked: 'withheld',
  withheld_long: 'withheld',
  withheld_number: 'withheld',
  locked_pdf: 'locked',
};

/** The virus scanner says of it what is to be said. */
const heldBack = (error: unknown): null => {
  if (error instanceof AppError) return null;
  throw error;
};

/** For what is not a part of what was shared, or not any more: nobody is told which. */
const notShared = () => notFound('file');

/** What a page says instead of pages that cannot be shown. @throws what is no refusal. */
export function whyNot(error: unknown): string {
  if (!(error instanceof AppError) || error.status === 404) throw error;
  return WHY[error.code] ?? (error.status === 503 || error.status === 429 ? 'busy' : 'unreadable');
}

/** What a recipient sees: what was shared and what is in it, and nothing above or beside it. */
export function createContents(parts: SharingParts, visitors: Visitors) {
  const { documents, previews } = parts;

  /** The way from what was shared down to each of these. @throws {AppError} 404 when one of them is not a part of it. */
  async function ways({ actor, tops }: Entered, ids: readonly number[]): Promise<Map<number, Breadcrumb[]>> {
    const shared = new Set(tops.map(({ id }) => id));
    const lines = await documents.lineage(actor, ids);
    return new Map(
      ids.map((id) => {
        const line = lines.get(id) ?? [];
        const top = line.findIndex((one) => shared.has(one.id));
        if (top === -1) throw notShared();
        return [id, line.slice(top).map((one) => ({ ...one, name: shownName(actor, one.name) }))];
      }),
    );
  }

  async function itemOf(who: Entered, item: ItemView): Promise<RecipientItem> {
    const { id, name, type, file_type, file_size, modified_at } = item;
    const folder = type === 'folder';
    const { masked } = who.actor.recipient;
    const said = masked && !folder ? await parts.masking.stateOf(who.actor, id).catch(heldBack) : null;
    return {
      id,
      name: masked ? parts.masking.maskName(name) : name,
      type,
      file_type,
      size: folder ? textsIn(who.language).items(item.children_count ?? 0) : (item.formatted_file_size ?? ''),
      modified_at,
      shown: folder ? null : shownAs(who, file_type),
      // Nobody's name stands across it, and no number is covered.
      has_thumbnail:
        !folder && !masked && may(who.actor, 'documents.download') && hasThumbnail(file_type, file_size),
      withheld: said?.state === 'withheld' ? said.why : said?.state === 'waiting' ? 'waiting' : null,
    };
  }

  const shownName = ({ recipient }: Entered['actor'], name: string): string =>
    recipient.masked ? parts.masking.maskName(name) : name;

  function headOf(
    { actor, link, tops, firm, logo, from, language }: Entered,
    visitor: Visitor,
  ): RecipientHead {
    const [one] = tops;
    return {
      firm,
      logo,
      from: from.name,
      title: tops.length === 1 ? shownName(actor, one!.name) : textsIn(language).items(tops.length),
      until: lastDay(link.expires_at),
      may_download: may(actor, 'documents.download'),
      masked: actor.recipient.masked === true,
      lives: tops.some(({ type }) => type === 'folder'),
      form: visitors.formOf(visitor),
    };
  }

  /** What stands before an open link: nothing of what is in it, only who asks and for what. */
  async function closed(visitor: Visitor, asked: 'code' | null): Promise<RecipientPage> {
    const found = await visitors.standing(visitor);
    const { link, firm, logo } = found;
    const session = await visitors.sessionOf(found, visitor.cookie);
    const lack = visitors.lacks(link, session);
    const state = lack === 'password' ? 'password' : asked === 'code' ? 'code' : 'email';
    return { state, firm, logo, form: visitors.formOf(visitor) };
  }

  async function entered(
    visitor: Visitor,
    show: (entered: Entered) => Promise<RecipientPage>,
    asked: 'code' | null,
  ) {
    try {
      return await show(await visitors.enter(visitor));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'not_proved') return closed(visitor, asked);
      if (error.status === 404) return { state: 'gone' } as const;
      throw error;
    }
  }

  /** @param after where the page before ended; what is none begins at the top, as an address that a chat has cut. */
  async function pageOf(actor: Entered['actor'], folder: number, after: string | undefined) {
    try {
      return await documents.folder(actor, folder, {
        limit: PAGE,
        ...(after !== undefined && { cursor: after }),
      });
    } catch (error) {
      if (after === undefined || !(error instanceof AppError) || error.status !== 422) throw error;
      return documents.folder(actor, folder, { limit: PAGE });
    }
  }

  /** A file with what its page says around it. @throws {AppError} 404. */
  async function about(who: Entered, visitor: Visitor, id: number) {
    const { actor, tops } = who;
    const way = (await ways(who, [id])).get(id) ?? [];
    const [view] = await documents.views(actor, [id]);
    if (view?.type !== 'file') throw notShared();
    const item = await itemOf(who, view);
    const crumbs = (tops.length === 1 && tops[0]?.type === 'folder' ? way.slice(1) : way).slice(0, -1);
    return { item, head: headOf(who, visitor), crumbs };
  }

  return {
    ways,
    about,
    /** What `show` makes for a visitor who is let in, and otherwise what stands before the link. */
    entered,

    /** The page of the link, or of a folder in it. */
    list: (
      visitor: Visitor,
      {
        folder,
        after,
        asked = null,
      }: { folder?: number; after?: string | undefined; asked?: 'code' | null } = {},
    ): Promise<RecipientPage> =>
      entered(
        visitor,
        async (who) => {
          const { actor, tops } = who;
          const [only] = tops;
          const head = headOf(who, visitor);
          const id = folder ?? (tops.length === 1 && only?.type === 'folder' ? only.id : null);
          if (id === null) {
            const items = await Promise.all(tops.map((one) => itemOf(who, one)));
            return { state: 'open', head, crumbs: [], items, next: null };
          }
          const way = (await ways(who, [id])).get(id) ?? [];
          const found = await pageOf(actor, id, after);
          const items = await Promise.all(found.items.map((one) => itemOf(who, one)));
          // Above what was shared there is nothing; several things have a page that lists them.
          return {
            state: 'open',
            head,
            crumbs: tops.length === 1 ? way.slice(1) : way,
            items,
            next: found.next_cursor,
          };
        },
        asked,
      ),

    /** The page of a file. */
    file: (visitor: Visitor, id: number, path = ''): Promise<RecipientPage> =>
      entered(
        visitor,
        async (who) => {
          const { actor } = who;
          const { item, ...around } = await about(who, visitor, id);
          const shown = { pages: 0, why: null as string | null };
          if (item.shown === 'pages') {
            try {
              shown.pages = await previews.pages(actor, id);
              item.withheld = null;
            } catch (error) {
              shown.why = whyNot(error);
            }
          } else if (item.shown === null) shown.why = item.withheld ? 'withheld' : 'kind';
          const inside = item.withheld ? null : await insideOf(parts, actor, item, path);
          return { state: 'file', item, ...around, ...shown, inside };
        },
        null,
      ),
  };
}
export type Contents = ReturnType<typeof createContents>;
