import { may } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import { createContents } from './contents.ts';
import { createShareDownloads } from './downloads.ts';
import { createInner } from './inner-pages.ts';
import { createLinks } from './links.ts';
import { createOpenings } from './openings.ts';
import type { SharingDependencies } from './dependencies.ts';
import { createProofs } from './proofs.ts';
import { createSharedWith } from './shared-with-client.ts';
import type { Visitor } from './visitors.ts';
import { createVisitors } from './visitors.ts';

/** Shared links: their management by the firm, and the view of their recipients. */
export function createSharing(dependencies: SharingDependencies) {
  const { db, clock, previews, openRequests } = dependencies;
  const visitors = createVisitors(dependencies);
  const proofs = createProofs(dependencies, visitors);
  const contents = createContents(dependencies, visitors);
  const opened = createOpenings(dependencies);
  const downloads = createShareDownloads(dependencies, visitors, contents, opened);
  const inner = createInner(dependencies, visitors, contents);

  return {
    links: createLinks(dependencies),
    /** The links shared with a client, for the client's page. */
    sharedWith: createSharedWith(dependencies),

    /** Operations for visitors with a link, signed in or not. */
    recipients: {
      list: contents.list,
      file: contents.file,
      inner: inner.show,
      innerPage: inner.page,
      clientLanguage: visitors.clientLanguage,
      requestCode: proofs.requestCode,
      verifyCode: proofs.verifyCode,
      verifyPassword: proofs.verifyPassword,
      formOf: visitors.formOf,
      isOurs: visitors.isOurs,
      begin: downloads.begin,
      download: downloads.open,
      show: downloads.show,

      /** Records that a visitor acts on the link; merely fetching the page does not count. */
      async noteOpened(visitor: Visitor): Promise<void> {
        await opened(await visitors.admit(visitor));
      },

      /**
       * Renders a page of a file, stamped with the recipient's name where downloads are not allowed. @throws
       * {AppError} 401, 404, 422, 503.
       */
      async page(visitor: Visitor, id: number, page: number, requester?: AbortSignal) {
        const who = await visitors.admit(visitor);
        await contents.ways(who, [id]);
        return previews.page(who.actor, id, page, requester);
      },

      /** Not for links for viewing only: a thumbnail has no stamp. @throws {AppError} 401, 404, 503. */
      async thumbnail(visitor: Visitor, id: number, requester?: AbortSignal) {
        const who = await visitors.admit(visitor);
        await contents.ways(who, [id]);
        if (!may(who.actor, 'documents.download') || who.actor.recipient.masked) throw notFound('picture');
        return previews.thumbnail(who.actor, id, requester);
      },
    },

    sweep: proofs.sweep,

    /** Cuts running downloads of expired links. @returns the number of links. */
    async cutEnded(): Promise<number> {
      const busy = openRequests.links();
      if (busy.length === 0) return 0;
      const ended: number[] = await db('share_links')
        .whereIn('id', busy)
        .where('expires_at', '<=', clock().toISOString())
        .pluck('id');
      for (const id of ended) openRequests.cutLink(id);
      return ended.length;
    },
  };
}
export type Sharing = ReturnType<typeof createSharing>;
