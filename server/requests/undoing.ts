import type { Knex } from 'knex';
import type { ArrivalView } from '#server/collecting/contract.ts';
import { clearDone } from './changes.ts';
import type { RequestsDependencies } from './dependencies.ts';
import type { RequestFacts } from './doors.ts';
import type { RowRecord } from './model.ts';
import { doorOf, filedFor, stateByFiles } from './model.ts';
import type { Returns } from './returns.ts';

type RowState = Pick<RowRecord, 'state' | 'reason' | 'returned_at'>;
type FileState = Pick<ArrivalView, 'id' | 'judged' | 'judged_reason' | 'judged_at'>;

/** What a judgement has replaced, as its entry of the history keeps it in JSON. */
interface Replaced {
  to: 'accepted' | 'returned';
  /** The file that was judged by itself; null for the row. */
  file: number | null;
  row: RowState;
  files: FileState[];
  done_at: string | null;
  /** Whether the client had still to be told that it was sent back. */
  untold: boolean;
}

/** A judgement that was not taken back, by its entry of the history, with those files that were not judged again since. */
export interface Judgement extends Replaced {
  id: number;
  at: string;
  /** Whether the client was asked again since. */
  asked: boolean;
}

const JUDGEMENTS = ['request.accept', 'request.return', 'request.accept_file', 'request.return_file'];
const UNDOINGS = ['request.reopen', 'request.reopen_file'];

type Stamps = { row: RowState; files: readonly Pick<FileState, 'judged' | 'judged_at'>[] };

/** Whether a row or one of the files was sent back since then. */
function isSentBackSince(since: string | null, { row, files }: Stamps): boolean {
  const sentBack = [
    ...(row.state === 'returned' && row.reason !== null ? [row.returned_at] : []),
    ...files.map(({ judged, judged_at }) => (judged === 'returned' ? judged_at : null)),
  ];
  return since !== null && sentBack.some((at) => at !== null && at >= since);
}

/** What a judgement of a row, or of one `file` of it, is about to replace, in JSON. */
export function replacedBy(
  to: Replaced['to'],
  { done_at, returned_since: since }: Pick<RequestFacts, 'done_at' | 'returned_since'>,
  { state, reason, returned_at }: RowRecord,
  files: readonly ArrivalView[],
  file: number | null = null,
): string {
  const row = { state, reason, returned_at };
  const replaced: Replaced = {
    to,
    file,
    row,
    files: files.map(({ id, judged, judged_reason, judged_at }) => ({
      id,
      judged,
      judged_reason,
      judged_at,
    })),
    done_at,
    untold: isSentBackSince(since, { row, files }),
  };
  return JSON.stringify(replaced);
}

