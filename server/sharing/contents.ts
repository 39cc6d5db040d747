import { setTimeout as wait } from 'node:timers/promises';
import type { Breadcrumb, ItemView } from '#server/documents/contract.ts';
import { FILE_GROUPS, previewKind } from '#server/documents/contract.ts';
import { PAGE_TYPES, TEXT_TYPES } from '#server/masking/contract.ts';
import { AppError, notFound, serverBusy } from '#server/http/errors.ts';
import { hasStampedPages, hasThumbnail } from '#server/previews/contract.ts';
import { may } from '#server/actor.ts';
import type { RecipientHead, RecipientItem, RecipientPage, Shown } from './contract.ts';
import { lastDay } from './model.ts';
import { insideOf } from './inner-listing.ts';
import type { SharingDependencies } from './dependencies.ts';
import { textsIn } from './email-texts/index.ts';
import type { AdmittedVisitor, Visitor, Visitors } from './visitors.ts';

/** Items per page, to keep the page small. */
const PAGE_SIZE = 100;
/** Image types that every browser displays. */
const PICTURES = new Set('jpg jpeg png gif webp'.split(' '));
/** Bytes; a larger photo is shown as the picture of a page, at most some hundred KB. A GIF may move, and is not. */
const LARGE_PICTURE = 1024 * 1024;
const VIDEOS = new Set(['mp4', 'webm', 'm4v', 'mov', ...FILE_GROUPS.audio.split(' ')]);

/**
 * How a file is displayed. Where downloads are limited, by the link or by its maker's daily limit, the original is
 * not displayed in place: the visitor could save it from there without being counted.
 */
export function shownAs({ actor, link }: AdmittedVisitor, type: string | null): Shown {
  // Masked content exists only as pictures of pages.
  if (actor.recipient.masked)
    return PAGE_TYPES.includes(type ?? '') || TEXT_TYPES.includes(type ?? '') ? 'pages' : null;
  const counted = link.max_downloads !== null || actor.dailyDownloads !== null;
  if (may(actor, 'documents.download') && !counted) {
    if (PICTURES.has(type ?? '')) return 'picture';
    if (VIDEOS.has(type ?? '')) return 'video';
  }
  return hasStampedPages(type) && previewKind(type) !== null ? 'pages' : null;
}

/** The displayed reason why there are no pages, by error code. */
const REASON_BY_CODE: Record<string, string> = {
  withheld_waiting: 'waiting',
  withheld_type: 'withheld',
  withheld_unknown: 'withheld',
  withheld_locked: 'withheld',
  withheld_long: 'withheld',
  withheld_number: 'withheld',
  locked_pdf: 'locked',
};

/** A refused file has its own message, so that its mask state is left out. */
const nullIfRefused = (error: unknown): null => {
  if (error instanceof AppError) return null;
  throw error;
};

const noneIfRefused = (error: unknown): number => {
  if (error instanceof AppError) return 0;
  throw error;
};

/** For items that are not shared, or no longer: the answer does not say which. */
const notShared = () => notFound('file');

/** A page that is not drawn by then is drawn in the background, while its reader is told that the server is busy. */
const PATIENCE_MS = 20_000;

