import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import type { Holds } from '#server/documents/holds/service.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Records } from '#server/records/service.ts';
import type { Sheets } from '#server/sheets/service.ts';
import type { Clock } from '../clock.ts';
import type {
  ClientChange,
  ClientHit,
  ClientInput,
  ClientOption,
  ClientOverview,
  ClientPage,
  ClientQuery,
  ClientView,
  IdentifiedClient,
  ReadInYear,
} from './contract.ts';
import { toCsv } from './export.ts';
import { NOBODY, createDeletion } from './delete.ts';
import { createImport } from './import.ts';
import { listClients, searchText } from './list.ts';
import { identified } from './identified.ts';
import { lookup } from './lookup.ts';
import { Client, toView } from './model.ts';
import { figuresOf } from './overview.ts';
import { changedError, goneError } from './concurrent-edits.ts';
import { heldByLaw, heldByRule, heldBySeals, keptByRule } from './held.ts';
import type { Retention } from '#server/documents/retention/service.ts';
import { mayRead, mayReadFiles, mayWrite } from './policy.ts';
import { count, recount, totals } from './totals.ts';
import { assignToCreator, forgetAssignments } from '#server/visibility/assign.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import { demandDownload } from '#server/links/links.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import { sortKey } from '#server/text/sort-key.ts';

export interface ClientParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
  sheets: Pick<Sheets, 'read'>;
  records: Pick<Records, 'unlink' | 'countLinked' | 'linkedByMonth'>;
  documents: Pick<Documents, 'files' | 'activityOf' | 'sealedOf'>;
  daily: Pick<DailyLimit, 'count'>;
  holds: Pick<Holds, 'standing'>;
  retention: Pick<Retention, 'ofClients'>;
  /** Of a client's files whose year was read or said. */
  readYears: (actor: Actor, clientId: number) => Promise<ReadInYear[]>;
}

/** Of the newest files, and of the latest activity. */
const SHOWN = 8;

