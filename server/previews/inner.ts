import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { notFound } from '#server/http/errors.ts';
import { requireDownload } from '#server/links/links.ts';
import { hasInnerPages, hasView } from './contract.ts';
import type { MadePicture } from './renderer-process.ts';
import type { Renderer } from './renderer.ts';
import { unreadable } from './unreadable.ts';
import type { Views } from './views.ts';

/** A file inside another file: an entry of a ZIP, or an attachment. */
export interface Inner {
  /** A unique key of the content within the firm; no record stores such files' hashes. */
  key: string;
  /** Extension, lower case. */
  fileType: string;
  /** Bytes, once unpacked. */
  size: number;
  /** @throws {AppError} from the unpacking. */
  bytes(): Promise<Buffer>;
}

/** The cache of pictures in memory. The picture made for the count of the pages is usually requested next. */
const CACHE_MAX_BYTES = 16 * 1024 * 1024;
const CACHE_MS = 2 * 60_000;

/** Pictures of the pages of files inside other files. No blob stores such a file, so its renditions are not stored either. */
export function createInnerPages(dependencies: {
  pictures: Renderer;
  views: Pick<Views, 'viewOfBytes'>;
  clock: Clock;
}) {
  const { pictures, views, clock } = dependencies;
  /** By firm, content and page; the oldest first. */
  const cache = new Map<string, { picture: MadePicture; at: number }>();
  let expiry: NodeJS.Timeout | undefined;

  function store(name: string, picture: MadePicture): void {
    cache.set(name, { picture, at: clock().getTime() });
    let bytes = [...cache.values()].reduce((sum, cached) => sum + cached.picture.picture.length, 0);
    for (const [oldest, cached] of cache) {
      if (bytes <= CACHE_MAX_BYTES) break;
      cache.delete(oldest);
      bytes -= cached.picture.picture.length;
    }
    clearTimeout(expiry);
    expiry = setTimeout(() => cache.clear(), CACHE_MS).unref();
  }

  return {
    /**
     * A page as WebP with the number of pages. Requires download permission, since the picture is not stamped.
     * @throws {AppError} 403; 404 for a type without pages and beyond the last page; 422 for an unreadable file; 503.
     */
    async page(actor: Actor, inner: Inner, page: number, requester?: AbortSignal): Promise<MadePicture> {
      requireDownload(actor);
      const { key, fileType, size } = inner;
      if (!hasInnerPages(fileType, size)) throw notFound('page');
      const name = `${actor.firmId} ${key} ${page}`;
      const cached = cache.get(name);
      if (cached && Math.abs(clock().getTime() - cached.at) < CACHE_MS) return cached.picture;
      const content = async () => {
        const bytes = await inner.bytes();
        if (!hasView(fileType)) return { bytes, fileType };
        const view = await views.viewOfBytes(actor, key, { bytes, fileType });
        if (!view) throw unreadable(actor);
        return { bytes: view, fileType: 'view' };
      };
      const target = { firm_id: actor.firmId, name: key, page };
      const picture = await pictures.renderBytes(target, content, requester);
      if (!picture) throw unreadable(actor);
      if (page > picture.pages) throw notFound('page');
      store(name, picture);
      return picture;
    },

    stop(): void {
      clearTimeout(expiry);
      cache.clear();
    },
  };
}