async function withPatience<T>(work: Promise<T>): Promise<T> {
  const end = new AbortController();
  const late = wait(PATIENCE_MS, undefined, { signal: end.signal, ref: false }).then(() => {
    throw serverBusy();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    work.catch(() => undefined);
    late.catch(() => undefined);
    end.abort();
  }
}

/** The reason to display instead of pages. @throws errors that are not refusals. */
export function pagesUnavailableReason(error: unknown): string {
  if (!(error instanceof AppError) || error.status === 404) throw error;
  return REASON_BY_CODE[error.code] ?? (error.status === 503 || error.status === 429 ? 'busy' : 'unreadable');
}

/**
 * The contents of a link as its recipient sees them: the shared items and everything in them, nothing above or beside
 * them.
 */
export function createContents(dependencies: SharingDependencies, visitors: Visitors) {
  const { documents, previews } = dependencies;

  /**
   * The path from a shared item down to each of these items. @throws {AppError} 404 when one of them is not part of
   * the share.
   */
  async function ways(
    { actor, tops }: AdmittedVisitor,
    ids: readonly number[],
  ): Promise<Map<number, Breadcrumb[]>> {
    const shared = new Set(tops.map(({ id }) => id));
    const lines = await documents.lineage(actor, ids);
    return new Map(
      ids.map((id) => {
        const line = lines.get(id) ?? [];
        const top = line.findIndex((crumb) => shared.has(crumb.id));
        if (top === -1) throw notShared();
        return [id, line.slice(top).map((crumb) => ({ ...crumb, name: displayName(actor, crumb.name) }))];
      }),
    );
  }

  async function itemOf(who: AdmittedVisitor, item: ItemView): Promise<RecipientItem> {
    const { id, name, type, file_type, file_size, modified_at } = item;
    const folder = type === 'folder';
    const { masked } = who.actor.recipient;
    const maskState =
      masked && !folder ? await dependencies.masking.stateOf(who.actor, id).catch(nullIfRefused) : null;
    return {
      id,
      name: masked ? dependencies.masking.maskName(name) : name,
      type,
      file_type,
      size: folder ? textsIn(who.language).items(item.children_count ?? 0) : (item.formatted_file_size ?? ''),
      modified_at,
      shown: folder ? null : shownAs(who, file_type),
      // Thumbnails are neither stamped with a name nor masked.
      has_thumbnail:
        !folder && !masked && may(who.actor, 'documents.download') && hasThumbnail(file_type, file_size),
      withheld:
        maskState?.state === 'withheld' ? maskState.why : maskState?.state === 'waiting' ? 'waiting' : null,
    };
  }

  const displayName = ({ recipient }: AdmittedVisitor['actor'], name: string): string =>
    recipient.masked ? dependencies.masking.maskName(name) : name;

  function headOf(
    { actor, link, tops, firm, logo, from, language }: AdmittedVisitor,
    visitor: Visitor,
  ): RecipientHead {
    const [item] = tops;
    return {
      firm,
      logo,
      from: from.name,
      title: tops.length === 1 ? displayName(actor, item!.name) : textsIn(language).items(tops.length),
      until: lastDay(link.expires_at),
      may_download: may(actor, 'documents.download'),
      downloads_left: link.max_downloads === null ? null : Math.max(0, link.max_downloads - link.downloads),
      masked: actor.recipient.masked === true,
      lives: tops.some(({ type }) => type === 'folder'),
      form: visitors.formOf(visitor),
    };
  }

  /** The page in front of a link: it reveals nothing of the contents, only who asks for what. */
  async function lockedPage(visitor: Visitor, requested: 'code' | null): Promise<RecipientPage> {
    const found = await visitors.requireOpen(visitor);
    const { link, firm, logo } = found;
    const session = await visitors.sessionOf(found, visitor.cookie);
    const lack = visitors.missingProof(link, session);
    const state = lack === 'password' ? 'password' : requested === 'code' ? 'code' : 'email';
    return { state, firm, logo, form: visitors.formOf(visitor) };
  }

  /** The page of a link that shows nothing any more. */
  async function overPage(visitor: Visitor): Promise<RecipientPage> {
    try {
      const { state, link, firm, logo, from } = await visitors.requireOver(visitor);
      return { state, firm, logo, from: from.name, until: lastDay(link.expires_at) };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { state: 'gone' };
      throw error;
    }
  }

  async function entered(
    visitor: Visitor,
    show: (entered: AdmittedVisitor) => Promise<RecipientPage>,
    requested: 'code' | null,
  ) {
    try {
      return await show(await visitors.admit(visitor));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'not_proved') return lockedPage(visitor, requested);
      if (error.status === 404) return overPage(visitor);
      throw error;
    }
  }

  /** @param after the cursor of the page; an invalid one, as in a truncated address, shows the first page. */
  async function pageOf(actor: AdmittedVisitor['actor'], folder: number, after: string | undefined) {
    try {
      return await documents.folder(actor, folder, {
        limit: PAGE_SIZE,
        ...(after !== undefined && { cursor: after }),
      });
    } catch (error) {
      if (after === undefined || !(error instanceof AppError) || error.status !== 422) throw error;
      return documents.folder(actor, folder, { limit: PAGE_SIZE });
    }
  }

  /** A file with the surroundings of its page. @throws {AppError} 404. */
  async function about(who: AdmittedVisitor, visitor: Visitor, id: number) {
    const { actor, tops } = who;
    const way = (await ways(who, [id])).get(id) ?? [];
    const [view] = await documents.views(actor, [id]);
    if (view?.type !== 'file') throw notShared();
    const item = await itemOf(who, view);
    const crumbs = (tops.length === 1 && tops[0]?.type === 'folder' ? way.slice(1) : way).slice(0, -1);
    const large = (view.file_size ?? 0) > LARGE_PICTURE;
    return { item, large, head: headOf(who, visitor), crumbs };
  }

  return {
    ways,
    about,
    /** Renders `show` for an admitted visitor, and the page in front of the link for others. */
    entered,

    /** The page of the link, or of a folder inside it. */
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
            const items = await Promise.all(tops.map((item) => itemOf(who, item)));
            return { state: 'open', head, crumbs: [], items, next: null };
          }
          const way = (await ways(who, [id])).get(id) ?? [];
          const found = await pageOf(actor, id, after);
          const items = await Promise.all(found.items.map((item) => itemOf(who, item)));
          // Nothing above a single shared folder is shown; several items have a page that lists them.
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
          const { item, large, ...around } = await about(who, visitor, id);
          const shown = { pages: 0, why: null as string | null };
          if (item.shown === 'pages') {
            try {
              shown.pages = await withPatience(previews.pages(actor, id));
              item.withheld = null;
            } catch (error) {
              shown.why = pagesUnavailableReason(error);
            }
          } else if (large && item.shown === 'picture' && item.file_type !== 'gif') {
            // What cannot be drawn is shown as it is.
            shown.pages = await withPatience(previews.pages(actor, id)).catch(noneIfRefused);
          } else if (item.shown === null) shown.why = item.withheld ? 'withheld' : 'kind';
          const inside = item.withheld ? null : await insideOf(dependencies, actor, item, path);
          return { state: 'file', item, ...around, ...shown, inside };
        },
        null,
      ),
  };
}
export type Contents = ReturnType<typeof createContents>;
