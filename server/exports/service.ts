import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Clients } from '#server/clients/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import { stillGood } from '#server/http/link-lifetime.ts';
import type { Made } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { Sealer } from '../datadir/sealing.ts';
import type { ExportKind } from './contract.ts';
import { EXPORTS } from './contract.ts';
import { bytesOf, zipEverything } from './everything.ts';
import { mayExport } from './policy.ts';

const LINK_LIFETIME = 5 * 60_000;

export interface ExportParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  documents: Pick<Documents, 'walk'>;
  clients: Pick<Clients, 'export'>;
  blobs: BlobStore;
  seal: Sealer;
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
  appName: string;
}

interface Link {
  what: ExportKind;
  session: number;
  until: number;
}

const badLink = () =>
  new AppError(403, 'bad_link', 'This link is no longer good. Go back and start the download again.');

/** Everything a firm has, to take along. */
export function createExports(parts: ExportParts) {
  const { db, clock, audit, documents, clients, blobs, seal, actorOfSession, appName } = parts;

  async function ownerOf(token: string): Promise<{ actor: Actor; what: ExportKind }> {
    let link: Link;
    try {
      link = JSON.parse(seal.open(Buffer.from(token, 'base64url')).toString()) as Link;
    } catch {
      throw badLink();
    }
    const good = stillGood(link.until, LINK_LIFETIME, clock().getTime());
    const actor = good ? await actorOfSession(link.session) : null;
    if (!actor || !EXPORTS.includes(link.what)) throw badLink();
    return { actor, what: link.what };
  }

  const demand = (actor: Actor) => {
    if (!mayExport(actor)) throw forbidden();
  };

  return {
    /** A token for the download, good for 5 minutes and as long as the session. @throws {AppError} 403. */
    link(actor: Actor, what: ExportKind): string {
      demand(actor);
      const link: Link = { what, session: actor.sessionId, until: clock().getTime() + LINK_LIFETIME };
      return seal.seal(JSON.stringify(link)).toString('base64url');
    },

    /**
     * What such a link gives; `sending` says that the bytes will be sent: then it goes on record.
     * @throws {AppError} 403 `bad_link`, 422 when there is too much for one archive.
     */
    async open(token: string, { sending }: { sending: boolean }): Promise<Made> {
      const { actor, what } = await ownerOf(token);
      demand(actor);
      const now = clock();
      const day = now.toISOString().slice(0, 10);
      if (sending) await audit.record(null, { actor, did: `export.${what}` });
      const history = await audit.csv(actor);
      if (what === 'history') {
        const { size, open } = history;
        return {
          name: `history-${day}.csv`,
          type: 'text/csv; charset=utf-8',
          size,
          open: async () => open(),
        };
      }
      const { csv } = await clients.export(actor, {});
      const tables = [
        { name: 'clients.csv', ...bytesOf(csv) },
        { name: 'history.csv', ...history },
      ];
      const { size, open } = await zipEverything(actor, {
        db,
        documents,
        blobs,
        tables,
        now,
        appName,
      });
      return { name: `${appName}-${day}.zip`, type: 'application/zip', size, open: async () => open() };
    },
  };
}
export type Exports = ReturnType<typeof createExports>;
