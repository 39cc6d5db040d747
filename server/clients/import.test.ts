import { crc32, deflateRawSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../auth/contract.ts';
import { refused } from '../testing/refused.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { readDay } from './columns.ts';
import { readTable } from './table.ts';

const test = suite<World & { actor: Actor }>('importing clients');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.actor = await world.build.actor();
});
test.after.each((world) => world.close());

const LIST = [
  'Client Name,Mobile No,E-Mail ID,PAN No.,GST No,Date of Birth,City,Colour',
  'Meera Iyer,98400 54321,Meera@Example.in,aaapz0000a,,31/03/1980,Chennai,red',
  '"Rao, Sons & Co",,accounts@rao.example.in,AAAFZ0000B,,1-Apr-2001,Pune,',
].join('\r\n');
const whole = { create: 2, update: 0, same: 0, error: 0 };

test('a list from Excel is understood without a word', async ({ services: { clients }, actor }) => {
  const bytes = Buffer.from(LIST);
  const preview = await clients.import.preview(actor, bytes, null);
  const fields = ['name', 'phone', 'email', 'pan', 'gstin', 'born_on', 'city', null];
  assert.equal(
    preview.columns.map(({ field }) => field),
    fields,
  );
  assert.equal(preview.counts, whole);
  assert.equal(
    await clients.import.run(
      actor,
      bytes,
      preview.columns.map(({ field }) => field),
    ),
    { created: 2, updated: 0, unchanged: 0, left_out: 0 },
  );
  const [meera, rao] = (await clients.list(actor)).data;
  assert.equal(
    [meera?.pan, meera?.email, meera?.born_on, meera?.client_type],
    ['AAAPZ0000A', 'meera@example.in', '1980-03-31', 'Individual'],
  );
  assert.equal([rao?.name, rao?.born_on, rao?.client_type], ['Rao, Sons & Co', '2001-04-01', 'Company']);
  assert.equal(await clients.recount(), []);
  assert.is((await clients.list(actor, { search: 'aaafz' })).data.length, 1);
});

test('the same list again changes nothing, and a richer one updates instead of doubling', async ({
  services: { clients },
  actor,
  build,
}) => {
  const run = async (text: string) => {
    const bytes = Buffer.from(text);
    const { columns } = await clients.import.preview(actor, bytes, null);
    return clients.import.run(
      actor,
      bytes,
      columns.map(({ field }) => field),
    );
  };
  await run(LIST);
  assert.equal(await run(LIST), { created: 0, updated: 0, unchanged: 2, left_out: 0 });
  await build.file(actor, { client_id: (await clients.list(actor)).data[0]!.id });
  assert.equal(await run('Name,PAN,GSTIN\nMeera Iyer,AAAPZ0000A,27AAAPZ0000Q1ZL\n'), {
    created: 0,
    updated: 1,
    unchanged: 0,
    left_out: 0,
  });
  const [meera] = (await clients.list(actor)).data;
  assert.equal([meera?.gstin, meera?.city, meera?.version], ['27AAAPZ0000Q1ZL', 'Chennai', 2]);
  assert.equal(await clients.tied(actor, meera!.id), { files: 1, folders: 0 });
  assert.is((await clients.totals(actor.firmId)).total, 2);
});

test('every row tells what is wrong with it, and one wrong row means that none is imported', async ({
  services: { clients },
  actor,
}) => {
  const bytes = Buffer.from(
    'Name,PAN,GSTIN,Type\nGood,AAAPZ0000A,,\n,AAAFZ0000B,,\nBad,AAADZ0000A,27AAAPZ0000Q1ZM,Alien\nTwin,AAAPZ0000A,,\n',
  );
  const { rows, counts } = await clients.import.preview(actor, bytes, null);
  assert.equal(counts, { create: 1, update: 0, same: 0, error: 3 });
  assert.equal(
    rows.map(({ line, errors }) => [line, Object.keys(errors).toSorted().join()]),
    [
      [2, ''],
      [3, 'name'],
      [4, 'client_type,gstin,pan'],
      [5, 'pan'],
    ],
  );
  const error = await refused(clients.import.run(actor, bytes, ['name', 'pan', 'gstin', 'client_type']), 422);
  assert.match(error.message, 'Nothing was imported: 3 of 4 rows are wrong. Line 3');
  assert.is((await clients.totals(actor.firmId)).total, 0);
});

