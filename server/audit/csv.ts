import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { CSV_START, csvLine } from '#server/http/csv.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import type { AuditFilters } from './contract.ts';
import { findEntries } from './find.ts';
import type { Known } from './read.ts';
import { knownTo, views } from './read.ts';
import { remaining } from './subjects.ts';

const PAGE = 1000;
const FOUND_AT_ONCE = 10_000;
const HEADINGS = [
  'Time (UTC)',
  'What',
  'Event',
  'Who',
  'Concerning',
  'Details',
  'Address',
  'Client',
  'Browser',
  'Time (India)',
];

/** `2026-11-20 15:30:00`, which a spreadsheet takes for a time. India keeps one clock all the year round. */
const clockInIndia = (iso: string): string =>
  new Date(Date.parse(iso) + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** All entries that answer the filters, the oldest first. */
async function found(db: Knex, actor: FirmViewer, filters: AuditFilters): Promise<number[]> {
  const ids: number[] = [];
  for (let before: number | undefined; ;) {
    const more = await findEntries(db, actor, { ...filters, before, limit: FOUND_AT_ONCE });
    ids.push(...more);
    if (more.length < FOUND_AT_ONCE) return ids.toReversed();
    before = more.at(-1);
  }
}

/** Rows are only ever added and a name once known stays, so the text is the same each time. */
async function* lines(
  db: Knex,
  actor: FirmViewer,
  known: Known,
  ids: readonly number[],
): AsyncGenerator<string> {
  yield CSV_START + csvLine(HEADINGS);
  for (let from = 0; from < ids.length; from += PAGE) {
    let text = '';
    for (const event of await views(db, actor, ids.slice(from, from + PAGE), known)) {
      const { at, what, did, who, about, ip, client, browser } = event;
      const clientName = client?.name ?? '';
      text += csvLine([
        at,
        what,
        did,
        who,
        about,
        remaining(event),
        ip,
        clientName,
        browser,
        clockInIndia(at),
      ]);
    }
    yield text;
  }
}

/** What answers the filters as a table, made while it is read. */
export async function historyCsv(db: Knex, actor: FirmViewer, filters: AuditFilters): Promise<Readable> {
  const known = await knownTo(db, actor);
  return Readable.from(lines(db, actor, known, await found(db, actor, filters)), { objectMode: false });
}

/** All of it, with its size in bytes. It is made anew each time it is opened. */
export async function sizedHistoryCsv(
  db: Knex,
  actor: FirmViewer,
): Promise<{ size: number; open: () => Readable }> {
  const known = await knownTo(db, actor);
  const ids = await found(db, actor, {});
  let size = 0;
  for await (const text of lines(db, actor, known, ids)) size += Buffer.byteLength(text);
  const open = () => Readable.from(lines(db, actor, known, ids), { objectMode: false });
  return { size, open };
}
