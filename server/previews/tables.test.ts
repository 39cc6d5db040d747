import { constants, deflateRawSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FileView, SheetView } from './contract.ts';
import { workbook } from './testing/office.ts';
import type { Office } from './testing/viewing.ts';
import { NOT_SHOWN, opensOffices } from './testing/viewing.ts';

const test = suite<Office>('tables');
opensOffices(test);

const n = (text: string) => ({ n: text });
const cell = (ref: string, value: number | string, style = 0) =>
  `<c r="${ref}" s="${style}"><v>${value}</v></c>`;
const sheets = (view: FileView): SheetView[] => (view.kind === 'table' ? view.sheets : []);
const first = (view: FileView): SheetView => sheets(view)[0]!;

test('figures and dates of a workbook are shown in their formats, as Excel in India shows them', async ({
  shows,
}) => {
  const formats = [
    '#,##,##0.00',
    'dd-mm-yyyy',
    '"₹"\\ #,##,##0;[Red]"₹"\\ -#,##,##0',
    '0.00%',
    '[>=10000000]##\\,##\\,##\\,##0.00;[>=100000]##\\,##\\,##0.00;##,##0.00',
    '#,##0.00',
    '_(* #,##,##0.00_);_(* (#,##,##0.00);_(* "-"??_);_(@_)',
  ];
  const values: [number, number][] = [
    [12345678.9, 1],
    [46000, 2],
    [-1234567, 3],
    [0.125, 4],
    [12345678.9, 5],
    [1234567.5, 6],
    [-1234567.5, 7],
    [46000, 8],
    [100, 1],
    [7919.5, 5],
  ];
  const row = values.map(([value, style], index) => cell(`${'ABCDEFGHIJ'[index]}1`, value, style)).join('');
  const view = await shows('Ledger.xlsx', workbook({ Ledger: { rows: `<row r="1">${row}</row>` } }, formats));
  assert.equal(first(view).rows, [
    [
      n('1,23,45,678.90'),
      n('09-12-2025'),
      n('₹ -12,34,567'),
      n('12.50%'),
      n('1,23,45,678.90'),
      n('1,234,567.50'),
      n('(12,34,567.50)'),
      n('09-12-2025'),
      n('100.00'),
      n('7,919.50'),
    ],
  ]);
});

test('a formula shows its saved result, and nothing is computed', async ({ shows }) => {
  const rows =
    '<row r="1"><c r="A1" t="str"><f>HYPERLINK("http://evil.test","x")</f><v>=1+1</v></c><c r="B1"><f>1+1</f></c>' +
    '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1"><f>SUM(1,2)</f><v>3</v></c></row>';
  assert.equal(first(await shows('a.xlsm', workbook({ A: { rows } }))).rows, [
    ['=1+1', '', '#DIV/0!', n('3')],
  ]);
});

test('all sheets except hidden ones are shown, and empty rows keep their numbers', async ({ shows }) => {
  const row = '<row r="3"><c r="B3" t="inlineStr"><is><t>GSTIN</t></is></c></row>';
  const view = await shows(
    'a.xlsx',
    workbook({ Sales: { rows: row }, Secret: { rows: row, hidden: true }, Empty: { rows: '' } }),
  );
  assert.equal(sheets(view), [
    { name: 'Sales', rows: [[], [], ['', 'GSTIN']], total_rows: 3, total_columns: 2, number: 1 },
    { name: 'Empty', rows: [], total_rows: 0, total_columns: 0, number: 3 },
  ]);
});

