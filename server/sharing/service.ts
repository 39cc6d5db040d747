import { may } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import { createContents } from './contents.ts';
import { createShareDownloads } from './downloads.ts';
import { createInner } from './inner.ts';
import { createLinks } from './links.ts';
import { createOpenings } from './openings.ts';
import type { SharingParts } from './parts.ts';
import { createProofs } from './proofs.ts';
import { createSharedWith } from './shared-with.ts';
import type { Visitor } from './visitors.ts';
import { createVisitors } from './visitors.ts';

/** Links by which files and folders are shown to people outside of the firm: what the firm does with them, and what recipients see. */
export function createSharing(parts: SharingParts) {
  const { db, clock, previews, openRequests } = parts;
  const visitors = createVisitors(parts);
  const proofs = createProofs(parts, visitors);
  const contents = createContents(parts, visitors);
  const opened = createOpenings(parts);
  const downloads = createShareDownloads(parts, visitors, contents, opened);
  const inner = createInner(parts, visitors, contents);

  return {
    links: createLinks(parts),
    /** What was shared with a client, for the client's own page. */
    sharedWith: createSharedWith(parts),

    /** What follows is asked by whoever comes with a link, signed in or not. */
    recipients: {
      list: contents.list,
      file: contents.file,
      inner: inner.show,
      innerPage: inner.page,
      askCode: proofs.askCode,
      giveCode: proofs.giveCode,
      givePassword: proofs.givePassword,
      formOf: visitors.formOf,
      isOurs: visitors.isOurs.bind(visitors),
      begin: downloads.begin,
      download: downloads.open,
      show: downloads.show,

      /** Notes that somebody does something with the link. A page that is only fetched is not opened. */
      async noteOpened(visitor: Visitor): Promise<void> {
        await opened(await visitors.enter(visitor));
      },

      /** A page of a file as a picture: with the recipient's name across it where nothing may be saved. @throws {AppError} 401, 404, 422, 503. */
      async page(visitor: Visitor, id: number, page: number, requester?: AbortSignal) {
        const who = await visitors.enter(visitor);
        await contents.ways(who, [id]);
        return previews.page(who.actor, id, page, requester);
      },

      /** Not of a link that is view only, since nobody's name stands across it. @throws {AppError} 401, 404, 503. */
      async thumbnail(visitor: Visitor, id: number, requester?: AbortSignal) {
        const who = await visitors.enter(visitor);
        await contents.ways(who, [id]);
        if (!may(who.actor, 'documents.download') || who.actor.recipient.masked) throw notFound('picture');
        return previews.thumbnail(who.actor, id, requester);
      },
    },

    sweep: proofs.sweep,

    /** Ends what is still being downloaded by links whose last day is over. @returns how many links. */
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