const cellsOf = async (bytes: Buffer) => (await readTable(bytes)).rows.map(({ cells }) => cells);
const utf16 = (text: string, mark: boolean, big: boolean) => {
  const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const SHORT = 'Name;City\nसीता शर्मा;पुणे\n"Rao; Sons";Pune\n';

test('UTF-16, semicolons, tabs and old code pages are read as they were meant', async () => {
  const rows = [
    ['Name', 'City'],
    ['सीता शर्मा', 'पुणे'],
    ['Rao; Sons', 'Pune'],
  ];
  for (const bytes of [
    Buffer.from(SHORT),
    Buffer.from('\uFEFF' + SHORT),
    utf16(SHORT, true, false),
    utf16(SHORT, true, true),
  ])
    assert.equal(await cellsOf(bytes), rows);
  assert.equal(await cellsOf(utf16('Name\tCity\nRao\tPune\n', false, false)), [
    ['Name', 'City'],
    ['Rao', 'Pune'],
  ]);
  assert.equal(await cellsOf(Buffer.from('Name,City\nJos\xe9,Panaji\n', 'latin1')), [
    ['Name', 'City'],
    ['José', 'Panaji'],
  ]);
});

test('a stray quote within a cell is a character; one that never closes is told with its line', async () => {
  assert.equal(await cellsOf(Buffer.from('Name,City\n5" Pipes,Pune\n')), [
    ['Name', 'City'],
    ['5" Pipes', 'Pune'],
  ]);
  const error = await refused(readTable(Buffer.from('Name,City\n"Rao,Pune\nIyer,Chennai\n')), 422);
  assert.match(error.message, 'quotation mark');
});

test('a picture, a program or an old workbook is told for what it is not', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(300, 7)]);
  for (const bytes of [png, jpeg, Buffer.from('MZ\x90\x00\x03\x00\x00'), Buffer.alloc(5000)])
    assert.match((await refused(readTable(bytes), 422)).message, 'not a CSV or Excel file');
  assert.match(
    (await refused(readTable(Buffer.from('d0cf11e0a1b11ae1', 'hex')), 422)).message,
    'old (.xls) or a protected',
  );
  assert.match((await refused(readTable(zip({ 'content.xml': 'of LibreOffice' })), 422)).message, 'Workbook');
  const broken = Buffer.from('PK\x03\x04 xl/workbook.xml');
  assert.match((await refused(readTable(broken), 422)).message, 'could not be read');
  assert.match((await refused(readTable(Buffer.alloc(0)), 422)).message, 'empty');
});

test('more rows than an import takes are refused without reading them all', async () => {
  const error = await refused(readTable(Buffer.from('Name\n' + 'Somebody\n'.repeat(100_000))), 422);
  assert.match(error.message, 'more than 5,000 rows');
});

/** A ZIP of deflated parts, as small as a workbook can be. */
function zip(parts: Record<string, string | Buffer>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const plain = Buffer.from(content);
    const packed = deflateRawSync(plain);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(plain), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(plain.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, tail, Buffer.from(name)]));
    bodies.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  const count = directory.length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...bodies, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const PLAIN = '<?xml version="1.0"?>';
const SHEETS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** A workbook of sheets: names to rows, as XML. */
function workbook(sheets: Record<string, string>): Buffer {
  const names = Object.keys(sheets);
  const each = (line: (name: string, number: number) => string) =>
    names.map((name, at) => line(name, at + 1)).join('');
  return zip({
    '[Content_Types].xml': `${PLAIN}<Types xmlns="${PACKAGE}/content-types"/>`,
    'xl/workbook.xml': `${PLAIN}<workbook ${SHEETS} xmlns:r="${OFFICE}"><sheets>${each((name, at) => `<sheet name="${name}" sheetId="${at}" r:id="rId${at}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${PLAIN}<Relationships xmlns="${PACKAGE}/relationships">${each((_, at) => `<Relationship Id="rId${at}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at}.xml"/>`)}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${PLAIN}<worksheet ${SHEETS}><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
  });
}
const inline = (ref: string, text: string) => `<c r="${ref}" t="inlineStr"><is><t>${text}</t></is></c>`;
const line = (row: number, ...texts: string[]) =>
  `<row r="${row}">${texts.map((text, at) => (text ? inline(`${'ABCDEFG'[at]}${row}`, text) : '')).join('')}</row>`;

