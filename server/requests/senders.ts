import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { outsideActor } from '#server/actor.ts';
import type { ArrivalView, Door, Sender } from '#server/collecting/contract.ts';
import { AppError } from '#server/http/errors.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { createUniqueNames } from '#server/text/file-names.ts';
import { typedLines } from '#server/text/typed.ts';
import type { DerivedTokens } from '#server/links/derived-tokens.ts';
import { countSince, receivedFor, returnedOf, untouchedFiles } from './asked-files.ts';
import { clearDone, updateRow } from './changes.ts';
import type { AskedPage, AskedRow } from './contract.ts';
import { isUnavailable, MAX_REASON_LENGTH, REQUEST_ALLOWANCE } from './contract.ts';
import type { Doors, RequestFacts } from './doors.ts';
import { askerOf, factsOf } from './doors.ts';
import type { ReceiptLine } from './emails.ts';
import { countFiles, receiptEmail } from './emails.ts';
import type { RowRecord } from './model.ts';
import { doorOf, isArriving, isSameFile, sentName, stateByFiles, stateOf, unansweredFor } from './model.ts';
import { noteNews } from './news.ts';
import type { RequestsDependencies } from './dependencies.ts';

/** Actions by one link within this time belong to one opening. */
const OPENING_MS = 30 * 60_000;
/** Without 0, O, 1 and I, which are confused on the telephone. */
const RECEIPT_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const linkGone = (): AppError =>
  new AppError(404, 'link_gone', 'This link is not available. Ask the office that sent it for a new one.');

const notNeeded = (): AppError =>
  new AppError(404, 'not_needed', 'This document is accepted already, or not asked for any more.');

const fileGone = (): AppError =>
  new AppError(404, 'file_gone', 'This file is not among those that were sent any more.');

const inUse = (): AppError => new AppError(409, 'in_use', 'The office works with this file already.');

const fourCharacters = (): string =>
  Array.from({ length: 4 }, () => RECEIPT_ALPHABET[randomInt(RECEIPT_ALPHABET.length)]).join('');

