import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { ArrivalView } from '#server/collecting/contract.ts';
import { CSV_START, csvLine } from '#server/text/csv.ts';
import { networkName } from '#server/http/network-name.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { RequestFile, RequestSummary, RequestView, RequestsQuery } from './contract.ts';
import { isUnavailable } from './contract.ts';
import type { RequestFacts } from './doors.ts';
import { factsOf } from './doors.ts';
import type { RowRecord } from './model.ts';
import { doorOf, isToJudge, sentName, stateOf, unansweredFor, waitingFor } from './model.ts';
import type { RequestsDependencies } from './dependencies.ts';
import { untoldOf } from './returns.ts';

/** Requests per list, newest first. */
const MAX_LISTED = 2000;

/** The requests of the firm to clients that the actor sees. */
export const visibleRequests = (db: Knex, actor: Actor) =>
  only(factsOf(db).where('r.firm_id', actor.firmId), isVisibleClient(actor, 'c'));

const head = (
  facts: RequestFacts,
  rows: readonly RowRecord[],
  undecided: ReadonlySet<number>,
  receipt: string | undefined,
  today: string,
) => {
  const state = stateOf(facts);
  const waiting_for = waitingFor(state, rows, facts.done_at);
  return {
    id: facts.id,
    title: facts.title,
    client: { id: facts.client_id, name: facts.client },
    made_by: { id: facts.made_by, name: facts.from_name },
    state,
    waiting_for,
    to_judge: state === 'open' ? rows.filter((row) => isToJudge(row, undecided)).length : 0,
    done: facts.done_at === null || receipt === undefined ? null : { at: facts.done_at, receipt },
    receipt: receipt ?? null,
    due_on: facts.due_on,
    overdue: waiting_for === 'client' && facts.due_on !== null && facts.due_on < today,
    opened: facts.opened,
    last_opened_at: facts.last_opened_at,
    last_opened_from: facts.last_opened_ip === null ? null : networkName(facts.last_opened_ip),
    reminded_at: facts.reminded_at,
    created_at: facts.created_at,
  };
};

/** Nobody is told while the request is closed, or has no address. */
const tellsAt = (facts: RequestFacts): string | null =>
  stateOf(facts) === 'closed' || facts.email === '' ? null : facts.tell_at;

async function rowsByRequest(db: Knex, ids: readonly number[]): Promise<Map<number, RowRecord[]>> {
  const rows: RowRecord[] = await db('request_rows').whereIn('request_id', ids).orderBy(['position', 'id']);
  return Map.groupBy(rows, ({ request_id }) => request_id);
}

/** The last receipt number of each of these requests. */
async function lastReceipts(db: Knex, ids: readonly number[]): Promise<Map<number, string>> {
  const all = await db('request_receipts').whereIn('request_id', ids).orderBy('id');
  return new Map(
    all.map((receipt: { request_id: number; number: string }) => [receipt.request_id, receipt.number]),
  );
}

/** The firm's requests that the actor sees, by due date, finished ones last. */
export async function listRequests(
  dependencies: RequestsDependencies,
  actor: Actor,
  { state, client, limit = MAX_LISTED, before }: RequestsQuery = {},
): Promise<RequestSummary[]> {
  const { db, clock, collecting, incoming } = dependencies;
  const query = visibleRequests(db, actor).orderBy('r.id', 'desc').limit(Math.min(limit, MAX_LISTED));
  if (state === 'over') query.where((of) => of.whereNotNull('r.closed_at').orWhereNotNull('r.completed_at'));
  else if (state !== 'all') query.whereNull('r.closed_at').whereNull('r.completed_at');
  if (client !== undefined) query.where('r.client_id', client);
  if (before !== undefined) query.where('r.id', '<', before);
  const all: RequestFacts[] = await query;
  const ids = all.map(({ id }) => id);
  const [rows, receipts] = await Promise.all([rowsByRequest(db, ids), lastReceipts(db, ids)]);
  const doors = all.map(({ id }) => doorOf(id));
  const [filed, undecided, kept] = await Promise.all([
    collecting.filed(db, doors),
    collecting.undecided(db, doors),
    collecting.kept(db, doors),
  ]);
  const unseen = new Set(await incoming.unseen(db, actor, [...filed.values()].flat()));
  const today = dayInIndia(clock());
  return all
    .map((facts): RequestSummary => {
      const requestRows = rows.get(facts.id) ?? [];
      // What the client has sent is there, whatever was said of it, as on the client's page.
      const available = requestRows.filter((row) => !isUnavailable(row) || kept.has(row.id));
      const count = (...states: RowRecord['state'][]) =>
        available.filter((row) => states.includes(row.state)).length;
      return {
        ...head(facts, requestRows, undecided, receipts.get(facts.id), today),
        rows: {
          total: requestRows.length,
          accepted: count('accepted'),
          received: count('received', 'unavailable'),
          unavailable: requestRows.length - available.length,
          wanted: count('wanted', 'returned'),
        },
        fresh: (filed.get(doorOf(facts.id)) ?? []).filter((id) => unseen.has(id)).length,
        has_email: facts.email !== '',
      };
    })
    .toSorted(byUrgency);
}

