import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { conflict, forbidden, invalid, notFound } from '#server/http/errors.ts';
import type { Holds } from '#server/documents/legal-holds/service.ts';
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
  TiedView,
  FilesOfYear,
} from './contract.ts';
import { toCsv } from './export.ts';
import { NO_FIRM, createDeletion } from './delete.ts';
import type { ClientPages, DataChanged } from './import.ts';
import { createImport } from './import.ts';
import { listClients, searchText } from './list.ts';
import { identified } from './identified.ts';
import { lookup } from './lookup.ts';
import { Client, toView } from './model.ts';
import { tellApart } from './namesakes.ts';
import { figuresOf } from './overview.ts';
import { changedError, goneError } from './concurrent-edits.ts';
import { legalHoldText, retainedClientText, sealedClientText } from './refusals.ts';
import { mayRead, mayReadFiles, mayWrite } from './policy.ts';
import type { RefusalDependencies } from './refused-changes.ts';
import { createRefusals } from './refused-changes.ts';
import { count, recount, totals } from './totals.ts';
import { assignToCreator, deleteAssignments } from '#server/visibility/assignments.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import { requireDownload } from '#server/links/links.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { sortKey } from '#server/text/sort-key.ts';

interface ClientDependencies extends RefusalDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  sheets: Pick<Sheets, 'read'>;
  records: Pick<Records, 'unlink' | 'countLinked' | 'linkedByMonth'>;
  documents: Pick<Documents, 'files' | 'activityOf' | 'sealedOf'>;
  daily: Pick<DailyLimit, 'count'>;
  holds: Pick<Holds, 'standing'>;
  pages: ClientPages;
  dataChanged: DataChanged;
  /** Counts a client's files by the financial year that was read, entered or named by a folder. */
  filesByYear: (actor: Actor, clientId: number) => Promise<FilesOfYear[]>;
}

/** Files and activities on the overview. */
const OVERVIEW_ITEMS = 8;