test('a workbook of Excel is read, numbers and dates and all', async () => {
  const date = (ref: string, day: string) => `<c r="${ref}" t="d"><v>${day}T00:00:00Z</v></c>`;
  const rows =
    line(1, 'Name', 'Phone', 'DOB') +
    `<row r="2">${inline('A2', 'Meera Iyer')}<c r="B2"><v>9840054321</v></c>${date('C2', '1980-03-31')}</row>` +
    `<row r="3">${inline('A3', 'Rao')}<c r="B3"><v>9.19840054322E11</v></c>${date('C3', '1899-12-30')}</row>`;
  assert.equal(await cellsOf(workbook({ Clients: rows })), [
    ['Name', 'Phone', 'DOB'],
    ['Meera Iyer', '9840054321', '1980-03-31'],
    ['Rao', '919840054322', ''],
  ]);
});

test('a workbook that would unpack to gigabytes is refused', async () => {
  const bomb = workbook({ Clients: `<row r="1">${inline('A1', 'x'.repeat(60 * 1024 * 1024))}</row>` });
  assert.ok(bomb.length < 1_000_000);
  assert.match((await refused(readTable(bomb), 422)).message, 'could not be read');
});

test('a list as offices keep it is understood: a title, gaps, a total, words for nothing, numbers as people write them', async ({
  services: { clients },
  actor,
}) => {
  const bytes = workbook({
    Notes: line(1, 'Written by Kavita', 'for the office'),
    'Client master': [
      line(2, 'RAO & ASSOCIATES, CHARTERED ACCOUNTANTS'),
      line(3, 'Client list as on 31-03-2026'),
      line(5, 'Sr. No.', 'Party Name', 'GST No', 'Mobile', 'DOB', 'PAN No.', 'Status'),
      line(6, '1', 'Meera Iyer', 'N.A.', '+91 98400-54321', '31-Mar-99', 'aaapz 0000 a', 'Active'),
      line(8, '2', 'Rao &amp; Sons', '29AAACZ0000A1Z5', '098400 11111', '31/03/1999', '-', 'Closed'),
      line(9, 'Sr. No.', 'Party Name', 'GST No', 'Mobile', 'DOB', 'PAN No.', 'Status'),
      line(10, '3', 'Total Solutions', 'Unregistered', '044-2345678', 'NA', 'Applied for', ''),
      line(11, '4'),
      line(12, '', 'Grand Total', '3'),
    ].join(''),
  });
  const preview = await clients.import.preview(actor, bytes, null);
  assert.equal([preview.sheet, preview.sheets], ['Client master', ['Notes', 'Client master']]);
  assert.equal(preview.counts, { create: 3, update: 0, same: 0, error: 0 });
  assert.equal(
    preview.rows.map((row) => row.line),
    [6, 8, 10],
  );
  assert.equal(preview.aside, [2, 3, 9, 11, 12]);
  await clients.import.run(
    actor,
    bytes,
    preview.columns.map(({ field }) => field),
  );
  const rows = (await clients.list(actor)).data;
  assert.equal(
    rows.map(({ name, phone, born_on, pan, gstin, client_type, status }) =>
      [name, phone, born_on, pan, gstin, client_type, status].join(' '),
    ),
    [
      'Meera Iyer 9840054321 1999-03-31 AAAPZ0000A  Individual Active',
      'Rao & Sons 9840011111 1999-03-31 AAACZ0000A 29AAACZ0000A1Z5 Company Inactive',
      'Total Solutions 044-2345678    Individual Active',
    ],
  );
});

test('of several sheets the one that is named is read', async () => {
  const bytes = workbook({
    People: line(1, 'Name', 'PAN') + line(2, 'Meera Iyer'),
    Firms: line(1, 'Name') + line(2, 'Rao'),
  });
  assert.is((await readTable(bytes)).sheet, 'People');
  assert.equal((await readTable(bytes, 'Firms')).rows[1], { line: 2, cells: ['Rao'] });
  assert.is((await readTable(bytes, 'Nowhere')).sheet, 'People');
});

test('rows that are wrong are left out by choice only, and the others come in', async ({
  services: { clients },
  actor,
}) => {
  const bytes = Buffer.from('Name,PAN\nGood,AAAPZ0000A\nBad,AAADZ\nTwin,AAAPZ0000A\n');
  const done = await clients.import.run(actor, bytes, ['name', 'pan'], { leave_out: true });
  assert.equal(done, { created: 1, updated: 0, unchanged: 0, left_out: 2 });
  assert.is((await clients.totals(actor.firmId)).total, 1);
});

