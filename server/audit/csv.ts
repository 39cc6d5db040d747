import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { CSV_START, csvLine } from '#server/text/csv.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import type { AuditFilters } from './contract.ts';
import { findEntries } from './find.ts';
import type { LoadedNames } from './read.ts';
import { loadUserNames, views } from './read.ts';
import { otherDetails } from './subjects.ts';
import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';

const PAGE = 1000;
/** Ids per query. */
const IDS_PAGE = 10_000;
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

/** `2026-11-20 15:30:00`, which spreadsheets recognise as a time. */
const timeInIndia = (iso: string): string =>
  new Date(Date.parse(iso) + IST_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');

/** The ids of all entries that match the filters, oldest first. */
async function allIds(db: Knex, actor: FirmViewer, filters: AuditFilters): Promise<number[]> {
  const ids: number[] = [];
  for (let before: number | undefined; ;) {
    const page = await findEntries(db, actor, { ...filters, before, limit: IDS_PAGE });
    ids.push(...page);
    if (page.length < IDS_PAGE) return ids.toReversed();
    before = page.at(-1);
  }
}

/** The lines of these entries: the same each time, since entries never change and loaded names are kept. */
async function* lines(
  db: Knex,
  actor: FirmViewer,
  names: LoadedNames,
  ids: readonly number[],
): AsyncGenerator<string> {
  yield CSV_START + csvLine(HEADINGS);
  for (let from = 0; from < ids.length; from += PAGE) {
    let text = '';
    for (const event of await views(db, actor, ids.slice(from, from + PAGE), names)) {
      const { at, what, did, who, about, ip, client, browser } = event;
      const clientName = client?.name ?? '';
      text += csvLine([
        at,
        what,
        did,
        who,
        about,
        otherDetails(event),
        ip,
        clientName,
        browser,
        timeInIndia(at),
      ]);
    }
    yield text;
  }
}

/** The entries that match the filters as CSV, generated while it is read. */
export async function historyCsv(db: Knex, actor: FirmViewer, filters: AuditFilters): Promise<Readable> {
  const names = await loadUserNames(db, actor);
  return Readable.from(lines(db, actor, names, await allIds(db, actor, filters)), { objectMode: false });
}

/** All entries as CSV, with its size in bytes; generated again each time it is opened. */
export async function sizedHistoryCsv(
  db: Knex,
  actor: FirmViewer,
): Promise<{ size: number; open: () => Readable }> {
  const names = await loadUserNames(db, actor);
  const ids = await allIds(db, actor, {});
  let size = 0;
  for await (const text of lines(db, actor, names, ids)) size += Buffer.byteLength(text);
  const open = () => Readable.from(lines(db, actor, names, ids), { objectMode: false });
  return { size, open };
}
