import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import type { Clients } from '#server/clients/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Destructions } from '#server/documents/retention/service.ts';
import type { Details } from '#server/documents/details/service.ts';
import type { Documents } from '#server/documents/service.ts';
import { forbidden } from '#server/http/errors.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import type { Links } from '#server/links/links.ts';
import { badLink } from '#server/links/links.ts';
import type { Generated } from '#server/http/send.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { ExportKind } from './contract.ts';
import { EXPORTS } from './contract.ts';
import { destructionTables } from './destructions.ts';
import type { EverythingDependencies } from './everything.ts';
import { bytesOf, zipEverything } from './everything.ts';
import { mayExport } from './policy.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import type { ExtractedText } from './extracted-text.ts';

interface ExportDependencies {
  clock: Clock;
  audit: Audit;
  documents: Pick<Documents, 'walkAll' | 'countFiles'>;
  details: Pick<Details, 'recordsOfAll'>;
  clients: Pick<Clients, 'export'>;
  destructions: Pick<Destructions, 'all' | 'certificate'>;
  extracted: ExtractedText;
  /** The requests to clients, as CSV. */
  requestsCsv: (actor: Actor) => Promise<string>;
  blobs: BlobStore;
  markHeld: EverythingDependencies['markHeld'];
  links: Links;
  daily: DailyLimit;
  appName: string;
}

/** Exports of everything that a firm has, or of its history alone. */
export function createExports(dependencies: ExportDependencies) {
  const { clock, audit, documents, details, clients, destructions, extracted, blobs, markHeld } =
    dependencies;
  const { links, daily, appName } = dependencies;

  async function openToken(token: string): Promise<{ actor: Actor; what: ExportKind }> {
    const { actor, about } = await links.open(token);
    const what = EXPORTS.find((name) => about === `export:${name}`);
    if (!what) throw badLink();
    return { actor, what };
  }

  const requireMayExport = (actor: Actor) => {
    if (!mayExport(actor)) throw forbidden();
  };

  return {
    /** A token for the download, valid for 5 minutes and only during the session. @throws {AppError} 403, 429. */
    async link(actor: Actor, what: ExportKind): Promise<string> {
      requireMayExport(actor);
      await daily.requireLeft(actor, { detail: { what } });
      return links.sign(actor, `export:${what}`);
    },

    /**
     * Opens the export of a token. With `sending` the download is counted and audited; a HEAD request does not send the bytes.
     * @throws {AppError} 403 `bad_link`, 429, 422 if there are too many files for one archive.
     */
    async open(token: string, { sending }: { sending: boolean }): Promise<Generated> {
      const { actor, what } = await openToken(token);
      requireMayExport(actor);
      const now = clock();
      const day = dayInIndia(now);
      if (sending) {
        const counted = what === 'everything' && actor.dailyDownloads !== null;
        const files = counted ? await documents.countFiles(documents.walkAll(actor)) : 1;
        // Nobody waits for an export to be resumed: one of more files is another.
        await daily.count(actor, `${token} ${files}`, { detail: { what } }, Math.max(1, files));
        await audit.recordAlone({ actor, did: `export.${what}` });
      }
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
      const { csv } = await clients.export(actor, {}, { counted: false });
      const tables = [
        { name: 'clients.csv', ...bytesOf(csv) },
        { name: 'requests.csv', ...bytesOf(await dependencies.requestsCsv(actor)) },
        { name: 'history.csv', ...history },
        ...(await destructionTables(actor, destructions)),
      ];
      const { size, open } = await zipEverything(actor, {
        documents,
        details,
        extracted,
        blobs,
        markHeld,
        tables,
        now,
        appName,
      });
      return { name: `${appName}-${day}.zip`, type: 'application/zip', size, open: async () => open() };
    },
  };
}
export type Exports = ReturnType<typeof createExports>;