test('of two imports at once the later is told, and no client is there twice', async ({
  services: { clients },
  actor,
  db,
}) => {
  const bytes = Buffer.from('Name,PAN\nGood,AAAPZ0000A\nBetter,AAAFZ0000B\n');
  const run = () => clients.import.run(actor, bytes, ['name', 'pan']);
  const busy = await db.transaction();
  const both = Promise.allSettled([run(), run()]);
  // Until both have read their file and wait for the database, so that both plan before one of them writes.
  while (db.client.pool.numPendingAcquires() < 2) await new Promise(setImmediate);
  await busy.rollback();
  const ends = await both;
  assert.equal(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.is(ends.find((end) => end.status === 'rejected')?.reason.code, 'clients_changed');
  assert.is((await clients.totals(actor.firmId)).total, 2);
  assert.equal(await run(), { created: 0, updated: 0, unchanged: 2, left_out: 0 });
});

test('an import is refused when any client was made, changed or deleted since its preview', async ({
  services: { clients },
  actor,
  build,
}) => {
  const bytes = Buffer.from('Name,PAN\nMeera Iyer,AAAPZ0000A\n');
  const other = await build.client(actor, 'Rao');
  const [first, last] = [await build.client(actor, 'x'), await build.client(actor, 'y')];
  const changes = [
    () => build.client(actor, 'Meera', { pan: 'AAAPZ0000A' }),
    () => clients.update(actor, other, { pan: 'AAAPZ0000A' }),
    () => clients.remove(actor, first),
    () => clients.remove(actor, last),
  ];
  for (const change of changes) {
    const { as_of } = await clients.import.preview(actor, bytes, null);
    await change();
    const error = await refused(clients.import.run(actor, bytes, ['name', 'pan'], { as_of }), 409);
    assert.is(error.code, 'clients_changed');
  }
  assert.equal((await clients.list(actor, { search: 'meera iyer' })).data, []);
});

test('a web page that calls itself a workbook is told for what it is', async () => {
  for (const text of ['<html><table><tr><td>Name</td></tr></table>', '\n<?xml version="1.0"?><Workbook/>'])
    assert.match((await refused(readTable(Buffer.from(text)), 422)).message, 'web page and not a workbook');
});

test('a row that is wrong tells what stands in it, and what a formula leaves of nothing is nothing', async ({
  services: { clients },
  actor,
}) => {
  const rows = [
    'Name,Phone,DOB,Email,City',
    'Short,9.19841E+11,3/31/1980,x@,',
    'Empty,0,0,#N/A,#REF!',
    '0,0,0,0,0',
    '#N/A,9840011111,,,',
  ];
  const preview = await clients.import.preview(actor, Buffer.from(rows.join('\n')), null);
  assert.equal(preview.aside, [4]);
  const [short, empty, nameless] = preview.rows.map(({ errors }) => Object.values(errors).flat());
  assert.equal(short?.toSorted(), [
    'Give the date as year-month-day ("3/31/1980")',
    'Invalid email ("x@")',
    'The spreadsheet has shortened this number. Choose the Excel file itself instead of the CSV ("9.19841E+11")',
  ]);
  assert.equal(empty, []);
  assert.equal(nameless, ['Name is required']);
});

test('dates are read day first', () => {
  for (const text of ['31/03/1980', '31-3-1980', '31.03.1980', '31-Mar-1980', '31 March 1980', '1980-03-31'])
    assert.is(readDay(text), '1980-03-31', text);
  for (const text of ['31/03/99', '31-Mar-99', '31st March 1999', '31/03/1999 00:00:00', '36250'])
    assert.is(readDay(text), '1999-03-31', text);
  assert.is(readDay('1-4-15'), '2015-04-01', 'as Excel takes it');
  for (const text of ['03/80', '3/31/80', '31-Foo-80']) assert.is(readDay(text), text);
});

test('what is exported can be opened without running anything, and imported again', async ({
  services: { clients },
  actor,
  build,
}) => {
  await build.client(actor, '=HYPERLINK("http://x","y")', {
    phone: '+91 98400 54321',
    notes: 'two\nlines, "quoted"',
    email: 'a@example.in',
  });
  const { csv, name } = await clients.export(actor, {});
  assert.is(name, 'clients-2026-11-20.csv');
  assert.ok(csv.startsWith('\uFEFFName,'));
  assert.match(csv, `"'=HYPERLINK(""http://x"",""y"")"`);
  for (const line of csv.slice(1).split('\r\n')) assert.not.match(line, /(?:^|,)"?[=+@-]/);
  const { columns, counts } = await clients.import.preview(actor, Buffer.from(csv), null);
  assert.ok(
    columns.every(({ field }) => field !== null),
    'every column is known again',
  );
  assert.equal(counts, { create: 0, update: 0, same: 1, error: 0 });
});

test.run();