/** Takes judgements back: what they have replaced is in the history. */
export function createUndoing({ clock, audit, collecting }: RequestsDependencies, returns: Returns) {
  /** The judgements of the row, newest first. What is older than one that an earlier version recorded is left out. */
  async function judgements(
    trx: Knex.Transaction,
    { id, firm_id, client_id }: RequestFacts,
    row: RowRecord,
  ): Promise<Judgement[]> {
    const did = [...JUDGEMENTS, ...UNDOINGS, 'request.remind'];
    const about = { client: client_id, did, fact: { request: id } };
    const all: Judgement[] = [];
    const undone = new Set<unknown>();
    const later = new Set<number>();
    let asked = false;
    for (const { id, did, at, detail } of await audit.details(trx, firm_id, about)) {
      const { row_id, replaced } = detail;
      // A reminder, or that the request was opened again.
      if (row_id === undefined) asked = true;
      if (row_id !== row.id) continue;
      if (UNDOINGS.includes(did)) undone.add(detail['undone']);
      else if (typeof replaced !== 'string') break;
      else if (!undone.has(id)) {
        const judgement: Replaced = JSON.parse(replaced);
        const files = judgement.files.filter((file) => !later.has(file.id));
        all.push({ ...judgement, files, id, at, asked });
        for (const file of files) later.add(file.id);
      }
    }
    return all;
  }

  /** Restores the files that are still as the judgement left them. */
  async function restoreFiles(
    trx: Knex.Transaction,
    { to, file, files }: Replaced,
    now: readonly ArrivalView[],
    at: string | null,
  ): Promise<void> {
    const left = to === 'accepted' && file === null ? null : to;
    for (const { id, judged, judged_reason: reason, judged_at } of files)
      if (now.some((other) => other.id === id && other.state === 'filed' && other.judged === left))
        await collecting.judge(trx, [{ id }], { judged, reason, at: at ?? judged_at });
  }

  return {
    /** The judgement that gave the row its state; undefined when an earlier version did not record what it replaced. */
    async ofRow(
      trx: Knex.Transaction,
      of: RequestFacts,
      row: RowRecord,
      arrivals: readonly ArrivalView[],
    ): Promise<Judgement | undefined> {
      const all = await judgements(trx, of, row);
      const byFile = row.state === 'returned' && row.reason === null;
      const isSentBack = ({ id }: FileState) =>
        arrivals.some((one) => one.id === id && one.judged === 'returned');
      return all.find(({ to, file, files, row: before }) => {
        if (to !== row.state) return false;
        if (to === 'accepted') return before.state !== to;
        return byFile ? file !== null && files.some(isSentBack) : file === null;
      });
    },

    /** The judgement that gave one of its files its state. */
    async ofFile(
      trx: Knex.Transaction,
      of: RequestFacts,
      row: RowRecord,
      file: ArrivalView,
    ): Promise<Judgement | undefined> {
      const all = await judgements(trx, of, row);
      return all.find(({ to, files }) => to === file.judged && files.some(({ id }) => id === file.id));
    },

    /**
     * Gives the files back what they were before, and the client what is to be told.
     * @param alone the files that are judged anew, while the others of their row stay; null for the row.
     * @returns what the row is then.
     */
    async restore(
      trx: Knex.Transaction,
      of: RequestFacts,
      row: RowRecord,
      judgement: Judgement,
      alone: readonly ArrivalView[] | null,
    ): Promise<RowState> {
      const now = clock().toISOString();
      // While it was accepted, the e-mail may have left without it.
      const isMissed = judgement.untold && !isSentBackSince(of.returned_since, judgement);
      const anew = isMissed ? now : null;
      if (anew !== null) await returns.note(trx, of, 'returned', now);
      const arrivals = alone ?? (await collecting.arrivals(trx, doorOf(of.id)));
      await restoreFiles(trx, judgement, arrivals, anew);
      const files = await collecting.arrivals(trx, doorOf(of.id));
      const after = rowRestored(row, judgement, alone === null, files);
      if (after.state === 'returned') {
        if (row.state !== 'returned') await clearDone(trx, of.id);
        return anew === null || after === row ? after : { ...after, returned_at: anew };
      }
      const { to, at, asked, done_at } = judgement;
      if (to === 'returned' && of.done_at === null && done_at !== null && !asked) {
        const askedFor = await trx('request_rows')
          .where({ request_id: of.id })
          .whereNot({ id: row.id })
          .where((other) =>
            other
              .where({ state: 'returned' })
              .orWhere((added) => added.where({ state: 'wanted' }).where('updated_at', '>', at)),
          )
          .first('id');
        if (!askedFor) await trx('requests').where({ id: of.id }).update({ done_at });
      }
      return after;
    },
  };
}
export type Undoing = ReturnType<typeof createUndoing>;

/** @param whole whether it is the judgement of the row that is taken back, and not that of a file. */
function rowRestored(
  row: RowRecord,
  { row: before, file }: Replaced,
  whole: boolean,
  files: readonly ArrivalView[],
): RowState {
  if (row.state === 'unavailable') return row;
  const byFiles = stateByFiles(row, files);
  const isOwn = row.state === 'returned' && row.reason !== null;
  // What else the row waits for is not answered by judging a file.
  if (isOwn && !whole && (file !== null || byFiles === 'returned')) return row;
  // Each file that comes makes a row `received` that is not accepted.
  const hasCome =
    row.state === 'received' || filedFor(row, files).some(({ filed_at }) => filed_at! > row.updated_at);
  const wasReturned = before.state === 'returned' && (row.state === 'accepted' || whole);
  const was = before.state === 'unavailable' || before.state === 'accepted';
  if (!hasCome && (wasReturned || (was && byFiles !== 'returned'))) return before;
  const reason = byFiles === 'returned' && before.state === 'returned' ? before.reason : null;
  return { state: byFiles, reason, returned_at: row.returned_at };
}