test('the older and the open formats of tables are read as well', async ({ shows }) => {
  const { read, write } = await import('@e965/xlsx');
  const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>Party</t></is></c>${cell('B1', 5.5)}</row>`;
  const book = read(workbook({ Sheet1: { rows } }));
  for (const type of ['xls', 'xlsb', 'ods'] as const) {
    const content = write(book, { type: 'buffer', bookType: type }) as Buffer;
    assert.equal(first(await shows(`a.${type}`, content)).rows, [['Party', n('5.5')]], type);
  }
});

test('the format of a table is detected from its content, since banks use wrong extensions', async ({
  shows,
}) => {
  const page =
    '<html><body><table><tr><td>Date</td><td>Debit</td></tr><tr><td>01-02-2026</td><td>1,23,456.00</td></tr></table>';
  assert.equal(first(await shows('statement.xls', page)).rows, [
    ['Date', 'Debit'],
    ['01-02-2026', n('1,23,456.00')],
  ]);
  assert.equal(first(await shows('tabs.xls', 'Date\tDebit\n01-02-2026\t5.00\n')).rows[1], [
    '01-02-2026',
    n('5.00'),
  ]);
  const book = workbook({ A: { rows: `<row r="1">${cell('A1', 7)}</row>` } });
  assert.equal(first(await shows('book.csv', book)).rows, [[n('7')]]);
});

test('CSV is set out in columns, in the encodings and with the separators that programs in India write', async ({
  shows,
}) => {
  const quoted = 'Date,Narration,Amount\r\n01-04-2026,"NEFT ""A"", B\nline 2","1,23,456.00 Cr"\r\n';
  assert.equal(first(await shows('a.csv', quoted)).rows, [
    ['Date', 'Narration', 'Amount'],
    ['01-04-2026', 'NEFT "A", B\nline 2', n('1,23,456.00 Cr')],
  ]);
  assert.equal(first(await shows('b.csv', Buffer.from('\uFEFFनाम;₹\nशर्मा;5', 'utf16le'))).rows, [
    ['नाम', '₹'],
    ['शर्मा', n('5')],
  ]);
  assert.equal(first(await shows('c.csv', Buffer.from('caf\xe9|x\n', 'latin1'))).rows, [['café', 'x']]);
  const never = first(await shows('d.csv', 'a,"b\nc,d\n'));
  assert.equal(never.rows, [
    ['a', '"b'],
    ['c', 'd'],
  ]);
  assert.equal(first(await shows('e.csv', '')).rows, []);
});

test('long tables show the first rows and the total number', async ({ shows }) => {
  const csv = first(await shows('a.csv', `No,Text\n${'5,"two\nlines"\n'.repeat(12_345)}`));
  assert.equal([csv.rows.length, csv.total_rows], [5000, 12_346]);
  const rows = Array.from(
    { length: 7000 },
    (_, index) => `<row r="${index + 1}">${cell(`A${index + 1}`, index)}</row>`,
  ).join('');
  const book = first(await shows('a.xlsx', workbook({ A: { rows, dimension: 'A1:A7000' } })));
  assert.equal([book.rows.length, book.total_rows], [5000, 7000]);
  const coloured = `<row r="1">${cell('A1', 1)}</row><row r="1048576"><c r="A1048576" s="1"/></row>`;
  const short = first(
    await shows('b.xlsx', workbook({ A: { rows: coloured, dimension: 'A1:XFD1048576' } }, ['0'])),
  );
  assert.equal([short.rows.length, short.total_rows, short.total_columns], [1, 1, 1]);
});

test('the total of a long text is that of its rows in every encoding, with empty ones, since without it the rest is not known to be missing', async ({
  shows,
}) => {
  const total = async (name: string, content: Buffer | string) =>
    first(await shows(name, content)).total_rows;
  const lines = Array.from({ length: 6000 }, (_, n) => `${n},ગુજરાત`);
  assert.is(await total('a.csv', Buffer.from(`\uFEFF${lines.join('\r\n')}`, 'utf16le')), 6000);
  assert.is(await total('b.csv', lines.slice(0, 3000).join('\n\n')), 5999);
  assert.is(await total('c.csv', lines.join('\r')), 6000);
  assert.is(await total('d.csv', `sep=,\r\n${lines.join('\r\n')}\r\n\r\n`), 6000);
});

test('a sheet of ten thousand columns is cut off, and its total is shown', async ({ shows }) => {
  const csv = first(
    await shows('a.csv', `${Array.from({ length: 10_000 }, (_, index) => index).join(',')}\n`.repeat(300)),
  );
  assert.equal([csv.rows[0]!.length, csv.total_columns, csv.rows.length], [200, 10_000, 300]);
  const large = first(await shows('b.csv', `${'x'.repeat(5000)},y\n`.repeat(4000)));
  assert.ok(large.rows.length < 4000 && large.total_rows === 4000, 'all characters together are bounded');
  assert.is((large.rows[0]![0] as string).length, 2001);
});

test('a small workbook that unpacks to gigabytes is refused, even with false declared sizes', async ({
  refuses,
  shows,
}) => {
  const { forge } = await import('../archive/read/testing/forge.ts');
  const piece = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([...Array.from({ length: 320 }, () => piece), Buffer.from([3, 0])]);
  const sheet = { packed, crc: 0 };
  for (const size of [320 * 1024 * 1024, 100]) {
    const bomb = forge([
      { name: '[Content_Types].xml', data: '<Types/>' },
      { name: 'xl/workbook.xml', data: '<workbook/>' },
      { name: 'xl/worksheets/sheet1.xml', ...sheet, size },
    ]);
    assert.ok(bomb.length < 2 * 1024 * 1024);
    assert.is(await refuses('bomb.xlsx', bomb), NOT_SHOWN);
  }
  const many = forge(Array.from({ length: 6000 }, (_, index) => ({ name: `xl/${index}`, data: 'x' })));
  assert.is(await refuses('many.xlsx', many), NOT_SHOWN);
  assert.is((await shows('good.csv', 'a,b')).kind, 'table');
});

test.run();
