import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import { CSV_START, csvLine } from '#server/http/csv.ts';
import { concerning, remaining } from './subjects.ts';
import type { AuditPage, AuditQuery, AuditView } from './contract.ts';
import { auditWords } from './contract.ts';
import type { Detail, Names } from './names.ts';
import { learn, noNames } from './names.ts';
import type { FirmSeer } from '#server/visibility/visible.ts';
import { isVisibleEntry, only } from '#server/visibility/visible.ts';

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

interface Known extends Names {
  users: Map<number, string>;
}

async function knownTo(db: Knex, firmId: number): Promise<Known> {
  const rows: { id: number; name: string }[] = await db('users')
    .where({ firm_id: firmId })
    .select('id', 'name');
  return { ...noNames(), users: new Map(rows.map(({ id, name }) => [id, name])) };
}

export async function page(
  db: Knex,
  actor: FirmSeer,
  { before, limit = 50 }: AuditQuery,
): Promise<AuditPage> {
  const { firmId } = actor;
  const known = await knownTo(db, firmId);
  const rows: Row[] = await only(db('audit_events').where({ firm_id: firmId }), isVisibleEntry(actor))
    .modify((query) => before !== undefined && query.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .select(COLUMNS);
  const shown = await views(db, firmId, rows.slice(0, limit), known);
  return { data: shown, next: rows.length > limit ? shown.at(-1)!.id : null };
}

async function views(db: Knex, firmId: number, rows: readonly Row[], known: Known): Promise<AuditView[]> {
  const noted = rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Detail }));
  await learn(db, firmId, noted, known);
  return noted.map(({ user_id, ...row }) => {
    // A preview is served by the same link as a download, and noted as one.
    const viewed = row.did === 'document.download' && row.detail['inline'] === true;
    const who = user_id === null ? null : (known.users.get(user_id) ?? null);
    return { ...row, what: viewed ? 'Viewed' : auditWords(row.did), who, about: concerning(row, known) };
  });
}

const HEADINGS = ['Time (UTC)', 'What', 'Event', 'Who', 'Concerning', 'Details', 'Address'];

/** Rows are only ever added and a name once known stays, so up to a given row the text is the same each time. */
async function* lines(db: Knex, actor: FirmSeer, known: Known, last: number): AsyncGenerator<string> {
  yield CSV_START + csvLine(HEADINGS);
  for (let after = 0; ;) {
    const rows: Row[] = await only(db('audit_events').where({ firm_id: actor.firmId }), isVisibleEntry(actor))
      .where('id', '>', after)
      .where('id', '<=', last)
      .orderBy('id')
      .limit(PAGE)
      .select(COLUMNS);
    if (rows.length === 0) return;
    let text = '';
    for (const event of await views(db, actor.firmId, rows, known)) {
      const { at, what, did, who, about, ip } = event;
      text += csvLine([at, what, did, who, about, remaining(event), ip]);
    }
    yield text;
    after = rows.at(-1)!.id;
  }
}

export async function historyCsv(db: Knex, actor: FirmSeer): Promise<{ size: number; open: () => Readable }> {
  const { firmId } = actor;
  const known = await knownTo(db, firmId);
  const newest = await db('audit_events').where({ firm_id: firmId }).max({ id: 'id' }).first();
  const last = Number(newest?.id ?? 0);
  let size = 0;
  for await (const text of lines(db, actor, known, last)) size += Buffer.byteLength(text);
  const open = () => Readable.from(lines(db, actor, known, last), { objectMode: false });
  return { size, open };
}
