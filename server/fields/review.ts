import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { BOUND_IDS, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import type { Documents } from '#server/documents/service.ts';
import { forbidden } from '#server/http/errors.ts';
import { andReadable } from '#server/visibility/readable.ts';
import { andVisible } from '#server/visibility/visible.ts';
import type { FieldsView, ReviewQuery, ReviewView } from './contract.ts';
import { mayAnswer } from './policy.ts';

/** Documents per response. */
const PAGE_SIZE = 5;
/** Documents queried, since some are skipped while colleagues look at them. */
const CANDIDATES = 100;
/** A document is reserved for a user this long after it was last served. */
const RESERVED_MS = 3 * 60_000;
/** Clients in the filter's list. */
const CLIENTS_MAX = 200;

const WAITING = `FROM document_fields f CROSS JOIN items i ON i.firm_id = f.firm_id AND i.sha256 = f.sha256
  LEFT JOIN field_answers a ON a.item_id = i.id AND a.sha256 = i.sha256
  WHERE f.firm_id = ? AND f.unsure > coalesce(a.settled, 0) AND f.unsure > 0`;

const waitingFor = (actor: Actor): string =>
  `${WAITING}${andVisible(actor, 'i')}${andReadable(actor, 'i.sha256')}`;

interface ReviewDependencies {
  db: Knex;
  clock: Clock;
  documents: Pick<Documents, 'views'>;
  view: (actor: Actor, id: number) => Promise<FieldsView>;
}

/** Serves documents with doubtful values to be checked, the newest first. */
export function createReview({ db, clock, documents, view }: ReviewDependencies) {
  /** Which user looks at an item, until when. In memory: it only avoids double work. */
  const reserved = new Map<number, { userId: number; until: number }>();

  const isReservedByOther = (id: number, { userId }: Actor): boolean => {
    const reservation = reserved.get(id);
    return (
      reservation !== undefined && reservation.userId !== userId && reservation.until > clock().getTime()
    );
  };

  function reserve(ids: readonly number[], { userId }: Actor): void {
    const now = clock().getTime();
    for (const [id, { userId: reservedBy, until }] of reserved)
      if (until <= now || reservedBy === userId) reserved.delete(id);
    for (const id of ids) reserved.set(id, { userId, until: now + RESERVED_MS });
  }

  const ofClient = (client: number | undefined): string =>
    client === undefined ? '' : ` AND i.scope_client_id = ${Number(client)}`;

  async function nextIds(actor: Actor, { client, skip = [] }: ReviewQuery): Promise<number[]> {
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT i.id ${waitingFor(actor)}${ofClient(client)} AND i.id NOT IN (${BOUND_IDS})
       ORDER BY f.text_id DESC, i.id DESC LIMIT ?`,
      [actor.firmId, bindList(skip), CANDIDATES],
    );
    return rows
      .map(({ id }) => id)
      .filter((id) => !isReservedByOther(id, actor))
      .slice(0, PAGE_SIZE);
  }

  async function countWaiting(actor: Actor, client: number | undefined) {
    const row = await queryRow<{ files: number; unsure: number | null }>(
      db,
      `SELECT count(*) AS files, sum(f.unsure - coalesce(a.settled, 0)) AS unsure
       ${waitingFor(actor)}${ofClient(client)}`,
      [actor.firmId],
    );
    return { files: Number(row!.files), values: Number(row!.unsure ?? 0) };
  }

  const clientsOf = (actor: Actor): Promise<ReviewView['clients']> =>
    queryRows(
      db,
      `SELECT c.id, c.name, count(*) AS files FROM (SELECT i.scope_client_id AS client ${waitingFor(actor)}) AS w
       LEFT JOIN clients c ON c.id = w.client AND c.firm_id = ? GROUP BY c.id, c.name ORDER BY c.name IS NULL, c.name LIMIT ?`,
      [actor.firmId, actor.firmId, CLIENTS_MAX],
    );

  return {
    /** The next documents for the actor, with the values to check. @throws {AppError} 403. */
    async next(actor: Actor, query: ReviewQuery): Promise<ReviewView> {
      if (!mayAnswer(actor)) throw forbidden();
      const ids = await nextIds(actor, query);
      reserve(ids, actor);
      const items = new Map((await documents.views(actor, ids)).map((item) => [item.id, item]));
      const waiting: ReviewView['documents'] = [];
      for (const id of ids) {
        const item = items.get(id);
        if (!item) continue;
        const { type, fields } = await view(actor, id);
        const unsure = [type, ...fields].filter((field) => field.unsure);
        if (unsure.length > 0) waiting.push({ item, type, fields: unsure });
      }
      return {
        documents: waiting,
        ...(await countWaiting(actor, query.client)),
        clients: await clientsOf(actor),
      };
    },
  };
}
export type Review = ReturnType<typeof createReview>;
