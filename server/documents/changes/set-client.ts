import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import { NO_CLIENT } from '#server/text/not-there.ts';
import type { Contents, LinkPreview, LinkResult, SeenClient, SetClient } from '../contract.ts';
import type { Link, Top } from './link-contents.ts';
import { isLarge, linkItems, previewLink, itemsToLink, viewerOf } from './link-contents.ts';
import { describeRelinks } from './concurrent-edits.ts';
import { MAX_NAMED, findItems, findUnchangedItems } from './remove.ts';
import { BOUND_IDS, bindList, queryRows } from '../../db/sql.ts';
import { isVisible, isVisibleClient, only, seesAll } from '#server/visibility/visible.ts';
import type { SealBelow } from '../seals/guard.ts';
import { holdsSealedMessage, sealsBelow } from '../seals/guard.ts';
import { requireStillKept, mayRemoveFromRules, rulesOver } from '../retention/guard.ts';
import type { ChangeDependencies } from './dependencies.ts';

export interface LinkingDependencies extends ChangeDependencies {
  /** Enqueues a job that links the contents of folders; it starts after this transaction has committed. */
  linkLater: (trx: Knex.Transaction, actor: Actor, linkToClient: Link) => Promise<void>;
}

const clientName = async (db: Knex, actor: Actor, id: number | null): Promise<string | null> =>
  (await only(db('clients').where({ id, firm_id: actor.firmId }), isVisibleClient(actor)).first('name'))
    ?.name ?? null;

const AGAIN = 'Change the client again if it should be another.';
export const STAYS = 'It stays as it is.';
const LOST = 'You would not see this any more. Ask an admin to do it.';

/** Users cannot make items invisible to themselves. @throws {AppError} 422 on the field. */
export async function requireStillSeen(
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  field: 'parent_id' | 'client_id',
): Promise<void> {
  if (seesAll(actor)) return;
  const lost = await queryRows(
    trx,
    `SELECT id FROM items WHERE id IN (${BOUND_IDS}) AND NOT (${isVisible(actor)}) LIMIT 1`,
    [bindList(ids)],
  );
  if (lost.length > 0) throw invalid({ [field]: [LOST] });
}

/** @returns the client's name; null for no client. @throws {AppError} 422 on `client_id`. */
async function requireClient(db: Knex, actor: Actor, client_id: number | null): Promise<string | null> {
  const name = client_id === null ? null : await clientName(db, actor, client_id);
  if (client_id !== null && name === null) throw invalid({ client_id: [NO_CLIENT] });
  return name;
}

/** The items with their clients, and the folders among them. */
async function loadChosen(db: Knex, ids: readonly number[]): Promise<{ items: Top[]; folders: Top[] }> {
  const rows = await queryRows<{ id: number; type: string; client_id: number | null }>(
    db,
    `SELECT id, type, client_id FROM items WHERE id IN (${BOUND_IDS}) ORDER BY id`,
    [bindList(ids)],
  );
  const top = ({ id, client_id }: (typeof rows)[number]): Top => [id, client_id];
  return { items: rows.map(top), folders: rows.filter(({ type }) => type === 'folder').map(top) };
}

/** Counts the contents that linking these items would change. @throws {AppError} 422 on `client_id`. */
export async function previewFiling(
  db: Knex,
  actor: Actor,
  { ids, client_id }: { ids: readonly number[]; client_id: number | null },
): Promise<LinkPreview> {
  await requireClient(db, actor, client_id);
  const { items } = await findItems(db, actor, ids);
  const { folders } = await loadChosen(db, [...items.keys()]);
  return previewLink(db, { tops: folders, client_id, ...viewerOf(actor) });
}

/**
 * Links items to a client (null for none), and with them the contents of folders. Missing items, and items that a
 * colleague has linked to another client since they were seen, fail and stay unchanged.
 * @throws {AppError} 422 on `client_id`.
 */
