import { dayInIndia } from '#server/text/day-in-india.ts';
import type { DerivedTokens } from '#server/links/derived-tokens.ts';
import { receivedFor } from './asked-files.ts';
import { isUnavailable } from './contract.ts';
import type { RequestFacts } from './doors.ts';
import { factsOf } from './doors.ts';
import type { RowRecord } from './model.ts';
import { doorOf, isArriving, waitingFor } from './model.ts';
import type { RequestsDependencies } from './dependencies.ts';

/** The maximum number of receipts on a client's page. */
const MAX_RECEIPTS = 50;

/** The part of a client's page about requests. */
export function createClientPage(
  { db, clock, collecting, sharingOn }: RequestsDependencies,
  tokens: DerivedTokens,
) {
  return {
    /** Open requests with the paths of their pages, most urgent first. */
    async asked(firmId: number, clientId: number) {
      if (!(await sharingOn(db, firmId))) return [];
      const today = dayInIndia(clock());
      return db.transaction(async (trx) => {
        const all: RequestFacts[] = await factsOf(trx)
          .where({ 'r.firm_id': firmId, 'r.client_id': clientId })
          .whereNull('r.closed_at')
          .whereNull('r.completed_at')
          .orderBy('r.id', 'desc');
        const rows: RowRecord[] = await trx('request_rows')
          .whereIn(
            'request_id',
            all.map(({ id }) => id),
          )
          .orderBy(['position', 'id']);
        const byRequest = Map.groupBy(rows, ({ request_id }) => request_id);
        const found = [];
        for (const of of all) {
          const rows = byRequest.get(of.id) ?? [];
          const { id, title, due_on } = of;
          const files = await collecting.arrivals(trx, doorOf(id));
          const arriving = rows.filter((row) => isArriving(row, files));
          const others = rows.filter((row) => !arriving.includes(row));
          const wanted = others.filter(({ state }) => state === 'wanted' || state === 'returned');
          found.push({
            id,
            title,
            due_on,
            overdue: waitingFor('open', others, of.done_at) === 'client' && due_on !== null && due_on < today,
            wanted: wanted.map(({ name }) => name),
            arriving: arriving.map(({ name }) => name),
            unavailable: rows.filter((row) => isUnavailable(row) && receivedFor(row, files).length === 0)
              .length,
            total: rows.length,
            path: `/r/${await tokens.current(trx, of)}`,
          });
        }
        return found.toSorted(byUrgency);
      });
    },

    /** The receipts of the client, newest first. */
    async receipts(
      firmId: number,
      clientId: number,
    ): Promise<{ number: string; title: string; files: number; made_at: string }[]> {
      return db('request_receipts as t')
        .join('requests as r', 'r.id', 't.request_id')
        .where({ 'r.firm_id': firmId, 'r.client_id': clientId })
        .orderBy('t.id', 'desc')
        .limit(MAX_RECEIPTS)
        .select('t.number', 'r.title', 't.files', 't.made_at');
    },
  };
}

interface Urgent {
  due_on: string | null;
  wanted: readonly string[];
}

/** Requests with missing documents first, then by due date. */
function byUrgency(a: Urgent, b: Urgent): number {
  const done = Number(a.wanted.length === 0) - Number(b.wanted.length === 0);
  if (done !== 0) return done;
  const [x, y] = [a.due_on ?? '9999', b.due_on ?? '9999'];
  return x < y ? -1 : x > y ? 1 : 0;
}
