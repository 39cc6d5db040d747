import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { guessFields, parseCell, parseDate } from './import-columns.ts';
import { line, workbook } from '../sheets/testing/workbook.ts';
import { untilWritersWait } from '#server/testing/writers-wait.ts';

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

test('the columns of a CSV list are recognised by their headings, and its clients are imported', async ({
  services: { clients },
  actor,
}) => {
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
  assert.equal([rao?.name, rao?.born_on, rao?.client_type], ['Rao, Sons & Co', '2001-04-01', 'Firm']);
  assert.equal(await clients.recount(), []);
  assert.is((await clients.list(actor, { search: 'aaafz' })).data.length, 1);
});

test('importing the same list again changes nothing, and a list with more fields updates clients instead of duplicating them', async ({
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
  const noted = 'Name,Email,Notes\nMeera,meera@example.in,UID 9999 4105 7058\n';
  assert.is((await run(noted)).updated, 1);
  assert.is((await run(noted)).unchanged, 1, 'though the number is masked');
  await build.file(actor, { client_id: (await clients.list(actor)).data[0]!.id });
  assert.equal(await run('Name,PAN,GSTIN\nMeera Iyer,AAAPZ0000A,27AAAPZ0000Q1ZL\n'), {
    created: 0,
    updated: 1,
    unchanged: 0,
    left_out: 0,
  });
  const [meera] = (await clients.list(actor)).data;
  assert.equal([meera?.gstin, meera?.city, meera?.version], ['27AAAPZ0000Q1ZL', 'Chennai', 3]);
  assert.is((await clients.tied(actor, meera!.id)).files, 1);
  assert.is((await clients.totals(actor)).total, 2);
});

test('the preview reports the errors of each row, and with one invalid row nothing is imported', async ({
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
  const error = await rejects(clients.import.run(actor, bytes, ['name', 'pan', 'gstin', 'client_type']), 422);
  assert.match(error.message, 'Nothing was imported: 3 of 4 rows are wrong. Line 3');
  assert.is((await clients.totals(actor)).total, 0);
});

test('a workbook with titles, empty rows, repeated headings, a total, placeholders and formatted numbers is imported', async ({
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

test('a Status column with values such as HUF or Firm is recognised as the client type', async ({
  services: { clients },
  actor,
}) => {
  const preview = await clients.import.preview(
    actor,
    Buffer.from('Name of Assessee,Status\nMeera Iyer,HUF\nRao & Sons,Firm\n'),
    null,
  );
  assert.equal(
    preview.columns.map(({ field }) => field),
    ['name', 'client_type'],
  );
  assert.is(preview.counts.error, 0);
});

test('columns without content are not offered for mapping, and columns after the 200th are left out', async ({
  services: { clients },
  actor,
}) => {
  const some = Buffer.from('Name,,City,,\nRao,,,,\n');
  assert.is((await clients.import.preview(actor, some, null)).columns.length, 3);
  const wide = Buffer.from(`Name${',x'.repeat(300)}\nRao\n`);
  const { columns } = await clients.import.preview(actor, wide, null);
  assert.is(columns.length, 200);
});

test('invalid rows are left out only on request, and the others are imported', async ({
  services: { clients },
  actor,
}) => {
  const bytes = Buffer.from('Name,PAN\nGood,AAAPZ0000A\nBad,AAADZ\nTwin,AAAPZ0000A\n');
  const done = await clients.import.run(actor, bytes, ['name', 'pan'], { leave_out: true });
  assert.equal(done, { created: 1, updated: 0, unchanged: 0, left_out: 2 });
  assert.is((await clients.totals(actor)).total, 1);
});

test('of two simultaneous imports one is refused with clients_changed, and no client is duplicated', async ({
  services: { clients },
  actor,
  db,
}) => {
  const bytes = Buffer.from('Name,PAN\nGood,AAAPZ0000A\nBetter,AAAFZ0000B\n');
  const run = () => clients.import.run(actor, bytes, ['name', 'pan']);
  const busy = await db.transaction();
  const both = Promise.allSettled([run(), run()]);
  // Waits until both have read their file and wait for the database, so that both plan before one of them writes.
  await untilWritersWait(db, 2);
  await busy.rollback();
  const ends = await both;
  assert.equal(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.is(ends.find((end) => end.status === 'rejected')?.reason.code, 'clients_changed');
  assert.is((await clients.totals(actor)).total, 2);
  assert.equal(await run(), { created: 0, updated: 0, unchanged: 2, left_out: 0 });
});

test('an import is refused when any client was created, changed or deleted since its preview', async ({
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
    const error = await rejects(clients.import.run(actor, bytes, ['name', 'pan'], { as_of }), 409);
    assert.is(error.code, 'clients_changed');
  }
  assert.equal((await clients.list(actor, { search: 'meera iyer' })).data, []);
});

test('errors of a row quote the invalid values, and 0 and formula errors such as #N/A count as empty', async ({
  services: { clients },
  actor,
}) => {
  const rows = [
    'Name,Phone,DOB,Email,City',
    'Short,9.19841E+11,3/31/1980,x@,',
    'Leap,,31/02/1980,,',
    'Empty,0,0,#N/A,#REF!',
    '0,0,0,0,0',
    '#N/A,9840011111,,,',
  ];
  const preview = await clients.import.preview(actor, Buffer.from(rows.join('\n')), null);
  assert.equal(preview.aside, [5]);
  const [short, leap, empty, nameless] = preview.rows.map(({ errors }) => Object.values(errors).flat());
  assert.equal(short?.toSorted(), [
    'Give the date as year-month-day ("3/31/1980")',
    'Invalid email ("x@")',
    'The spreadsheet has shortened this number. Choose the Excel file itself instead of the CSV ("9.19841E+11")',
  ]);
  assert.equal(leap, ['There is no 31/02/1980']);
  assert.equal(empty, []);
  assert.equal(nameless, ['Name is required']);
});

test('column headings are recognised in the wording of offices and tax portals', () => {
  const headings = {
    name: 'Name of the Assessee|NAME OF ASSESSEE|Assessee|Trade Name|Name of Client|Legal Name of Business|Party Name',
    pan: 'Permanent Account Number|P.A.N.|PAN No.|PAN of the Assessee|Permanent Account Number (PAN)',
    city: 'City/Town|Station|Town / City|Place',
    born_on: 'D.O.B|D.O.B.|Date of Incorporation|DOB/DOI|Date of Birth / Incorporation|Date of Formation',
    phone: 'Mobile No.|Mobile Number|Contact No|WhatsApp No.|Registered Mobile Number|Ph. No.',
    email: 'E-mail ID|Email Id|E Mail|Mail ID|Registered Email ID',
    gstin: 'G.S.T.I.N|GST Registration No.|GSTIN/UIN|GST Number',
    group_name: 'Group|Family Group|Group Name',
    client_type: 'Constitution of Business|Type of Assessee|Status of the Assessee',
    tan: 'TAN No.|T.A.N.',
    cin: 'CIN/LLPIN|Corporate Identity Number',
    address: 'Address for Correspondence|Registered Office Address|Full Address',
  };
  for (const [field, all] of Object.entries(headings))
    for (const heading of all.split('|')) assert.equal(guessFields([heading]), [field], heading);
  assert.equal(guessFields(['Sr. No.', 'File No.', "Father's Name", 'ITR Password', 'Number']), [
    null,
    null,
    null,
    null,
    null,
  ]);
});

test('client types are recognised in the spellings of offices', () => {
  const types = {
    Individual: 'Individual|Prop.|Proprietorship|sole proprietor|P|Salaried',
    HUF: 'H.U.F.|huf|Hindu Undivided Family',
    Firm: 'Firm|Partnership Firm|partnership|F',
    LLP: 'LLP|Limited Liability Partnership|L.L.P.',
    Company:
      'Pvt Ltd Co.|Company|Private Limited|Pvt. Ltd.|Public Ltd Company|Public Limited Company|Pvt Co|Ltd|OPC|One Person Company|Limited Company|Corporate|OPC Pvt Ltd|Section 8 Company|C',
    Trust: 'Trust|Charitable Trust|T',
    'AOP/BOI': 'AOP|BOI|AOP / BOI|Association of Persons|A.O.P.',
    Society: 'Society|Co-op. Society|Co-operative Housing Society|NGO',
    Government: 'Govt.|Government Dept|Local Authority',
  };
  for (const [type, all] of Object.entries(types))
    for (const text of all.split('|')) assert.is(parseCell('client_type', text), type, text);
  for (const text of ['Hindi', 'हिंदी', 'HI']) assert.is(parseCell('language', text), 'hi', text);
  for (const text of ['Alien', 'A', 'Active', 'Trusted', 'Firmware'])
    assert.is(parseCell('client_type', text), text);
});

test('the client type of a row without one is derived from its PAN, LLPIN or a name that ends in LLP', async ({
  services: { clients },
  actor,
}) => {
  const text =
    'Name,PAN,CIN\nA,AAAPZ0000A,\nB,AAAHZ0000B,\nC,AAAFZ0000C,AAA-0000\nD,AAAFZ0000D,\nE,AAATZ0000E,\nF,AAACZ0000F,\nG,,AAB-0000\nH,,\nI LLP,AAAFZ0000I,\nJ Limited Liability Partnership,AAAFZ0000J,\nK L.L.P.,AAAFZ0000K,\nL LLP & Sons,AAAFZ0000L,\n';
  await clients.import.run(actor, Buffer.from(text), ['name', 'pan', 'cin']);
  const { data, totals } = await clients.list(actor);
  assert.equal(
    data.map(({ client_type }) => client_type),
    [
      'Individual',
      'HUF',
      'LLP',
      'Firm',
      'Trust',
      'Company',
      'LLP',
      'Individual',
      'LLP',
      'LLP',
      'LLP',
      'Firm',
    ],
  );
  assert.equal(totals, { total: 12, active: 12, companies: 1 });
  assert.equal(await clients.recount(), []);
});

test('dates in imports are read with the day first', () => {
  for (const text of ['31/03/1980', '31-3-1980', '31.03.1980', '31-Mar-1980', '31 March 1980', '1980-03-31'])
    assert.is(parseDate(text), '1980-03-31', text);
  for (const text of ['31/03/99', '31-Mar-99', '31st March 1999', '31/03/1999 00:00:00', '36250'])
    assert.is(parseDate(text), '1999-03-31', text);
  assert.is(parseDate('1-4-15'), '2015-04-01', 'as Excel takes it');
  for (const text of ['03/80', '3/31/80', '31-Foo-80']) assert.is(parseDate(text), text);
});

test('an exported list contains no formulas, and can be imported again without changes', async ({
  services: { clients },
  actor,
  build,
}) => {
  await build.client(actor, '=HYPERLINK("http://x","y")', {
    phone: '+91 98400 54321',
    language: 'hi',
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