export async function setClientOfItems(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  {
    ids,
    seen = [],
    ...request
  }: SetClient & { ids: readonly number[]; seen?: readonly SeenClient[] | undefined },
): Promise<LinkResult> {
  const to_name = await requireClient(trx, actor, request.client_id);
  const { items, failed } = await findUnchangedItems(dependencies, trx, actor, { ids });
  const then = seen.some(({ undoing }) => undoing) ? STAYS : AGAIN;
  const theirs = seen.filter(({ id }) => items.has(id));
  for (const [id, what] of await describeRelinks(dependencies, trx, actor, { ...request, seen: theirs })) {
    failed.push({ id, name: items.get(id)!.name, message: `${what} ${then}`, code: 'changed' });
    items.delete(id);
  }
  await failSealedRelinks(trx, actor, { items, failed }, request);
  const done = [...items.keys()];
  const { former, later, inside } = await linkToClient(dependencies, trx, actor, done, request);
  await requireStillSeen(trx, actor, done, 'client_id');
  const [first] = former;
  if (first || later) {
    const subject = done.length === 1 ? { subject: `item:${done[0]}` } : {};
    const named = former.slice(0, MAX_NAMED).map(({ id }) => id);
    const relinked = former.flatMap(({ id }) => items.get(id) ?? []);
    const chosen = relinked.length > 0 ? relinked : [...items.values()];
    const names = chosen.slice(0, MAX_NAMED).map(({ name }) => name);
    const after = { to: request.client_id, to_name, names, ...(inside > 0 && { inside }) };
    const detail =
      done.length === 1 && first?.id === done[0]
        ? { from: first!.client_id, from_name: await clientName(trx, actor, first!.client_id), ...after }
        : { ...after, chosen: former.length - inside, ids: named };
    await dependencies.audit.record(trx, {
      actor,
      did: 'document.client',
      concerns: {
        items: done,
        clients: [...new Set([request.client_id, ...former.map(({ client_id }) => client_id)])],
        ...(inside === 0 &&
          !later && { parents: [...new Set(Array.from(items.values(), (item) => item.parent_id))] }),
      },
      ...subject,
      detail: later ? { ...detail, inside: 'all', contents: request.contents } : detail,
    });
  }
  return { done, failed, former, inside, later };
}

/** Fails the folders with a sealed item inside that would get another client: sealed items keep their client. */
async function failSealedRelinks(
  trx: Knex.Transaction,
  actor: Actor,
  { items, failed }: Awaited<ReturnType<typeof findUnchangedItems>>,
  { client_id, contents }: SetClient,
): Promise<void> {
  const seals = await sealsBelow(trx, actor, items.keys());
  if (seals.size === 0) return;
  const scopes = await trx('items')
    .whereIn('id', [...seals.keys()])
    .select('id', 'scope_client_id');
  for (const { id, scope_client_id: own } of scopes as { id: number; scope_client_id: number }[]) {
    const goesAlong = ({ client }: SealBelow) =>
      client !== (client_id ?? 0) && (contents === 'all' || client === own);
    const seal = seals.get(id)!.find(goesAlong);
    if (!seal) continue;
    failed.push({ id, name: items.get(id)!.name, message: holdsSealedMessage(seal), code: 'sealed' });
    items.delete(id);
  }
}

/**
 * Links items and contents. The caller has checked that items and client belong to the firm.
 * @returns the changed items with their former clients.
 * @throws {AppError} 422 `kept` if this would remove one of them from a retention rule, and the actor may not do that.
 */
export async function linkToClient(
  { linkLater }: Pick<LinkingDependencies, 'linkLater'>,
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  { client_id, contents }: { client_id: number | null; contents: Contents },
): Promise<Pick<LinkResult, 'former' | 'later' | 'inside'>> {
  const { items, folders } = await loadChosen(trx, ids);
  const request: Link = { tops: folders, client_id, contents, ...viewerOf(actor) };
  if (!mayRemoveFromRules(actor)) request.keepsRulesOf = actor.firmId;
  const later = contents !== 'none' && folders.length > 0 && (await isLarge(trx, folders));
  const chosen = new Set(ids);
  const inside = later ? [] : (await itemsToLink(trx, request)).filter(({ id }) => !chosen.has(id));
  const former = items.filter(([, old]) => old !== client_id).map(([id, old]) => ({ id, client_id: old }));
  former.push(...inside);
  const changed = former.map(({ id }) => id);
  const under = await rulesOver(trx, actor.firmId, mayRemoveFromRules(actor) ? [] : changed);
  await linkItems(trx, changed, client_id);
  await requireStillKept(trx, actor, under);
  if (later) await linkLater(trx, actor, request);
  return { former, later, inside: inside.length };
}