function byUrgency(a: RequestSummary, b: RequestSummary): number {
  if ((a.state === 'open') !== (b.state === 'open')) return a.state === 'open' ? -1 : 1;
  const [x, y] = [a.due_on ?? '9999', b.due_on ?? '9999'];
  return x === y ? b.id - a.id : x < y ? -1 : 1;
}

/** All rows of all requests of the firm as CSV with a header. */
export async function requestsCsv(
  { db, collecting }: Pick<RequestsDependencies, 'db' | 'collecting'>,
  actor: Actor,
): Promise<string> {
  const all: RequestFacts[] = await visibleRequests(db, actor).orderBy('r.id');
  const rows = await rowsByRequest(
    db,
    all.map(({ id }) => id),
  );
  const head = [
    'Client',
    'Request',
    'State',
    'Due',
    'Document',
    'State of it',
    'Reason',
    'Asked by',
    'Asked (UTC)',
  ];
  const lines: string[] = [];
  for (const of of all) {
    const ofRequest = rows.get(of.id) ?? [];
    // Of rows that were sent back by their files, these have the reasons.
    const byFiles = ofRequest.some(({ state, reason }) => state === 'returned' && reason === null);
    const files = byFiles ? await collecting.arrivals(db, doorOf(of.id)) : [];
    for (const row of ofRequest) {
      const back = row.state === 'returned' && row.reason === null ? unansweredFor(row, files) : [];
      const reasons = back.map((file) => `${sentName(row, file)}: ${file.judged_reason ?? ''}`);
      lines.push(
        csvLine([
          of.client,
          of.title,
          stateOf(of),
          of.due_on,
          row.name,
          row.state,
          row.reason ?? reasons.join('; '),
          of.from_name,
          of.created_at,
        ]),
      );
    }
  }
  return CSV_START + csvLine(head) + lines.join('');
}

/** One request with its received files; null when the actor does not see it. */
export async function viewRequest(
  dependencies: RequestsDependencies,
  actor: Actor,
  id: number,
): Promise<RequestView | null> {
  const { db, clock, collecting, incoming, documents, mail } = dependencies;
  const facts: RequestFacts | undefined = await visibleRequests(db, actor).where('r.id', id).first();
  if (!facts) return null;
  const rows = (await rowsByRequest(db, [id])).get(id) ?? [];
  const receipts = await lastReceipts(db, [id]);
  const arrivals = await collecting.arrivals(db, doorOf(id));
  const undecided = await collecting.undecided(db, [doorOf(id)]);
  const ids = arrivals.flatMap(({ item_id }) => item_id ?? []);
  const folder = facts.folder_id === null ? [] : [facts.folder_id];
  const seen = new Map((await documents.views(actor, [...ids, ...folder])).map((item) => [item.id, item]));
  const unseen = new Set(await incoming.unseen(db, actor, ids));
  const trashed = await incoming.inTrash(
    db,
    actor,
    ids.filter((of) => !seen.has(of)),
  );
  const fileOf = (arrival: ArrivalView): RequestFile => {
    const item = arrival.item_id === null ? undefined : seen.get(arrival.item_id);
    return {
      id: arrival.id,
      // The current name: the office may have renamed the file.
      name: item?.name ?? trashed.get(arrival.item_id ?? 0) ?? arrival.name,
      size: item?.file_size ?? arrival.size,
      reason: arrival.reason,
      item_id: item?.id ?? null,
      in_trash: trashed.has(arrival.item_id ?? 0),
      is_new: item !== undefined && unseen.has(item.id),
      is_waiting: arrival.state === 'staged' || arrival.state === 'held',
      judged: arrival.judged,
      judged_reason: arrival.judged_reason,
      created_at: arrival.created_at,
    };
  };
  return {
    ...head(facts, rows, undecided, receipts.get(id), dayInIndia(clock())),
    note: facts.note,
    language: facts.language,
    email: facts.email,
    reminders: { before: facts.remind_before, on: facts.remind_on === 1, after: facts.remind_after },
    reminders_sent: facts.reminders,
    tells_at: mail.sends && untoldOf(facts, rows, arrivals).length > 0 ? tellsAt(facts) : null,
    folder_id: facts.folder_id !== null && seen.has(facts.folder_id) ? facts.folder_id : null,
    fresh: unseen.size,
    rows: rows.map((row) => ({
      id: row.id,
      name: row.name,
      state: row.state,
      reason: row.reason,
      files: deduplicateByItem(arrivals.filter(({ slot }) => slot === row.id)).map(fileOf),
    })),
  };
}

/** Several photos may have become one PDF: keep one arrival per item. */
function deduplicateByItem(arrivals: readonly ArrivalView[]): ArrivalView[] {
  const seen = new Set<number>();
  return arrivals.filter(({ item_id }) => {
    if (item_id === null) return true;
    if (seen.has(item_id)) return false;
    seen.add(item_id);
    return true;
  });
}
