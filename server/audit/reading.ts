import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { CSV_START, csvLine } from '#server/http/csv.ts';
import type { AuditPage, AuditQuery, AuditView } from './contract.ts';
import { auditWords } from './contract.ts';

interface Row {
  id: number;
  user_id: number | null;
  did: string;
  subject: string | null;
  detail: string;
  ip: string | null;
  at: string;
}

const COLUMNS = ['id', 'user_id', 'did', 'subject', 'detail', 'ip', 'at'];
const PAGE = 1000;

async function namesOf(db: Knex, firmId: number): Promise<Map<number, string>> {
  const rows: { id: number; name: string }[] = await db('users')
    .where({ firm_id: firmId })
    .select('id', 'name');
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function page(db: Knex, firmId: number, { before, limit = 50 }: AuditQuery): Promise<AuditPage> {
  const names = await namesOf(db, firmId);
  const rows: Row[] = await db('audit_events')
    .where({ firm_id: firmId })
    .modify((query) => before !== undefined && query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .select(COLUMNS);
  const shown = rows.slice(0, limit);
  return { data: shown.map((row) => view(row, names)), next: rows.length > limit ? shown.at(-1)!.id : null };
}

function view({ user_id, detail: noted, ...row }: Row, names: Map<number, string>): AuditView {
  const detail = JSON.parse(noted) as Record<string, unknown>;
  // A preview is served by the same link as a download, and noted as one.
  const viewed = row.did === 'document.download' && detail['inline'] === true;
  const who = user_id === null ? null : (names.get(user_id) ?? null);
  return { ...row, what: viewed ? 'Viewed' : auditWords(row.did), who, detail };
}

const HEADINGS = ['Time (UTC)', 'What', 'Event', 'Who', 'Concerning', 'Details', 'Address'];

/** Rows are only ever added, so up to a given one the text is the same however often it is made. */
async function* lines(
  db: Knex,
  firmId: number,
  names: Map<number, string>,
  last: number,
): AsyncGenerator<string> {
  yield CSV_START + csvLine(HEADINGS);
  for (let after = 0; ;) {
    const rows: Row[] = await db('audit_events')
      .where({ firm_id: firmId })
      .where('id', '>', after)
      .where('id', '<=', last)
      .orderBy('id')
      .limit(PAGE)
      .select(COLUMNS);
    if (rows.length === 0) return;
    let text = '';
    for (const row of rows) {
      const { at, what, did, who, subject, ip } = view(row, names);
      text += csvLine([at, what, did, who, subject, row.detail === '{}' ? '' : row.detail, ip]);
    }
    yield text;
    after = rows.at(-1)!.id;
  }
}

export async function historyCsv(db: Knex, firmId: number): Promise<{ size: number; open: () => Readable }> {
  const names = await namesOf(db, firmId);
  const newest = await db('audit_events').where({ firm_id: firmId }).max({ id: 'id' }).first();
  const last = Number(newest?.id ?? 0);
  let size = 0;
  for await (const text of lines(db, firmId, names, last)) size += Buffer.byteLength(text);
  const open = () => Readable.from(lines(db, firmId, names, last), { objectMode: false });
  return { size, open };
}
