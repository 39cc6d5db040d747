import type { Knex } from 'knex';
import type { ArrivalView } from '#server/collecting/contract.ts';
import type { DerivedTokens } from '#server/links/derived-tokens.ts';
import { filesOf } from './asked-files.ts';
import type { JudgeRow } from './contract.ts';
import { RETURNS_DELAY_MINUTES } from './contract.ts';
import type { RequestsDependencies } from './dependencies.ts';
import type { RequestFacts } from './doors.ts';
import { factsOf } from './doors.ts';
import { returnedEmail } from './emails.ts';
import type { RequestRecord, RowRecord } from './model.ts';
import { doorOf, sentName } from './model.ts';
import { auditFields } from './of-office.ts';

/** Something that was sent back and of which the client has not been told. */
export interface Untold {
  row: string;
  /** The files that it is about. */
  files: string[];
  /** Whether it is the row as a whole, and not one of its files. */
  whole: boolean;
  /** Whether nothing was sent for the row that the office could use: the client had declared not to have the document. */
  unsent: boolean;
  reason: string;
}

/** What was sent back since the client was last told, and was not accepted or taken back since. */
export function untoldOf(
  { returned_since: since }: Pick<RequestRecord, 'returned_since'>,
  rows: readonly RowRecord[],
  arrivals: readonly ArrivalView[],
): Untold[] {
  if (since === null) return [];
  return rows.flatMap((row): Untold[] => {
    if (row.state === 'accepted' || row.state === 'unavailable') return [];
    const all = filesOf(row, arrivals);
    const files = all.flatMap(([first]) =>
      first.judged === 'returned' && first.judged_at! >= since
        ? { name: sentName(row, first), reason: first.judged_reason ?? '' }
        : [],
    );
    // A row that waits for its files alone has no reason of its own.
    const reason = row.state === 'returned' && (row.returned_at ?? '') >= since ? row.reason : null;
    const withRow = files.filter((file) => file.reason === reason);
    const alone = files.filter((file) => file.reason !== reason);
    const unsent = withRow.length === 0 && !all.some(([{ judged }]) => judged === 'accepted');
    return [
      ...(reason === null
        ? []
        : [{ row: row.name, files: withRow.map(({ name }) => name), whole: true, unsent, reason }]),
      ...alone.map(({ name, reason }) => ({
        row: row.name,
        files: [name],
        whole: false,
        unsent: false,
        reason,
      })),
    ];
  });
}

/** Tells clients what was sent back: in one e-mail, when the office has judged nothing more for some minutes. */
export function createReturns(dependencies: RequestsDependencies, tokens: DerivedTokens) {
  const { db, clock, mail, audit, collecting } = dependencies;
  const later = (delays = 1): string =>
    new Date(clock().getTime() + delays * RETURNS_DELAY_MINUTES * 60_000).toISOString();

  const due = (db: Knex) =>
    factsOf(db)
      // A time far ahead was set before the clock was set back.
      .where((of) => of.where('r.tell_at', '<=', clock().toISOString()).orWhere('r.tell_at', '>', later(2)))
      // Once it is open again the client is told after all.
      .whereNull('r.closed_at')
      .whereNot('r.email', '');

  /** Lets the office go on: what is to be told waits from now on. */
  const postpone = async (trx: Knex.Transaction, id: number): Promise<void> => {
    await trx('requests').where({ id }).whereNotNull('tell_at').update({ tell_at: later() });
  };

  /** Takes what the client is told with the next e-mail, so that no other one tells it again. */
  async function take(trx: Knex.Transaction, of: RequestFacts): Promise<Untold[]> {
    if (of.returned_since === null) return [];
    const rows: RowRecord[] = await trx('request_rows')
      .where({ request_id: of.id })
      .orderBy(['position', 'id']);
    const untold = untoldOf(of, rows, await collecting.arrivals(trx, doorOf(of.id)));
    await trx('requests').where({ id: of.id }).update({ returned_since: null, tell_at: null });
    return untold;
  }

  async function tell(trx: Knex.Transaction, id: number): Promise<boolean> {
    // Read again: it may have been closed, told or added to since the list was read.
    const of: RequestFacts | undefined = await due(trx).where('r.id', id).first();
    const untold = of ? await take(trx, of) : [];
    if (!of || untold.length === 0) return false;
    const url = `${dependencies.baseUrl}/r/${await tokens.current(trx, of)}`;
    await mail.send(trx, returnedEmail(of, { url, untold }));
    // Written all the same, like the other e-mails to clients, for the operator to see; no client gets it.
    if (!mail.sends) return true;
    const { subject, detail } = auditFields(of);
    await audit.record(trx, {
      firmId: of.firm_id,
      did: 'request.tell',
      subject,
      detail: { ...detail, by_itself: true },
    });
    return true;
  }

  return {
    take,
    postpone,

    /** Notes that something was judged at `at`, for the client to be told of what was sent back. */
    async note(
      trx: Knex.Transaction,
      { id, firm_id, email, returned_since }: RequestFacts,
      state: JudgeRow['state'],
      at: string,
    ): Promise<void> {
      if (state !== 'returned') return postpone(trx, id);
      if (email === '' || !(await dependencies.sharingOn(trx, firm_id))) return;
      await trx('requests')
        .where({ id })
        .update({ returned_since: returned_since ?? at, tell_at: later() });
    },

    /** Whether a client has to be told now. */
    anyDue: async (): Promise<boolean> => (await due(db).first()) !== undefined,

    /** Tells every client whose time has come, also after the server was off. @returns their number. */
    async tellDue(): Promise<number> {
      const all: RequestFacts[] = await due(db);
      let told = 0;
      for (const { id, firm_id } of all) {
        if (!(await dependencies.sharingOn(db, firm_id))) continue;
        if (await db.transaction((trx) => tell(trx, id))) told += 1;
      }
      return told;
    },
  };
}
export type Returns = ReturnType<typeof createReturns>;