export function createClients(dependencies: ClientDependencies) {
  const { db, clock, audit, sheets, records, documents, daily, holds, retention, filesByYear, pages } =
    dependencies;
  const { dataChanged } = dependencies;
  const refusals = createRefusals(dependencies);
  const requireRead = (actor: Actor) => {
    if (!mayRead(actor)) throw forbidden();
  };
  const requireWrite = (actor: Actor) => {
    if (!mayWrite(actor)) throw forbidden();
  };

  async function find(db: Knex, actor: Actor, id: number): Promise<Client> {
    const client = await only(Client.query(db).findById(id), isVisibleClient(actor));
    if (!client || client.firm_id !== actor.firmId) throw notFound('client');
    return client;
  }

  /** Like `find`; a 404 names who deleted the client. */
  const findOrExplain = (db: Knex, actor: Actor, id: number): Promise<Client> =>
    find(db, actor, id).catch(async (error: unknown) => {
      throw await goneError({ audit, clock }, db, actor, error, id);
    });

  /** Why a client cannot be deleted: a sealed, held or retained document also retains its client. */
  async function findRefusal(db: Knex, actor: Actor, { id, name }: Client) {
    const hold = await holds.standing(db, actor, id);
    if (hold) return { message: legalHoldText(name, hold), code: 'held' };
    const sealed = await documents.sealedOf(db, actor, id);
    if (sealed.length > 0) return { message: sealedClientText(name, sealed), code: 'sealed' };
    const rule = (await retention.ofClients(db, [id])).get(id);
    return rule ? { message: retainedClientText(name, rule), code: 'kept' } : null;
  }

  /** The columns derived from others. */
  const derivedColumns = (client: ClientInput) => ({
    sort_key: sortKey(client.name),
    search_text: searchText(client),
  });

  return {
    /** @throws {AppError} 403, 422 for a cursor of another list. */
    async list(actor: Actor, query: ClientQuery = {}): Promise<ClientPage> {
      requireRead(actor);
      return listClients(db, actor, query);
    },

    /** The best matches for the global search. @throws {AppError} 403. */
    async lookUp(actor: Actor, search: string, limit: number): Promise<ClientHit[]> {
      requireRead(actor);
      return lookup(db, actor, search, limit);
    },

    /** The facts from which passwords of a client's PDFs are derived, for background work. Null for a deleted client. */
    async passwordFacts(
      firmId: number,
      id: number,
    ): Promise<Pick<Client, 'name' | 'pan' | 'born_on'> | null> {
      const row = await Client.query(db).findOne({ id, firm_id: firmId }).select('name', 'pan', 'born_on');
      return row ?? null;
    },

    /** All clients that the actor sees, with their identifiers. @throws {AppError} 403. */
    async identified(actor: Actor): Promise<IdentifiedClient[]> {
      requireRead(actor);
      return identified(db, actor);
    },

    /** The visible ones of these clients, in the order of the ids. @throws {AppError} 403. */
    async named(actor: Actor, ids: readonly number[]): Promise<{ id: number; name: string }[]> {
      requireRead(actor);
      const rows: { id: number; name: string }[] = await only(db('clients'), isVisibleClient(actor))
        .where('firm_id', actor.firmId)
        .whereIn('id', ids)
        .select('id', 'name');
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },

    /** Options for a select, by name. @throws {AppError} 403. */
    async options(actor: Actor): Promise<ClientOption[]> {
      requireRead(actor);
      const rows = await only(db('clients'), isVisibleClient(actor))
        .where('firm_id', actor.firmId)
        .orderBy(['sort_key', 'id'])
        .select('id', 'name', 'city', 'pan', 'gstin', 'phone', 'email', 'group_name');
      const apartBy = tellApart(rows, ['pan', 'gstin', 'phone', 'email', 'group_name']);
      return rows.map((row) => {
        const { id: value, name: label, city } = row;
        if (!apartBy.has(value)) return { value, label };
        const apart = apartBy.get(value);
        const note = [city, apart && row[apart]].filter(Boolean).join(' · ');
        return { value, label, ...(note && { note }) };
      });
    },

    /** @throws {AppError} 404, 403. */
    async client(actor: Actor, id: number): Promise<ClientView> {
      requireRead(actor);
      return toView(await findOrExplain(db, actor, id));
    },

    /** The initial data of the client's page. @throws {AppError} 404, 403. */
    async overview(actor: Actor, id: number): Promise<ClientOverview> {
      requireRead(actor);
      const client = toView(await find(db, actor, id));
      const hold = await holds.standing(db, actor, id);
      if (!mayReadFiles(actor)) return { client, figures: null, newest: [], activity: [], hold };
      const [months, ofYears, newest, activity] = await Promise.all([
        records.linkedByMonth(id),
        filesByYear(actor, id),
        documents.files(actor, { client_id: id, limit: OVERVIEW_ITEMS }),
        documents.activityOf(actor, id, OVERVIEW_ITEMS),
      ]);
      return { client, figures: figuresOf(months, ofYears), newest: newest.items, activity, hold };
    },

    /** The number of linked files and folders, what ends with the client, and why it cannot be deleted. @throws {AppError} 404, 403. */
    async tied(actor: Actor, id: number): Promise<TiedView> {
      requireRead(actor);
      const client = await find(db, actor, id);
      const [linked, ending, refusal] = await Promise.all([
        records.countLinked(db, id),
        pages.endingWith(db, id),
        findRefusal(db, actor, client),
      ]);
      return { ...linked, ...ending, refused: refusal?.message ?? null };
    },

    /** @throws {AppError} 403. */
    async create(actor: Actor, input: ClientInput): Promise<ClientView> {
      requireWrite(actor);
      const now = clock().toISOString();
      const row = {
        ...input,
        ...derivedColumns(input),
        firm_id: actor.firmId,
        created_at: now,
        updated_at: now,
      };
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
     * Omitted fields stay unchanged. An outdated `version` is refused.
     * @throws {AppError} 404, 403, 409 `client_changed`, 422 for what this user may not change, see `createRefusals`.
     */
    async update(actor: Actor, id: number, { version, ...fields }: ClientChange): Promise<ClientView> {
      const { view, links } = await db.transaction(async (trx) => {
        const before = await findOrExplain(trx, actor, id);
        requireWrite(actor);
        if (version !== undefined && version !== before.version)
          throw await changedError({ audit, clock }, trx, actor, id);
        const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        const after = { ...before, ...changes } as Client;
        const changed = Object.keys(changes).filter(
          (key) => after[key as keyof Client] !== before[key as keyof Client],
        );
        if (changed.length === 0) return { view: toView(before), links: [] };
        const refused = (await refusals(trx, actor, [{ before, after }])).get(id);
        if (refused) throw invalid(refused.errors, refused.code);
        const row = {
          ...changes,
          ...derivedColumns(after),
          version: before.version + 1,
          updated_at: clock().toISOString(),
        };
        await Client.query(trx).findById(id).patch(row);
        await count(trx, actor.firmId, before, -1);
        await count(trx, actor.firmId, after, 1);
        await dataChanged(trx, actor.firmId, [{ before, after }]);
        await audit.record(trx, {
          actor,
          did: 'client.update',
          subject: `client:${id}`,
          detail: { name: after.name, changed },
        });
        if (!changed.includes('email')) return { view: toView(await find(trx, actor, id)), links: [] };
        await pages.followAddresses(trx, [{ id, before: before.email, after: after.email }]);
        const links = await pages.shutOutRemoved(trx, [id]);
        return { view: toView(await find(trx, actor, id)), links };
      });
      for (const link of links) pages.cutLink(link);
      return view;
    },

    /**
     * Hides the client immediately, and ends its requests, its page and its links. Its items stay; `forgetDeleted` unlinks them later, since there may be very
     * many.
     * @returns the number of linked files and folders.
     * @throws {AppError} 404, 403, 409 `sealed`, `held`, `kept`.
     */
    async remove(actor: Actor, id: number): Promise<{ untied: number }> {
      const { untied, links } = await db.transaction(async (trx) => {
        const client = await find(trx, actor, id);
        requireWrite(actor);
        const refusal = await findRefusal(trx, actor, client);
        if (refusal) throw conflict(refusal.message, refusal.code);
        const { files, folders } = await records.countLinked(trx, id);
        const untied = files + folders;
        await Client.query(trx).findById(id).patch({ firm_id: NO_FIRM });
        await deleteAssignments(trx, id);
        await count(trx, actor.firmId, client, -1);
        await audit.record(trx, {
          actor,
          did: 'client.delete',
          subject: `client:${id}`,
          detail: { name: client.name, untied },
          // The items no longer have a client.
          concerns: { clients: untied > 0 ? [id, null] : [id] },
        });
        await pages.recordEnd(trx, actor, id);
        return { untied, links: await pages.shutPagesOf(trx, id) };
      });
      for (const link of links) pages.cutLink(link);
      await pages.cancelUploads(actor.firmId);
      return { untied };
    },

    ...createDeletion({ db, unlink: records.unlink }),

    /** Totals of the clients that the actor sees. */
    totals: (actor: Actor) => totals(db, actor),
    /** Differences between running totals and actual rows; empty when correct. */
    recount: () => recount(db),

    /**
     * The filtered clients as a CSV file; `counted` counts it against the daily download limit, and `recorded` adds it to
     * the history. @throws {AppError} 403, 429.
     */
    async export(
      actor: Actor,
      query: ClientQuery,
      { counted = true, recorded = true } = {},
    ): Promise<{ name: string; csv: string }> {
      requireRead(actor);
      requireDownload(actor);
      if (counted) await daily.count(actor, randomUUID(), { detail: { name: 'clients.csv' } });
      const all: ClientView[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await listClients(db, actor, { ...query, limit: 200, ...(cursor && { cursor }) });
        all.push(...page.data);
        cursor = page.next_cursor;
      }
      if (recorded) await audit.recordAlone({ actor, did: 'client.export', detail: { clients: all.length } });
      return { name: `clients-${dayInIndia(clock())}.csv`, csv: toCsv(all) };
    },

    import: createImport({ db, clock, audit, sheets, refusals, pages, dataChanged, derived: derivedColumns }),
  };
}
export type Clients = ReturnType<typeof createClients>;
