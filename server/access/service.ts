import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { sortKey } from '#server/text/sort-key.ts';
import {
  andVisible,
  isVisible,
  isVisibleClient,
  only,
  seesAll,
  seesUnassigned,
  visibleClientIds,
} from '#server/visibility/visible.ts';
import { ACCESS_REASONS } from './contract.ts';
import type {
  AccessPerson,
  Assignment,
  AssignmentView,
  ClientPeople,
  ClientPerson,
  GroupView,
  Losing,
  LosingView,
} from './contract.ts';
import type { Colleague, PeopleDependencies } from './people.ts';
import { assignedTo, colleagues, mayRead, hasAllClients } from './people.ts';

interface AccessDependencies extends PeopleDependencies {
  audit: Pick<Audit, 'record'>;
}

const INSERT_BATCH = 400;
const NO_CLIENT = 0;
const CLIENTS_GONE = 'Some of these clients do not exist any more. Choose again.';

/** Assigns users to clients, and explains who sees what. */
export function createAccess(dependencies: AccessDependencies) {
  const { db, audit } = dependencies;
  const requireManage = (actor: Actor) => {
    if (!may(actor, 'team.manage')) throw forbidden();
  };

  async function person(db: Knex, actor: Actor, id: number) {
    const row = await db('users')
      .where({ id, firm_id: actor.firmId })
      .first('id', 'name', 'role', 'client_scope');
    if (!row) throw notFound('person');
    return row as Pick<Colleague, 'id' | 'name' | 'role' | 'client_scope'>;
  }

  async function client(db: Knex, actor: Actor, id: number): Promise<{ id: number; name: string }> {
    const visibleClient = only(db('clients').where({ id, firm_id: actor.firmId }), isVisibleClient(actor));
    const row: { id: number; name: string } | undefined = await visibleClient.first('id', 'name');
    if (!row) throw notFound('client');
    return row;
  }

  async function assignments(db: Knex, id: number): Promise<Pick<AssignmentView, 'clients' | 'groups'>> {
    return {
      clients: await db('user_clients as u')
        .join('clients as c', 'c.id', 'u.client_id')
        .where('u.user_id', id)
        .orderBy(['c.sort_key', 'c.id'])
        .select('c.id', 'c.name'),
      groups: await db('user_client_groups').where({ user_id: id }).orderBy('group_name').pluck('group_name'),
    };
  }

  /** All users who see items of this client, with the reason; `NO_CLIENT` stands for items without a client. */
  async function peopleWithAccess(actor: Actor, scope: number): Promise<AccessPerson[]> {
    const of = scope === NO_CLIENT ? null : await db('clients').where({ id: scope }).first('name');
    const assigned = scope === NO_CLIENT ? new Map() : await assignedTo(db, scope);
    const reasonFor = (colleague: Colleague): Pick<AccessPerson, 'why' | 'by'> | null => {
      if (!mayRead(colleague)) return null;
      if (colleague.role === 'admin') return { why: 'admin', by: null };
      if (hasAllClients(colleague)) return { why: 'all', by: null };
      if (scope === NO_CLIENT)
        return colleague.permissions.includes('documents.unassigned')
          ? { why: 'unassigned', by: null }
          : null;
      const assignment = assigned.get(colleague.id);
      if (assignment?.direct) return { why: 'client', by: of.name };
      return assignment ? { why: 'group', by: assignment.group } : null;
    };
    return (await colleagues(dependencies, db, actor)).flatMap((colleague) => {
      const found = reasonFor(colleague);
      if (!found) return [];
      const { id, name, initials, role } = colleague;
      const reason = ACCESS_REASONS[found.why](found.by ?? '');
      return [{ id, name, initials, role, reason, ...found, is_you: id === actor.userId }];
    });
  }

  /** Whether the actor sees the named folder and client. */
  async function seesTarget(actor: Actor, { parent_id, client_id }: Omit<Losing, 'ids'>): Promise<boolean> {
    const inFirm = { firm_id: actor.firmId };
    const folder =
      parent_id == null ||
      (await only(db('items').where({ ...inFirm, id: parent_id }), isVisible(actor)).first('id'));
    const of =
      client_id == null ||
      (await only(db('clients').where({ ...inFirm, id: client_id }), isVisibleClient(actor)).first('id'));
    return Boolean(folder && of);
  }

  /** The ids of these people, all limited to assigned clients, who see items of this client. */
  async function usersSeeing(people: readonly Colleague[], scope: number): Promise<ReadonlySet<number>> {
    if (scope === NO_CLIENT)
      return new Set(
        people.flatMap(({ id, permissions }) => (permissions.includes('documents.unassigned') ? [id] : [])),
      );
    return new Set((await assignedTo(db, scope)).keys());
  }

  /** The client ids of everything inside these folders that the actor sees, without duplicates. */
  async function scopesBelow(actor: Actor, ids: readonly number[]): Promise<number[]> {
    const rows = await queryRows<{ scope: number }>(
      db,
      `WITH RECURSIVE held(id, scope) AS (
         SELECT id, scope_client_id FROM items i WHERE id IN (${BOUND_IDS}) AND firm_id = ?${andVisible(actor, 'i')}
         UNION ALL
         SELECT i.id, i.scope_client_id FROM held CROSS JOIN items i
         WHERE i.parent_id = held.id${andVisible(actor, 'i')}
       ) SELECT DISTINCT scope FROM held`,
      [bindList(ids), actor.firmId],
    );
    return rows.map(({ scope }) => scope);
  }

  return {
    /** For the event stream: the clients whose events the actor may receive; null for all. */
    async visibleClientsOf(
      actor: Actor,
    ): Promise<{ clients: ReadonlySet<number>; unassigned: boolean } | null> {
      if (seesAll(actor)) return null;
      const rows = await queryRows<{ client_id: number }>(db, visibleClientIds(actor));
      return { clients: new Set(rows.map(({ client_id }) => client_id)), unassigned: seesUnassigned(actor) };
    },

    /** The groups of the firm's clients, by name. @throws {AppError} 403. */
    async groups(actor: Actor): Promise<GroupView[]> {
      requireManage(actor);
      const rows: { name: string; clients: number }[] = await db('clients')
        .where({ firm_id: actor.firmId })
        .whereNotNull('group_name')
        .groupBy('group_name')
        .select('group_name as name')
        .count({ clients: '*' });
      const keys = new Map(rows.map(({ name }) => [name, sortKey(name)]));
      return rows
        .map(({ name, clients }) => ({ name, clients: Number(clients) }))
        .toSorted((a, b) => (keys.get(a.name)! < keys.get(b.name)! ? -1 : 1));
    },

    /** The assignment of a user. @throws {AppError} 403, 404. */
    async ofPerson(actor: Actor, id: number): Promise<AssignmentView> {
      requireManage(actor);
      const { client_scope } = await person(db, actor, id);
      return { client_scope, ...(await assignments(db, id)) };
    },

    /** Replaces the assignment of a user. @throws {AppError} 403, 404, 422 on `client_ids`, `client_scope`. */
    async assign(actor: Actor, id: number, request: Assignment): Promise<AssignmentView> {
      requireManage(actor);
      return db.transaction(async (trx) => {
        const { name, role } = await person(trx, actor, id);
        const { client_scope, client_ids, groups } = request;
        if (role === 'admin' && client_scope !== 'all')
          throw invalid({ client_scope: ['An admin sees all clients. Choose another role first.'] });
        const firmClients = trx('clients').where({ firm_id: actor.firmId });
        const known: number[] = await firmClients
          .whereRaw(`id IN (${BOUND_IDS})`, [bindList(client_ids)])
          .pluck('id');
        if (known.length < client_ids.length) throw invalid({ client_ids: [CLIENTS_GONE] });
        await trx('users').where({ id }).update({ client_scope });
        await trx('user_clients').where({ user_id: id }).delete();
        await trx('user_client_groups').where({ user_id: id }).delete();
        const rows = known.map((client_id) => ({ user_id: id, client_id }));
        for (let start = 0; start < rows.length; start += INSERT_BATCH)
          await trx('user_clients').insert(rows.slice(start, start + INSERT_BATCH));
        for (const group_name of groups)
          await trx('user_client_groups').insert({ user_id: id, firm_id: actor.firmId, group_name });
        await audit.record(trx, {
          actor,
          did: 'access.assign',
          subject: `user:${id}`,
          detail: { name, clients: client_scope === 'all' ? 'all' : known.length, groups },
        });
        return { client_scope, ...(await assignments(trx, id)) };
      });
    },

    /** All colleagues with their assignment to a client. @throws {AppError} 403, 404. */
    async peopleOf(actor: Actor, clientId: number): Promise<ClientPerson[]> {
      requireManage(actor);
      await client(db, actor, clientId);
      const assigned = await assignedTo(db, clientId);
      return (await colleagues(dependencies, db, actor)).map(
        ({ permissions: _permissions, ...colleague }) => ({
          ...colleague,
          client_scope: hasAllClients({ ...colleague, permissions: [] }) ? 'all' : 'assigned',
          assigned: assigned.get(colleague.id)?.direct ?? false,
          group: assigned.get(colleague.id)?.group ?? null,
        }),
      );
    },

    /**
     * Replaces the direct assignments to a client; users who see all clients are unaffected. @throws {AppError} 403,
     * 404, 422 on `user_ids`.
     */
    async setPeople(actor: Actor, clientId: number, { user_ids }: ClientPeople): Promise<ClientPerson[]> {
      requireManage(actor);
      await db.transaction(async (trx) => {
        const { name } = await client(trx, actor, clientId);
        const all = await colleagues(dependencies, trx, actor);
        const chosen = user_ids.map((id) => all.find((colleague) => colleague.id === id));
        if (chosen.includes(undefined)) throw invalid({ user_ids: ['Choose people of your firm.'] });
        const limited = all.filter((colleague) => !hasAllClients(colleague));
        const ids = limited.map(({ id }) => id);
        await trx('user_clients').where({ client_id: clientId }).whereIn('user_id', ids).delete();
        const rows = ids
          .filter((id) => user_ids.includes(id))
          .map((user_id) => ({ user_id, client_id: clientId }));
        if (rows.length > 0) await trx('user_clients').insert(rows);
        await audit.record(trx, {
          actor,
          did: 'access.people',
          subject: `client:${clientId}`,
          detail: {
            name,
            people: limited.filter(({ id }) => user_ids.includes(id)).map((colleague) => colleague.name),
          },
        });
      });
      return this.peopleOf(actor, clientId);
    },

    /** The users who see a client's documents, with the reason. @throws {AppError} 403, 404. */
    async ofClient(actor: Actor, clientId: number): Promise<AccessPerson[]> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await client(db, actor, clientId);
      return peopleWithAccess(actor, clientId);
    },

    /** The users who see an item, with the reason. @throws {AppError} 403, 404. */
    async ofItem(actor: Actor, id: number): Promise<AccessPerson[]> {
      if (!may(actor, 'documents.read')) throw forbidden();
      const visibleItem = only(db('items').where({ id, firm_id: actor.firmId }), isVisible(actor));
      const item: { scope_client_id: number } | undefined = await visibleItem.first('scope_client_id');
      if (!item) throw notFound('item');
      return peopleWithAccess(actor, item.scope_client_id);
    },

    /**
     * The colleagues who see some of these items now and would lose them, by name. Empty for a folder or client that
     * the actor does not see: the change itself is refused.
     * @throws {AppError} 403.
     */
    async losing(actor: Actor, { ids, parent_id, client_id, contents }: Losing): Promise<LosingView> {
      if (!may(actor, 'documents.write')) throw forbidden();
      const limited = (await colleagues(dependencies, db, actor)).filter(
        (colleague) => colleague.id !== actor.userId && mayRead(colleague) && !hasAllClients(colleague),
      );
      if (limited.length === 0 || !(await seesTarget(actor, { parent_id, client_id }))) return { names: [] };
      const target = parent_id === undefined ? 'i.parent_id' : '?';
      const rows = await queryRows<{ own: number | null; now: number; above: number; follows: number }>(
        db,
        `SELECT DISTINCT i.client_id AS own, i.scope_client_id AS now, coalesce(p.scope_client_id, 0) AS above,
           CASE WHEN p.client_id IS NOT NULL AND i.client_id = q.client_id THEN 1 ELSE 0 END AS follows
         FROM items i LEFT JOIN items p ON p.id = ${target} LEFT JOIN items q ON q.id = i.parent_id
         WHERE i.id IN (${BOUND_IDS}) AND i.firm_id = ?${andVisible(actor, 'i')}`,
        [...(parent_id === undefined ? [] : [parent_id]), bindList(ids), actor.firmId],
      );
      if (contents === 'all' && client_id !== undefined)
        for (const scope of await scopesBelow(actor, ids))
          for (const above of new Set(rows.map((row) => row.above)))
            rows.push({ own: scope, now: scope, above, follows: 0 });
      const known = new Map<number, Promise<ReadonlySet<number>>>();
      const seers = (scope: number): Promise<ReadonlySet<number>> => {
        const found = known.get(scope) ?? usersSeeing(limited, scope);
        known.set(scope, found);
        return found;
      };
      const losers = new Set<number>();
      for (const { own, now, above, follows } of rows) {
        // An item with the same client as its old folder takes over the client of the new one.
        const ownAfterMove = parent_id !== undefined && follows === 1 ? null : own;
        const next = (client_id === undefined ? ownAfterMove : client_id) ?? above;
        if (now !== next) for (const id of (await seers(now)).difference(await seers(next))) losers.add(id);
      }
      return { names: limited.filter(({ id }) => losers.has(id)).map(({ name }) => name) };
    },
  };
}
export type Access = ReturnType<typeof createAccess>;
