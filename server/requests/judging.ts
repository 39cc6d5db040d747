import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { ArrivalView } from '#server/collecting/contract.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { clearDone, updateCompletion, updateRow } from './changes.ts';
import type { JudgeRow, RequestView } from './contract.ts';
import type { RequestsDependencies } from './dependencies.ts';
import type { RequestFacts } from './doors.ts';
import type { RowRecord } from './model.ts';
import { doorOf, filedFor, isAcceptedByFiles, isSameFile, sentName, stateByFiles } from './model.ts';
import { EMAIL_LIMIT, auditFields, requestOf, requireNotClosed, viewOf } from './of-office.ts';
import type { Returns } from './returns.ts';

const ACCEPTED_MEANWHILE =
  'A colleague has accepted this meanwhile. To send it back all the same, undo that first.';
const LINE_ACCEPTED = 'Its line is accepted. To judge a single file, undo that first.';
const EVENTS = {
  accepted: { line: 'request.accept', file: 'request.accept_file' },
  returned: { line: 'request.return', file: 'request.return_file' },
  received: { line: 'request.reopen', file: 'request.reopen_file' },
} as const;

/** The change of a row by a judgement. */
type Change = Pick<RowRecord, 'state' | 'reason'> & Partial<Pick<RowRecord, 'returned_at'>>;

