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
import { createUndoing, replacedBy } from './undoing.ts';

const ACCEPTED_MEANWHILE =
  'A colleague has accepted this meanwhile. To send it back all the same, undo that first.';
const LINE_ACCEPTED = 'Its line is accepted. To judge a single file, undo that first.';
const NOT_JUDGED = 'This is not judged';
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
  const undoing = createUndoing(dependencies, returns);

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

  async function recordRow(
    trx: Knex.Transaction,
    actor: Actor,
    of: RequestFacts,
    row: RowRecord,
    {
      state,
      filed,
      ...more
    }: {
      state: JudgeRow['state'];
      filed: readonly ArrivalView[];
      reason?: string;
      replaced?: string;
      undone?: number;
    },
  ): Promise<void> {
    const { subject, detail } = auditFields(of);
    await audit.record(trx, {
      actor,
      did: EVENTS[state].line,
      subject,
      detail: { ...detail, row: row.name, row_id: row.id, ...more },
      concerns: { items: filed.flatMap(({ item_id }) => item_id ?? []), clients: [of.client_id] },
    });
  }

  /** What a row is without its judgement, of which an earlier version did not record what it replaced. */
  async function withoutJudgement(
    trx: Knex.Transaction,
    { id }: RequestFacts,
    row: RowRecord,
    filed: readonly ArrivalView[],
  ): Promise<Change> {
    const { state, reason } = row;
    // That of a client who does not have the document.
    if (state === 'accepted' && reason !== null) return { state: 'unavailable', reason };
    const withRow = filed.filter(
      ({ judged, judged_reason }) => judged === 'returned' && judged_reason === reason,
    );
    if (state === 'returned') await collecting.judge(trx, withRow, { judged: null });
    return { state: stateByFiles(row, await collecting.arrivals(trx, doorOf(id))), reason: null };
  }

  /** Takes back the judgement that gave the row its state. */
  async function undoRow(
    trx: Knex.Transaction,
    actor: Actor,
    of: RequestFacts,
    row: RowRecord,
    arrivals: readonly ArrivalView[],
  ): Promise<void> {
    if (row.state !== 'accepted' && row.state !== 'returned') throw invalid({ state: [NOT_JUDGED] });
    const filed = filedFor(row, arrivals);
    const undone = await undoing.ofRow(trx, of, row, arrivals);
    const after = undone
      ? await undoing.restore(trx, of, row, undone, null)
      : await withoutJudgement(trx, of, row, filed);
    await updateRow(trx, row.id, after, now());
    // As the history of a row that is sent back: a client who has the document after all is told it again.
    const reason = after.state === 'returned' ? after.reason : null;
    await recordRow(trx, actor, of, row, {
      state: 'received',
      filed,
      ...(reason !== null && { reason }),
      ...(undone && { undone: undone.id }),
    });
  }

  return {
    /**
     * Accepts a row, or sends it back with a reason that the client sees, or takes the last such judgement back. Files that are accepted
     * stay so, and those that were sent back by themselves too.
     * @throws {AppError} 403; 404, also for a closed request; 409 for what is accepted already, 422.
     */
    judge: (actor: Actor, id: number, rowId: number, how: JudgeRow): Promise<RequestView> =>
      judging(actor, id, how, async (trx, of, arrivals) => {
        const { state, reason } = how;
        const row = await rowOf(trx, id, rowId);
        if (state === 'received') return undoRow(trx, actor, of, row, arrivals);
        if (state === 'returned' && row.state === 'accepted') throw conflict(ACCEPTED_MEANWHILE);
        const filed = filedFor(row, arrivals);
        // An accepted row keeps the reason of a client who does not have the document.
        const given = row.state === 'unavailable' || row.state === 'accepted' ? row.reason : null;
        const change: Change =
          state === 'accepted' ? { state, reason: given } : { state, reason, returned_at: now() };
        await updateRow(trx, rowId, change, now());
        const judged = state === 'returned' ? state : null;
        const files =
          state === 'returned'
            ? filed.filter((file) => file.judged === null)
            : // What was sent back by mistake is what the client has sent after all.
              row.state === 'returned'
              ? meantByAccepting(row, filed)
              : [];
        await collecting.judge(trx, files, { judged, reason: judged && reason });
        await incoming.markSeen(
          trx,
          filed.flatMap(({ item_id }) => item_id ?? []),
        );
        const replaced = replacedBy(state, of, row, files);
        await recordRow(trx, actor, of, row, { state, filed, ...(judged && { reason }), replaced });
      }),

    /**
     * Accepts one file of a row, sends it back with a reason that the client sees, or takes either back. The state of the row follows.
     * @param fileId of the received file; the photos of one document are one file.
     * @throws {AppError} 403; 404, also for a closed request and a file that is not in the drive yet; 409 while its row is accepted, and
     * for sending back what is accepted, unless that overrules it; 422.
     */
    judgeFile: (actor: Actor, id: number, fileId: number, how: JudgeRow): Promise<RequestView> =>
      judging(actor, id, how, async (trx, of, arrivals) => {
        const { state, reason } = how;
        const file = arrivals.find((arrival) => arrival.id === fileId);
        if (file?.state !== 'filed') throw notFound('file');
        const row = await rowOf(trx, id, file.slot);
        const overrules = state === 'returned' && how.overrule === true;
        if (row.state === 'accepted' && !overrules)
          throw conflict(state === 'returned' ? ACCEPTED_MEANWHILE : LINE_ACCEPTED);
        if (state === 'received' && file.judged === null) throw invalid({ state: [NOT_JUDGED] });
        if (state === 'returned' && file.judged === 'accepted' && !overrules)
          throw conflict(ACCEPTED_MEANWHILE);
        const pages = arrivals.filter((page) => isSameFile(page, file));
        const undone = state === 'received' ? await undoing.ofFile(trx, of, row, file) : undefined;
        const withRow = row.state === 'returned' && row.reason !== null && undone?.file === null;
        // The only file that was sent back with its row.
        if (withRow && undone.files.every(({ id }) => pages.some((page) => page.id === id)))
          return undoRow(trx, actor, of, row, arrivals);
        if (undone) {
          await updateRow(trx, row.id, await undoing.restore(trx, of, row, undone, pages), now());
        } else {
          const judged = state === 'received' ? null : state;
          await collecting.judge(trx, pages, { judged, reason: judged === 'returned' ? reason : null });
          const after = await collecting.arrivals(trx, doorOf(id));
          const change = rowAfter(row, file, state, after);
          if (change) await updateRow(trx, row.id, change, now());
        }
        if (file.item_id !== null) await incoming.markSeen(trx, [file.item_id]);
        const name = sentName(row, file);
        await audit.record(trx, {
          actor,
          did: EVENTS[state].file,
          subject: file.item_id === null ? `client:${of.client_id}` : `item:${file.item_id}`,
          detail: {
            request: id,
            name,
            row: row.name,
            row_id: row.id,
            ...(state === 'returned' && { reason }),
            ...(state !== 'received' && { replaced: replacedBy(state, of, row, pages, file.id) }),
            // Of a judgement of the row, only this file was taken back.
            ...(undone && undone.file !== null && { undone: undone.id }),
          },
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
