import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forge } from '../archive/read/testing/forge.ts';
import { createCoalescingQueue } from '../jobs/coalescing-queue.ts';
import type { SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';
import { createSheets } from './service.ts';
import { inline, line, parts, workbook, zip } from './testing/workbook.ts';

const test = suite('sheets');

const sheets = createSheets({ jobs: { memoryQueue: createCoalescingQueue } });
const read = (bytes: Buffer, limits: Partial<SheetLimits> = {}) => sheets.read(bytes, { firm_id: 1, limits });
const cells = async (bytes: Buffer) =>
  (await read(bytes))[0]!.rows.map((row) => row.cells.map(({ text, kind }) => `${kind} ${text}`));
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof SheetsUnreadable ? error.fault : String(error)),
  );
const value = (ref: string, text: string, more = '') => `<c r="${ref}"${more}><v>${text}</v></c>`;

test('each cell is read with its type and the value that a spreadsheet shows', async () => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-409]dd\\-mmm\\-yyyy;@"/>' +
    '<numFmt numFmtId="171" formatCode="&quot;Rs. dh&quot;#,##0.00"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>';
  const strings =
    '<sst><si><t>Meera</t></si><si><r><rPr><b/></rPr><t xml:space="preserve">Rao </t></r><r><t>&amp; Sons</t></r>' +
    '<rPh sb="0" eb="1"><t>aid</t></rPh></si><si><t>two_x000A_lines</t></si></sst>';
  const rows =
    `<row r="1">${value('A1', '0', ' t="s"')}${value('B1', '1', ' t="s"')}${value('C1', '2', ' t="s"')}</row>` +
    `<row r="2">${value('A2', '29310', ' s="1"')}${value('B2', '29310.4375', ' s="2"')}${value('C2', '1234.5', ' s="3"')}</row>` +
    `<row r="3">${value('A3', '9.19840054322E11')}${value('B3', '0.30000000000000004')}${value('C3', '1', ' t="b"')}</row>` +
    `<row r="4">${value('A4', '#N/A', ' t="e"')}${value('B4', '0', ' s="1"')}${value('C4', ' from a formula ', ' t="str"')}</row>`;
  assert.equal(await cells(workbook({ Clients: rows }, { strings, styles })), [
    ['text Meera', 'text Rao & Sons', 'text two\nlines'],
    ['date 1980-03-30', 'date 1980-03-30 10:30', 'number 1234.5'],
    ['number 919840054322', 'number 0.3', 'boolean TRUE'],
    ['error #N/A', 'text ', 'text from a formula'],
  ]);
});

test('dates in a workbook that counts days from 1904 are read correctly', async () => {
  const book = workbook(
    { Clients: `<row r="1">${value('A1', '27848', ' s="0"')}</row>` },
    { styles: '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>', from1904: true },
  );
  assert.equal(await cells(book), [['date 1980-03-30']]);
});

test('rows and cells after gaps keep their positions, and a formatted cell without a value is ignored', async () => {
  const rows = `${line(1, 'A')}<row r="2"><c r="A2" s="1"/></row><row r="1048576">${inline('C1048576', 'far')}<c r="XFD1048576"/></row>`;
  const [sheet] = await read(workbook({ Clients: rows }));
  assert.equal(
    sheet!.rows.map(({ number, cells: row }) => [number, row.map(({ text }) => text)]),
    [
      [1, ['A']],
      [1_048_576, ['', '', 'far']],
    ],
  );
});

test('rows, columns and sheets beyond the limits are left out and reported, and a file that is too large is refused', async () => {
  const rows = `${line(1, 'a', 'b')}${line(2, 'c')}${line(3, 'd')}`;
  const [sheet, ...others] = await read(workbook({ One: rows, Two: rows }), {
    rows: 2,
    columns: 1,
    sheets: 1,
  });
  assert.equal(
    [sheet!.rows.length, sheet!.more_rows, sheet!.more_columns, others.length],
    [2, true, true, 0],
  );
  const [table] = await read(Buffer.from('a,b\nc\nd\n'), { rows: 2, columns: 1 });
  assert.equal([table!.rows.length, table!.more_rows, table!.more_columns], [2, true, true]);
  assert.is(await faultOf(read(Buffer.alloc(100, 65), { bytes: 99 })), 'too_large');
});