/** Acceptance and return of what came for a request: a whole row, or one of its files. */
export function createJudging(dependencies: RequestsDependencies, returns: Returns) {
  const { db, clock, audit, collecting, incoming } = dependencies;
  const now = () => clock().toISOString();

  /** Runs a judgement on a request that is not closed, and settles what follows from it. */
  async function judging(
    actor: Actor,
    id: number,
    { state }: JudgeRow,
    judge: (trx: Knex.Transaction, of: RequestFacts, arrivals: ArrivalView[]) => Promise<void>,
  ): Promise<RequestView> {
    const { email, tell_at } = await requestOf(db, actor, id);
    // What is told with an e-mail that goes out anyway needs no other one.
    if (state === 'returned' && email !== '' && tell_at === null)
      await dependencies.limits.check({ limit: EMAIL_LIMIT, subject: String(actor.userId) });
    await db.transaction(async (trx) => {
      const of = await requestOf(trx, actor, id);
      requireNotClosed(of);
      await returns.note(trx, of, state, now());
      await judge(trx, of, await collecting.arrivals(trx, doorOf(id)));
      if (state === 'returned') await clearDone(trx, id);
      await updateCompletion(trx, id, now());
    });
    // A request that is complete accepts nothing.
    await collecting.cancelClosed({ door: doorOf(id) });
    return viewOf(dependencies, actor, id);
  }

  async function rowOf(trx: Knex.Transaction, request_id: number, id: number | null): Promise<RowRecord> {
    const row: RowRecord | undefined = await trx('request_rows').where({ id, request_id }).first();
    if (!row) throw notFound('request');
    return row;
  }

  /** What was sent back together with the row, or all that was, when nothing else is there: that is what accepting the row means. */
  function meantByAccepting(row: RowRecord, filed: readonly ArrivalView[]): ArrivalView[] {
    const returned = filed.filter(({ judged }) => judged === 'returned');
    const withRow = returned.filter(
      ({ judged_reason }) => judged_reason !== null && judged_reason === row.reason,
    );
    if (withRow.length > 0) return withRow;
    return returned.length === filed.length ? returned : [];
  }

  return {
    /**
     * Accepts a row, or sends it back with a reason that the client sees. Files that are accepted stay so, and those that were sent back by
     * themselves too.
     * @throws {AppError} 403; 404, also for a closed request; 409 for what is accepted already, 422.
     */
    judge: (actor: Actor, id: number, rowId: number, how: JudgeRow): Promise<RequestView> =>
      judging(actor, id, how, async (trx, of, arrivals) => {
        const { state, reason } = how;
        const row = await rowOf(trx, id, rowId);
        if (state === 'received' && row.state !== 'accepted')
          throw invalid({ state: ['This is not accepted'] });
        if (state === 'returned' && row.state === 'accepted') throw conflict(ACCEPTED_MEANWHILE);
        const filed = filedFor(row, arrivals);
        // An accepted row keeps the reason of a client who does not have the document, for an undo.
        const given = row.state === 'unavailable' || row.state === 'accepted' ? row.reason : null;
        const change: Record<typeof state, Change> = {
          accepted: { state: 'accepted', reason: given },
          returned: { state: 'returned', reason, returned_at: now() },
          received: { state: given === null ? stateByFiles(row, filed) : 'unavailable', reason: given },
        };
        await updateRow(trx, rowId, change[state], now());
        const items = filed.flatMap(({ item_id }) => item_id ?? []);
        if (state !== 'received') await incoming.markSeen(trx, items);
        // What was sent back by mistake is what the client has sent after all.
        if (state === 'accepted' && row.state === 'returned')
          await collecting.judge(trx, meantByAccepting(row, filed), { judged: null });
        if (state === 'returned') {
          const open = filed.filter(({ judged }) => judged === null);
          await collecting.judge(trx, open, { judged: 'returned', reason });
        }
        const { subject, detail } = auditFields(of);
        await audit.record(trx, {
          actor,
          did: EVENTS[state].line,
          subject,
          detail: { ...detail, row: row.name, row_id: rowId, ...(state === 'returned' && { reason }) },
          concerns: { items, clients: [of.client_id] },
        });
      }),

    /**
     * Accepts one file of a row, sends it back with a reason that the client sees, or takes either back. The state of the row follows.
     * @param fileId of the received file; the photos of one document are one file.
     * @throws {AppError} 403; 404, also for a closed request and a file that is not in the drive yet; 409 while its row is accepted, and
     * for sending back what is accepted; 422.
     */
    judgeFile: (actor: Actor, id: number, fileId: number, how: JudgeRow): Promise<RequestView> =>
      judging(actor, id, how, async (trx, of, arrivals) => {
        const { state, reason } = how;
        const file = arrivals.find((arrival) => arrival.id === fileId);
        if (file?.state !== 'filed') throw notFound('file');
        const row = await rowOf(trx, id, file.slot);
        if (row.state === 'accepted') throw conflict(LINE_ACCEPTED);
        if (state === 'received' && file.judged === null) throw invalid({ state: ['This is not judged'] });
        if (state === 'returned' && file.judged === 'accepted') throw conflict(ACCEPTED_MEANWHILE);
        const pages = arrivals.filter((page) => isSameFile(page, file));
        const judged = state === 'received' ? null : state;
        await collecting.judge(trx, pages, { judged, reason: judged === 'returned' ? reason : null });
        if (file.item_id !== null) await incoming.markSeen(trx, [file.item_id]);
        const after = await collecting.arrivals(trx, doorOf(id));
        const change = rowAfter(row, file, state, after);
        if (change) await updateRow(trx, row.id, change, now());
        const name = sentName(row, file);
        await audit.record(trx, {
          actor,
          did: EVENTS[state].file,
          subject: file.item_id === null ? `client:${of.client_id}` : `item:${file.item_id}`,
          detail: { request: id, name, row: row.name, ...(state === 'returned' && { reason }) },
          concerns: { clients: [of.client_id], ...(file.item_id !== null && { items: [file.item_id] }) },
        });
      }),
  };
}

/** The state of a row after one of its files was judged; null while it stays. */
function rowAfter(
  row: RowRecord,
  before: ArrivalView,
  state: JudgeRow['state'],
  files: readonly ArrivalView[],
): Change | null {
  if (state === 'returned') return { state, reason: row.state === 'returned' ? row.reason : null };
  // What else the row waits for is not answered by judging another file.
  if (row.state === 'returned' && before.judged !== 'returned') return null;
  const byFiles = stateByFiles(row, files);
  if (byFiles === 'returned') return null;
  // As in the judgement of a row, the reason of a client who does not have the document stays for an undo.
  const reason = row.state === 'unavailable' ? row.reason : null;
  if (state === 'accepted' && isAcceptedByFiles(row, files)) return { state, reason };
  return row.state === 'returned' ? { state: byFiles, reason: null } : null;
}