export function createClients(parts: ClientParts) {
  const { db, clock, audit, sheets, records, documents, daily, holds, retention, readYears } = parts;
  const demandRead = (actor: Actor) => {
    if (!mayRead(actor)) throw forbidden();
  };
  const demandWrite = (actor: Actor) => {
    if (!mayWrite(actor)) throw forbidden();
  };

  async function find(db: Knex, actor: Actor, id: number): Promise<Client> {
    const client = await only(Client.query(db).findById(id), isVisibleClient(actor));
    if (!client || client.firm_id !== actor.firmId) throw notFound('client');
    return client;
  }

  /** As `find`; says who deleted it. */
  const findOrTell = (db: Knex, actor: Actor, id: number): Promise<Client> =>
    find(db, actor, id).catch(async (error: unknown) => {
      throw await goneError({ audit, clock }, db, actor, error, id);
    });

  /** What is sealed or held keeps its client, so the client has to stay as well. @throws {AppError} 409 `sealed`, `held`, `kept`. */
  async function demandNothingKept(trx: Knex.Transaction, actor: Actor, client: Client): Promise<void> {
    const hold = await holds.standing(trx, actor, client.id);
    if (hold) throw conflict(heldByLaw(client.name, hold), 'held');
    const sealed = await documents.sealedOf(trx, actor, client.id);
    if (sealed.length > 0) throw conflict(heldBySeals(client.name, sealed), 'sealed');
    const rule = (await retention.ofClients(trx, [client.id])).get(client.id);
    if (rule) throw conflict(heldByRule(client.name, rule), 'kept');
  }

  /** The columns that follow from the others. */
  const derived = (client: ClientInput) => ({
    sort_key: sortKey(client.name),
    search_text: searchText(client),
  });

  return {
    /** @throws {AppError} 403, 422 for a cursor that is not of this list. */
    async list(actor: Actor, query: ClientQuery = {}): Promise<ClientPage> {
      demandRead(actor);
      return listClients(db, actor, query);
    },

    /** The likeliest few for a search among everything. @throws {AppError} 403. */
    async lookUp(actor: Actor, search: string, limit: number): Promise<ClientHit[]> {
      demandRead(actor);
      return lookup(db, actor, search, limit);
    },

    /** What passwords of a client's PDFs follow from; for the server's own work. Null for a client who is gone. */
    async passwordFacts(
      firmId: number,
      id: number,
    ): Promise<Pick<Client, 'name' | 'pan' | 'born_on'> | null> {
      const row = await Client.query(db).findOne({ id, firm_id: firmId }).select('name', 'pan', 'born_on');
      return row ?? null;
    },

    /** All that the actor sees, with what documents name them by. @throws {AppError} 403. */
    async identified(actor: Actor): Promise<IdentifiedClient[]> {
      demandRead(actor);
      return identified(db, actor);
    },

    /** Those of these clients that the actor may see, in the order of the ids. @throws {AppError} 403. */
    async named(actor: Actor, ids: readonly number[]): Promise<{ id: number; name: string }[]> {
      demandRead(actor);
      const rows: { id: number; name: string }[] = await only(db('clients'), isVisibleClient(actor))
        .where('firm_id', actor.firmId)
        .whereIn('id', ids)
        .select('id', 'name');
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },

    /** For a select, by name. @throws {AppError} 403. */
    async options(actor: Actor): Promise<ClientOption[]> {
      demandRead(actor);
      return only(db('clients'), isVisibleClient(actor))
        .where('firm_id', actor.firmId)
        .orderBy(['sort_key', 'id'])
        .select('id as value', 'name as label');
    },

    /** @throws {AppError} 404, 403. */
    async client(actor: Actor, id: number): Promise<ClientView> {
      demandRead(actor);
      return toView(await findOrTell(db, actor, id));
    },

    /** What the client's page shows. @throws {AppError} 404, 403. */
    async overview(actor: Actor, id: number): Promise<ClientOverview> {
      demandRead(actor);
      const client = toView(await find(db, actor, id));
      const hold = await holds.standing(db, actor, id);
      if (!mayReadFiles(actor)) return { client, figures: null, newest: [], activity: [], hold };
      const [months, read, newest, activity] = await Promise.all([
        records.linkedByMonth(id),
        readYears(actor, id),
        documents.files(actor, { client_id: id, limit: SHOWN }),
        documents.activityOf(actor, id, SHOWN),
      ]);
      return { client, figures: figuresOf(months, read), newest: newest.items, activity, hold };
    },

    /** How many files and folders are tied to it. @throws {AppError} 404, 403. */
    async tied(actor: Actor, id: number): Promise<{ files: number; folders: number }> {
      demandRead(actor);
      await find(db, actor, id);
      return records.countLinked(db, id);
    },

    /** @throws {AppError} 403. */
    async create(actor: Actor, input: ClientInput): Promise<ClientView> {
      demandWrite(actor);
      const now = clock().toISOString();
      const row = { ...input, ...derived(input), firm_id: actor.firmId, created_at: now, updated_at: now };
      return db.transaction(async (trx) => {
        const client = await Client.query(trx).insertAndFetch(row);
        await count(trx, actor.firmId, client, 1);
        await assignToCreator(trx, actor, [client.id]);
        const { id, name } = client;
        await audit.record(trx, { actor, did: 'client.create', subject: `client:${id}`, detail: { name } });
        return toView(client);
      });
    },

    /**
     * What is left out stays. A `version` that is not the present one is refused.
     * @throws {AppError} 404, 403, 409 `client_changed`.
     */
    update: (actor: Actor, id: number, { version, ...fields }: ClientChange): Promise<ClientView> =>
      db.transaction(async (trx) => {
        const before = await findOrTell(trx, actor, id);
        demandWrite(actor);
        if (version !== undefined && version !== before.version)
          throw await changedError({ audit, clock }, trx, actor, id);
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        const after = { ...before, ...given } as Client;
        const changed = Object.keys(given).filter(
          (key) => after[key as keyof Client] !== before[key as keyof Client],
        );
        if (changed.length === 0) return toView(before);
        if (changed.includes('client_type') && !may(actor, 'retention.manage')) {
          const rule = (await retention.ofClients(trx, [id])).get(id);
          if (rule) throw invalid({ client_type: [keptByRule(rule)] }, 'kept');
        }
        const row = {
          ...given,
          ...derived(after),
          version: before.version + 1,
          updated_at: clock().toISOString(),
        };
        await Client.query(trx).findById(id).patch(row);
        await count(trx, actor.firmId, before, -1);
        await count(trx, actor.firmId, after, 1);
        await audit.record(trx, {
          actor,
          did: 'client.update',
          subject: `client:${id}`,
          detail: { name: after.name, changed },
        });
        return toView(await find(trx, actor, id));
      }),

    /**
     * From here on it is there for nobody. Its items stay; that it is taken off them is left to `forgetDeleted`, since
     * they may be a great many.
     * @returns how many files and folders it had.
     * @throws {AppError} 404, 403, 409 `sealed`, `held` while something of the client's is sealed or there is a legal hold.
     */
    remove: (actor: Actor, id: number): Promise<{ untied: number }> =>
      db.transaction(async (trx) => {
        const client = await find(trx, actor, id);
        demandWrite(actor);
        await demandNothingKept(trx, actor, client);
        const { files, folders } = await records.countLinked(trx, id);
        const untied = files + folders;
        await Client.query(trx).findById(id).patch({ firm_id: NOBODY });
        await forgetAssignments(trx, id);
        await count(trx, actor.firmId, client, -1);
        await audit.record(trx, {
          actor,
          did: 'client.delete',
          subject: `client:${id}`,
          detail: { name: client.name, untied },
          // Its items are nobody's from now on.
          concerns: { clients: untied > 0 ? [id, null] : [id] },
        });
        return { untied };
      }),

    ...createDeletion({ db, unlink: records.unlink }),

    /** The counters of what the actor sees. */
    totals: (actor: Actor) => totals(db, actor),
    /** Where running totals and clients differ; empty when all is well. */
    recount: () => recount(db),

    /** The filtered clients as a CSV file, for one who may download; `counted` as one of the day's. @throws {AppError} 403, 429. */
    async export(
      actor: Actor,
      query: ClientQuery,
      { counted = true } = {},
    ): Promise<{ name: string; csv: string }> {
      demandRead(actor);
      demandDownload(actor);
      if (counted) await daily.count(actor, randomUUID(), { detail: { name: 'clients.csv' } });
      const all: ClientView[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await listClients(db, actor, { ...query, limit: 200, ...(cursor && { cursor }) });
        all.push(...page.data);
        cursor = page.next_cursor;
      }
      await audit.recordAlone({ actor, did: 'client.export', detail: { clients: all.length } });
      return { name: `clients-${clock().toISOString().slice(0, 10)}.csv`, csv: toCsv(all) };
    },

    import: createImport({ db, clock, audit, sheets, retention, derived }),
  };
}
export type Clients = ReturnType<typeof createClients>;