test('namespace prefixes, absolute paths, backslashes and another name of the main part are accepted, as by Excel', async () => {
  const [sheet] = await read(
    zip({
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="/xl/book2.xml"/></Relationships>',
      'xl\\book2.xml':
        '<x:workbook xmlns:x="a" xmlns:r="b"><x:sheets><x:sheet name="Hidden" state="hidden" r:id="q"/></x:sheets></x:workbook>',
      'xl/_rels/book2.xml.rels':
        '<Relationships><Relationship Id="q" Type="http://x/worksheet" Target="/xl/S1.xml"/></Relationships>',
      'xl/s1.xml':
        '<x:worksheet xmlns:x="a"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Meera</x:t></x:is></x:c><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    }),
  );
  assert.equal([sheet!.name, sheet!.hidden], ['Hidden', true]);
  assert.equal(
    sheet!.rows[0]!.cells.map(({ text }) => text),
    ['Meera', '1'],
  );
});

test('a workbook with 64-bit sizes (ZIP64), which streaming programs write, is read under the same limits', async () => {
  const entries = (rows: string) =>
    Object.entries(parts({ Clients: rows })).map(([name, data]) => ({ name, data, zip64: true }));
  const [sheet] = await read(forge(entries(line(1, 'Meera')), { zip64: true }));
  assert.is(sheet!.rows[0]!.cells[0]!.text, 'Meera');
  const much = `<row r="1">${inline('A1', 'x'.repeat(60 * 1024 * 1024))}</row>`;
  assert.is(await faultOf(read(forge(entries(much), { zip64: true }))), 'too_large');
});

test('a small file that would unpack to a very large one is refused, whichever part of it is large', async () => {
  const much = 'x'.repeat(1024 * 1024);
  const padding = `<!-- -->`.repeat(9 * 1024 * 1024);
  const strings = `<sst>${`<si><t>${'y'.repeat(30_000)}</t></si>`.repeat(1000)}</sst>`;
  const cases = {
    'a text': workbook({ Clients: `<row r="1">${inline('A1', much)}</row>` }),
    'shared texts': workbook({ Clients: line(1, 'A') }, { strings }),
    'what stands before the cells': workbook({ Clients: padding }),
    'cells far apart': workbook({
      Clients: Array.from({ length: 4999 }, (_, index) => `<row>${inline(`GR${index + 1}`, 'x')}</row>`).join(
        '',
      ),
    }),
  };
  for (const [what, bytes] of Object.entries(cases)) {
    assert.ok(bytes.length < 2_000_000, what);
    assert.is(await faultOf(read(bytes)), 'too_large', what);
  }
});

test('entries that no sheet needs are not unpacked, and a file with thousands of entries is refused', async () => {
  const strange = Array.from({ length: 600 }, (_, index) => ({
    name: `xl/media/${index}.bin`,
    data: Buffer.alloc(512 * 1024),
  }));
  const book = Object.entries(parts({ Clients: line(1, 'Meera') })).map(([name, data]) => ({ name, data }));
  const [sheet] = await read(forge([...book, ...strange]));
  assert.is(sheet!.rows[0]!.cells[0]!.text, 'Meera');
  const more = Array.from({ length: 5000 }, (_, index) => ({ name: `${index}`, data: '' }));
  assert.is(await faultOf(read(forge([...book, ...more]))), 'too_large');
});

test('a workbook with XML entities of its own, malformed XML or overlapping entries is refused as damaged', async () => {
  const doctype = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const book = (rows: string) => Object.entries(parts({ Clients: rows }));
  const evil = book(line(1, 'A')).map(([name, data]) => ({ name, data: doctype + data }));
  assert.is(await faultOf(read(forge(evil))), 'damaged');
  assert.is(await faultOf(read(workbook({ Clients: '<row><c></row>' }))), 'damaged');
  const twice = book(line(1, 'A')).map(([name, data]) => ({ name, data }));
  assert.is(await faultOf(read(forge([...twice, { name: 'xl/sharedStrings.xml', like: 0 }]))), 'damaged');
});

test('an ampersand that is not escaped in the XML is read as an ampersand', async () => {
  assert.equal(await cells(workbook({ Clients: line(1, 'Rao & Sons', 'A&b; C') })), [
    ['text Rao & Sons', 'text A&b; C'],
  ]);
});

test('other ZIP files and documents are refused as not being tables', async () => {
  assert.is(await faultOf(read(zip({ 'word/document.xml': '<w/>' }))), 'not_a_table');
  assert.is(await faultOf(read(zip({ 'content.xml': '<office/>' }))), 'not_a_table');
  assert.is(await faultOf(read(Buffer.from('PK\x03\x04 xl/workbook.xml'))), 'damaged');
});

test('a process that takes more than its limit is stopped, and the next file is read by another process', async () => {
  const rows = Array.from({ length: 4000 }, (_, index) => line(index + 1, 'Meera', 'Iyer', 'Chennai')).join(
    '',
  );
  const limits = { rows: 5000, columns: 20 };
  const strict = createSheets({
    jobs: { memoryQueue: createCoalescingQueue },
    process: { memory: 1024 * 1024 },
  });
  assert.is(await faultOf(strict.read(workbook({ A: rows }), { firm_id: 1, limits })), 'too_large');
  assert.is((await read(workbook({ A: rows }), limits))[0]!.rows.length, 4000);
});

test('files of one firm are read one after another, and when too many wait, further ones get 503', async () => {
  const small = workbook({ A: line(1, 'x') });
  const ends = await Promise.allSettled(Array.from({ length: 12 }, () => read(small)));
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.status] : []));
  assert.equal(refusals, [503, 503, 503]);
});

test('a stream is read in pieces, and an error of the stream is passed on', async () => {
  async function* pieces() {
    yield Buffer.from('Name,City\nMeera,');
    yield Buffer.from('Chennai\n');
  }
  const [sheet] = await sheets.read(pieces(), { firm_id: 1 });
  assert.is(sheet!.rows[1]!.cells[1]!.text, 'Chennai');
  // oxlint-disable-next-line require-yield -- it fails before it has anything
  async function* failing(): AsyncGenerator<Buffer> {
    throw new Error('the disk is gone');
  }
  assert.match(await faultOf(sheets.read(failing(), { firm_id: 1 })), 'the disk is gone');
});

test.run();
