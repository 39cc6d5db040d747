import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import { EACH, list, queryRows } from '#server/db/sql.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import {
  andVisible,
  isVisible,
  isVisibleClient,
  only,
  seesAll,
  seesNobodys,
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
import type { Colleague, PeopleParts } from './people.ts';
import { assignedTo, colleagues, reads, readsAll } from './people.ts';

export interface AccessParts extends PeopleParts {
  audit: Pick<Audit, 'record'>;
}

const BATCH = 400;
const NOBODY = 0;
const GONE = 'Some of these clients do not exist any more. Choose again.';

/** Who works for which clients, and who therefore sees what. */
export function createAccess(parts: AccessParts) {
  const { db, audit } = parts;
  const demandManage = (actor: Actor) => {
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
    const own = only(db('clients').where({ id, firm_id: actor.firmId }), isVisibleClient(actor));
    const row: { id: number; name: string } | undefined = await own.first('id', 'name');
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

  /** Everybody who sees what belongs to this client, 0 for nobody's, each with the reason. */
  async function access(actor: Actor, scope: number): Promise<AccessPerson[]> {
    const of = scope === NOBODY ? null : await db('clients').where({ id: scope }).first('name');
    const assigned = scope === NOBODY ? new Map() : await assignedTo(db, scope);
    const whyOf = (one: Colleague): Pick<AccessPerson, 'why' | 'by'> | null => {
      if (!reads(one)) return null;
      if (one.role === 'admin') return { why: 'admin', by: null };
      if (readsAll(one)) return { why: 'all', by: null };
      if (scope === NOBODY)
        return one.permissions.includes('documents.unassigned') ? { why: 'unassigned', by: null } : null;
      const how = assigned.get(one.id);
      if (how?.direct) return { why: 'client', by: of.name };
      return how ? { why: 'group', by: how.group } : null;
    };
    return (await colleagues(parts, db, actor)).flatMap((one) => {
      const found = whyOf(one);
      if (!found) return [];
      const { id, name, initials, role } = one;
      const reason = ACCESS_REASONS[found.why](found.by ?? '');
      return [{ id, name, initials, role, reason, ...found, is_you: id === actor.userId }];
    });
  }

  /** Whether the actor sees the folder and the client, where they are named. */
  async function seesTarget(actor: Actor, { parent_id, client_id }: Omit<Losing, 'ids'>): Promise<boolean> {
    const own = { firm_id: actor.firmId };
    const folder =
      parent_id == null ||
      (await only(db('items').where({ ...own, id: parent_id }), isVisible(actor)).first('id'));
    const of =
      client_id == null ||
      (await only(db('clients').where({ ...own, id: client_id }), isVisibleClient(actor)).first('id'));
    return Boolean(folder && of);
  }

  /** Of these people, who see assigned clients only, those who see what belongs to a client, 0 for nobody's. */
  async function seersOf(people: readonly Colleague[], scope: number): Promise<ReadonlySet<number>> {
    if (scope === NOBODY)
      return new Set(
        people.flatMap(({ id, permissions }) => (permissions.includes('documents.unassigned') ? [id] : [])),
      );
    return new Set((await assignedTo(db, scope)).keys());
  }

  /** To whom belongs what lies in these folders, as far as the actor sees it; each once. */
  async function scopesBelow(actor: Actor, ids: readonly number[]): Promise<number[]> {
    const rows = await queryRows<{ scope: number }>(
      db,
      `WITH RECURSIVE held(id, scope) AS (
         SELECT id, scope_client_id FROM items i WHERE id IN (${EACH}) AND firm_id = ?${andVisible(actor, 'i')}
         UNION ALL
         SELECT i.id, i.scope_client_id FROM held CROSS JOIN items i
         WHERE i.parent_id = held.id${andVisible(actor, 'i')}
       ) SELECT DISTINCT scope FROM held`,
      [list(ids), actor.firmId],
    );
    return rows.map(({ scope }) => scope);
  }

  return {
    /** For the stream of events: whose things the actor may hear of; null for everybody's. */
    async visibleClientsOf(
      actor: Actor,
    ): Promise<{ clients: ReadonlySet<number>; unassigned: boolean } | null> {
      if (seesAll(actor)) return null;
      const rows = await queryRows<{ client_id: number }>(db, visibleClientIds(actor));
      return { clients: new Set(rows.map(({ client_id }) => client_id)), unassigned: seesNobodys(actor) };
    },

    /** The groups of the firm's clients, by name. @throws {AppError} 403. */
    async groups(actor: Actor): Promise<GroupView[]> {
      demandManage(actor);
      const rows: { name: string; clients: number }[] = await db('clients')
        .where({ firm_id: actor.firmId })
        .whereNotNull('group_name')
        .groupBy('group_name')
        .orderBy('group_name')
        .select('group_name as name')
        .count({ clients: '*' });
      return rows.map(({ name, clients }) => ({ name, clients: Number(clients) }));
    },

    /** Which clients a person sees. @throws {AppError} 403, 404. */
    async ofPerson(actor: Actor, id: number): Promise<AssignmentView> {
      demandManage(actor);
      const { client_scope } = await person(db, actor, id);
      return { client_scope, ...(await assignments(db, id)) };
    },

    /** Assigns a person to these clients and groups and no others. @throws {AppError} 403, 404, 422 on `client_ids`, `client_scope`. */
    async assign(actor: Actor, id: number, request: Assignment): Promise<AssignmentView> {
      demandManage(actor);
      return db.transaction(async (trx) => {
        const { name, role } = await person(trx, actor, id);
        const { client_scope, client_ids, groups } = request;
        if (role === 'admin' && client_scope !== 'all')
          throw invalid({ client_scope: ['An admin sees all clients. Choose another role first.'] });
        const own = trx('clients').where({ firm_id: actor.firmId });
        const known: number[] = await own.whereRaw(`id IN (${EACH})`, [list(client_ids)]).pluck('id');
        if (known.length < client_ids.length) throw invalid({ client_ids: [GONE] });
        await trx('users').where({ id }).update({ client_scope });
        await trx('user_clients').where({ user_id: id }).delete();
        await trx('user_client_groups').where({ user_id: id }).delete();
        const rows = known.map((client_id) => ({ user_id: id, client_id }));
        for (let at = 0; at < rows.length; at += BATCH)
          await trx('user_clients').insert(rows.slice(at, at + BATCH));
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

    /** Who works for a client. @throws {AppError} 403, 404. */
    async peopleOf(actor: Actor, clientId: number): Promise<ClientPerson[]> {
      demandManage(actor);
      await client(db, actor, clientId);
      const assigned = await assignedTo(db, clientId);
      return (await colleagues(parts, db, actor)).map(({ permissions: _permissions, ...one }) => ({
        ...one,
        client_scope: readsAll({ ...one, permissions: [] }) ? 'all' : 'assigned',
        assigned: assigned.get(one.id)?.direct ?? false,
        group: assigned.get(one.id)?.group ?? null,
      }));
    },

    /** Of those who see assigned clients only, these work for the client and no others. @throws {AppError} 403, 404, 422 on `user_ids`. */
    async setPeople(actor: Actor, clientId: number, { user_ids }: ClientPeople): Promise<ClientPerson[]> {
      demandManage(actor);
      await db.transaction(async (trx) => {
        const { name } = await client(trx, actor, clientId);
        const all = await colleagues(parts, trx, actor);
        const chosen = user_ids.map((id) => all.find((one) => one.id === id));
        if (chosen.includes(undefined)) throw invalid({ user_ids: ['Choose people of your firm.'] });
        const limited = all.filter((one) => !readsAll(one));
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
          detail: { name, people: limited.filter(({ id }) => user_ids.includes(id)).map((one) => one.name) },
        });
      });
      return this.peopleOf(actor, clientId);
    },

    /** Who sees a client's documents, and why. @throws {AppError} 403, 404. */
    async ofClient(actor: Actor, clientId: number): Promise<AccessPerson[]> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await client(db, actor, clientId);
      return access(actor, clientId);
    },

    /** Who sees an item, and why. @throws {AppError} 403, 404. */
    async ofItem(actor: Actor, id: number): Promise<AccessPerson[]> {
      if (!may(actor, 'documents.read')) throw forbidden();
      const own = only(db('items').where({ id, firm_id: actor.firmId }), isVisible(actor));
      const item: { scope_client_id: number } | undefined = await own.first('scope_client_id');
      if (!item) throw notFound('item');
      return access(actor, item.scope_client_id);
    },

    /**
     * Which colleagues see some of these items now and would not any more, in the order of their names. Of a folder or
     * client that the actor does not see nothing is told; the change itself is refused.
     * @throws {AppError} 403.
     */
    async losing(actor: Actor, { ids, parent_id, client_id, contents }: Losing): Promise<LosingView> {
      if (!may(actor, 'documents.write')) throw forbidden();
      const limited = (await colleagues(parts, db, actor)).filter(
        (one) => one.id !== actor.userId && reads(one) && !readsAll(one),
      );
      if (limited.length === 0 || !(await seesTarget(actor, { parent_id, client_id }))) return { names: [] };
      const target = parent_id === undefined ? 'i.parent_id' : '?';
      const rows = await queryRows<{ own: number | null; now: number; above: number; follows: number }>(
        db,
        `SELECT DISTINCT i.client_id AS own, i.scope_client_id AS now, coalesce(p.scope_client_id, 0) AS above,
           CASE WHEN p.client_id IS NOT NULL AND i.client_id = q.client_id THEN 1 ELSE 0 END AS follows
         FROM items i LEFT JOIN items p ON p.id = ${target} LEFT JOIN items q ON q.id = i.parent_id
         WHERE i.id IN (${EACH}) AND i.firm_id = ?${andVisible(actor, 'i')}`,
        [...(parent_id === undefined ? [] : [parent_id]), list(ids), actor.firmId],
      );
      if (contents === 'all' && client_id !== undefined)
        for (const scope of await scopesBelow(actor, ids))
          for (const above of new Set(rows.map((row) => row.above)))
            rows.push({ own: scope, now: scope, above, follows: 0 });
      const known = new Map<number, Promise<ReadonlySet<number>>>();
      const seers = (scope: number): Promise<ReadonlySet<number>> => {
        const found = known.get(scope) ?? seersOf(limited, scope);
        known.set(scope, found);
        return found;
      };
      const lost = new Set<number>();
      for (const { own, now, above, follows } of rows) {
        // What has the client of the folder that it leaves takes over that of the next one.
        const kept = parent_id !== undefined && follows === 1 ? null : own;
        const next = (client_id === undefined ? kept : client_id) ?? above;
        if (now !== next) for (const id of (await seers(now)).difference(await seers(next))) lost.add(id);
      }
      return { names: limited.filter(({ id }) => lost.has(id)).map(({ name }) => name) };
    },
  };
}
export type Access = ReturnType<typeof createAccess>;