/** Operations for clients with the link of a request. */
export function createSenders(dependencies: RequestsDependencies, tokens: DerivedTokens, doors: Doors) {
  const { db, clock, audit, mail, collecting } = dependencies;

  /** The request of a link, and whether it is open or complete. @throws {AppError} 404, 429. */
  async function requestOf(sender: Sender): Promise<{ facts: RequestFacts; reachable: boolean }> {
    const facts: RequestFacts | undefined = await factsOf(db)
      .where(tokens.matches(sender.token, 'r'))
      .first();
    if (!facts) {
      await collecting.noteGuess(sender);
      throw linkGone();
    }
    const on = await dependencies.sharingOn(db, facts.firm_id);
    return { facts, reachable: on && stateOf(facts) !== 'closed' };
  }

  /** The sender as an actor for the audit log. */
  const actorFor = (facts: RequestFacts, { cookie }: Sender): Actor =>
    outsideActor({
      userId: facts.made_by,
      firmId: facts.firm_id,
      recipient: { door: doorOf(facts.id), name: facts.client, firmName: facts.firm, visitor: cookie },
    });

  async function rowsOf(db: Knex, id: number): Promise<RowRecord[]> {
    return db('request_rows').where({ request_id: id }).orderBy(['position', 'id']);
  }

  async function noteOpened(sender: Sender, facts: RequestFacts): Promise<void> {
    const now = clock();
    const last = facts.last_opened_at === null ? 0 : Date.parse(facts.last_opened_at);
    if (Math.abs(now.getTime() - last) < OPENING_MS) return;
    await db.transaction(async (trx) => {
      const changed = await trx('requests')
        .where({ id: facts.id, last_opened_at: facts.last_opened_at })
        .increment('opened', 1)
        .update({ last_opened_at: now.toISOString(), last_opened_ip: currentRequest()?.ip ?? null });
      if (changed === 0) return;
      const detail = { request: facts.id, name: facts.title };
      const concerns = { clients: [facts.client_id] };
      await audit.record(trx, { actor: actorFor(facts, sender), did: 'request.open', detail, concerns });
    });
  }

  /** The request of a link, open or complete, that the sender acts on, and so has opened. @throws {AppError} 404, 429. */
  async function actOn(sender: Sender): Promise<RequestFacts> {
    const { facts, reachable } = await requestOf(sender);
    if (!reachable) throw linkGone();
    await noteOpened(sender, facts);
    return facts;
  }

  async function requireOpenRow(
    trx: Knex.Transaction,
    facts: RequestFacts,
    id: number | null,
  ): Promise<RowRecord> {
    const row: RowRecord | undefined = await trx('request_rows').where({ id, request_id: facts.id }).first();
    if (!row || row.state === 'accepted' || stateOf(facts) !== 'open') throw notNeeded();
    return row;
  }

  /** The state of a row before the client declared it unavailable. */
  async function stateBefore(
    trx: Knex.Transaction,
    { id, client_id, firm_id }: RequestFacts,
    row: RowRecord,
    files: readonly ArrivalView[],
  ): Promise<Pick<RowRecord, 'state' | 'reason'>> {
    const state = stateByFiles(row, files);
    if (state === 'received') return { state, reason: null };
    // The reason of the client has taken the place of the one for which the office sent it back. The history has that.
    const did = ['request.return', 'request.accept', 'request.reopen'];
    const judged = await audit.details(trx, firm_id, { client: client_id, did, fact: { request: id } });
    const reason = judged.find(({ detail }) => detail['row_id'] === row.id)?.detail['reason'];
    if (typeof reason !== 'string') return { state, reason: null };
    // Files that were sent back by themselves since then have reasons of their own.
    const ofRow = unansweredFor(row, files).some(({ judged_reason }) => (judged_reason ?? reason) === reason);
    return { state: 'returned', reason: state === 'wanted' || ofRow ? reason : null };
  }

  /** How many of the files of a receipt the client has taken back. */
  async function countTakenBack(
    { id, client_id, firm_id }: RequestFacts,
    receiptAt: string,
  ): Promise<number> {
    const did = ['request.taken_back'];
    const all = await audit.details(db, firm_id, { client: client_id, did, fact: { request: id } });
    // An earlier version did not record when the file had been sent.
    const wasSent = ({ sent_at }: Record<string, unknown>) =>
      typeof sent_at !== 'string' || sent_at <= receiptAt;
    return all.filter(({ at, detail }) => at > receiptAt && wasSent(detail)).length;
  }

  return {
    formOf: collecting.formOf,
    isOurs: collecting.isOurs,

    /** The data of the page. */
    async page(sender: Sender): Promise<AskedPage> {
      let request: Awaited<ReturnType<typeof requestOf>>;
      try {
        request = await requestOf(sender);
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return { state: 'gone' };
        throw error;
      }
      const { facts } = request;
      const { title, note, language, due_on, client, firm } = facts;
      const head = { firm, logo: await dependencies.logoOf(facts.firm_id), from: askerOf(facts), language };
      if (!request.reachable) return { state: 'closed', ...head };
      const [rows, files] = await Promise.all([
        rowsOf(db, facts.id),
        collecting.arrivals(db, doorOf(facts.id)),
      ]);
      const isOpen = stateOf(facts) === 'open';
      const untouched = isOpen ? await untouchedFiles(dependencies, db, facts, files) : new Set<number>();
      const receipt = await db('request_receipts')
        .where({ request_id: facts.id })
        .orderBy('id', 'desc')
        .first();
      return {
        state: isOpen ? 'open' : 'complete',
        ...head,
        client,
        title,
        note,
        due_on,
        overdue: due_on !== null && due_on < dayInIndia(clock()),
        rows: rows.map((row): AskedRow => ({
          id: row.id,
          name: row.name,
          ...(isArriving(row, files)
            ? { state: 'arriving', reason: null }
            : { state: row.state, reason: row.reason }),
          files: receivedFor(row, files, untouched),
          returned: returnedOf(row, files),
        })),
        receipt: receipt && {
          number: receipt.number,
          files: receipt.files,
          made_at: receipt.made_at,
          newer: isOpen ? countSince(rows, files, receipt.made_at) : 0,
          taken_back: await countTakenBack(facts, receipt.made_at),
        },
        done: facts.done_at !== null,
        form: collecting.formOf(sender),
        file_bytes: REQUEST_ALLOWANCE.file,
      };
    },

    /** The link as a door for incoming files. @throws {AppError} 404, 429. */
    async door(sender: Sender): Promise<Door> {
      const facts = await actOn(sender);
      if (stateOf(facts) !== 'open') throw notNeeded();
      return doors.doorFor(facts);
    },

    /** Records that the sender acts on the link. @throws {AppError} 404. */
    async noteOpened(sender: Sender): Promise<void> {
      await actOn(sender);
    },

    /** Marks a row as unavailable with a reason; a null reason reverts it. @throws {AppError} 404. */
    async unavailable(sender: Sender, rowId: number, reason: string | null): Promise<void> {
      const facts = await actOn(sender);
      await collecting.noteAnswer(doorOf(facts.id), sender);
      await db.transaction(async (trx) => {
        const row = await requireOpenRow(trx, facts, rowId);
        const now = clock().toISOString();
        const files = await collecting.arrivals(trx, doorOf(facts.id));
        const unavailable = {
          state: 'unavailable' as const,
          reason: typedLines(reason ?? '').slice(0, MAX_REASON_LENGTH),
        };
        const change = reason === null ? await stateBefore(trx, facts, row, files) : unavailable;
        await updateRow(trx, row.id, change, now);
        await noteNews(trx, facts.id, now);
        const detail = {
          request: facts.id,
          name: row.name,
          reason: change.reason,
          taken_back: reason === null,
        };
        await audit.record(trx, {
          actor: actorFor(facts, sender),
          did: 'request.unavailable',
          detail,
          concerns: { clients: [facts.client_id] },
        });
      });
    },

    /**
     * Moves a file that was sent by mistake to the firm's Trash. What its row waits for follows from the other files.
     * @throws {AppError} 404; 409 once the office has opened, changed or judged it, or keeps it for another reason.
     */
    async takeBack(sender: Sender, fileId: number): Promise<void> {
      const facts = await actOn(sender);
      await collecting.noteAnswer(doorOf(facts.id), sender);
      await db.transaction(async (trx) => {
        const arrivals = await collecting.arrivals(trx, doorOf(facts.id));
        const file = arrivals.find(({ id }) => id === fileId);
        if (!file) throw fileGone();
        const row = await requireOpenRow(trx, facts, file.slot);
        if (!(await untouchedFiles(dependencies, trx, facts, [file])).has(file.id)) throw inUse();
        const pages = arrivals.filter((page) => isSameFile(page, file));
        await collecting.withdraw(trx, doors.doorFor(facts), sender, pages).catch((error: unknown) => {
          // Under a seal or a retention rule.
          throw error instanceof AppError && error.status === 403 ? inUse() : error;
        });
        const left = await collecting.arrivals(trx, doorOf(facts.id));
        if (row.state === 'received') {
          const change = await stateBefore(trx, facts, row, left);
          await updateRow(trx, row.id, change, clock().toISOString());
          if (change.state !== 'received') await clearDone(trx, facts.id);
        }
        await audit.record(trx, {
          actor: actorFor(facts, sender),
          did: 'request.taken_back',
          subject: `item:${file.item_id}`,
          detail: { request: facts.id, name: sentName(row, file), row: row.name, sent_at: file.created_at },
          concerns: { items: [file.item_id!], clients: [facts.client_id] },
        });
      });
    },

    /**
     * Declares everything sent. @returns the number of a receipt, which is also sent by e-mail; without new files
     * and answers, the number of the last receipt.
     * @throws {AppError} 404; 422 before the first receipt while there is neither a file that was not sent back nor the answer that
     * there is none.
     */
    async receipt(sender: Sender): Promise<string> {
      const facts = await actOn(sender);
      return db.transaction(async (trx) => {
        const arrivals = await collecting.arrivals(trx, doorOf(facts.id));
        // What was sent back is asked for again.
        const files = arrivals.filter(({ judged }) => judged !== 'returned');
        const rows = await rowsOf(trx, facts.id);
        const lines = rows.flatMap((row): ReceiptLine[] => {
          // Two files of one name are told apart as in the folder.
          const uniqueName = createUniqueNames();
          const names = receivedFor(row, files).map(({ name }) => uniqueName(name));
          const without = isUnavailable(row);
          return names.length > 0 || without
            ? [{ row: row.name, names, reason: without ? row.reason : null }]
            : [];
        });
        const count = countFiles(lines);
        const last = await trx('request_receipts')
          .where({ request_id: facts.id })
          .orderBy('id', 'desc')
          .first();
        if (lines.length === 0 && !last) throw new AppError(422, 'nothing', 'Nothing has arrived yet.');
        const made_at = clock().toISOString();
        await noteNews(trx, facts.id, made_at, { done_at: made_at });
        const hasNews =
          !last ||
          files.some(({ created_at }) => created_at > last.made_at) ||
          rows.some(({ state, updated_at }) => state === 'unavailable' && updated_at > last.made_at);
        if (!hasNews) return last.number as string;
        const number = `${fourCharacters()}-${fourCharacters()}`;
        await trx('request_receipts').insert({ request_id: facts.id, number, files: count, made_at });
        if (facts.email !== '') await mail.send(trx, receiptEmail(facts, { number, lines, made_at }));
        await audit.record(trx, {
          actor: actorFor(facts, sender),
          did: 'request.receipt',
          detail: { request: facts.id, name: facts.title, receipt: number, files: count },
          concerns: { clients: [facts.client_id] },
        });
        return number;
      });
    },
  };
}
