import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { notFound } from '#server/http/errors.ts';
import { demandDownload } from '#server/links/links.ts';
import { hasInnerPages, hasView } from './contract.ts';
import type { MadePicture } from './maker.ts';
import type { Renderer } from './renderer.ts';
import { unreadable } from './unreadable.ts';
import type { Views } from './views.ts';

/** A file within another one: an entry of a ZIP, or an attachment. */
export interface Inner {
  /** Tells its content from every other of the firm, of which no record says so. */
  key: string;
  /** Extension, lower case. */
  fileType: string;
  /** Bytes, once unpacked. */
  size: number;
  /** @throws {AppError} as whoever unpacks it says. */
  bytes(): Promise<Buffer>;
}

/** Pictures that are held in memory, and for how many milliseconds: the first is made to count the pages, and shown next. */
const HELD = { bytes: 16 * 1024 * 1024, for: 2 * 60_000 };

/** Pages of files within others, as pictures. No blob holds such a file, so nothing that is made of it is kept. */
export function createInnerPages(use: { pictures: Renderer; views: Pick<Views, 'once'>; clock: Clock }) {
  const { pictures, views, clock } = use;
  /** By firm, content and page; the oldest first. */
  const held = new Map<string, { made: MadePicture; at: number }>();
  let forgetting: NodeJS.Timeout | undefined;

  function hold(name: string, made: MadePicture): void {
    held.set(name, { made, at: clock().getTime() });
    let bytes = [...held.values()].reduce((sum, one) => sum + one.made.picture.length, 0);
    for (const [old, { made: picture }] of held) {
      if (bytes <= HELD.bytes) break;
      held.delete(old);
      bytes -= picture.picture.length;
    }
    clearTimeout(forgetting);
    forgetting = setTimeout(() => held.clear(), HELD.for).unref();
  }

  return {
    /**
     * A page, WebP, with how many there are; for those alone who may have the file itself, since no name stands across it.
     * @throws {AppError} 403; 404 for a kind without pages, and beyond the last page; 422 for what cannot be read; 503.
     */
    async page(actor: Actor, inner: Inner, page: number, requester?: AbortSignal): Promise<MadePicture> {
      demandDownload(actor);
      const { key, fileType, size } = inner;
      if (!hasInnerPages(fileType, size)) throw notFound('page');
      const name = `${actor.firmId} ${key} ${page}`;
      const there = held.get(name);
      if (there && Math.abs(clock().getTime() - there.at) < HELD.for) return there.made;
      const content = async () => {
        const bytes = await inner.bytes();
        if (!hasView(fileType)) return { bytes, fileType };
        const view = await views.once(actor, key, { bytes, fileType });
        if (!view) throw unreadable(actor);
        return { bytes: view, fileType: 'view' };
      };
      const made = await pictures.once({ firm_id: actor.firmId, name: key, page }, content, requester);
      if (!made) throw unreadable(actor);
      if (page > made.pages) throw notFound('page');
      hold(name, made);
      return made;
    },

    stop(): void {
      clearTimeout(forgetting);
      held.clear();
    },
  };
}
