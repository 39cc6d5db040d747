import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '../testing/rejects.ts';
import { createCoalescingQueue } from '../jobs/coalescing-queue.ts';
import { createSheets } from '../sheets/service.ts';
import { readTable as readOf } from './import-table.ts';
import { inline, line, workbook, zip } from '../sheets/testing/workbook.ts';

const test = suite('reading tables to import');

const sheets = createSheets({ jobs: { memoryQueue: createCoalescingQueue } });
const readTable = (bytes: Buffer, wanted?: string) => readOf(sheets, 1, bytes, wanted);

const cellsOf = async (bytes: Buffer) => (await readTable(bytes)).rows.map(({ cells }) => cells);
const utf16 = (text: string, mark: boolean, big: boolean) => {
  const bytes = Buffer.from((mark ? '\uFEFF' : '') + text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const SHORT = 'Name;City\nसीता शर्मा;पुणे\n"Rao; Sons";Pune\n';

test('CSV files with UTF-16, semicolons, tabs or old code pages are read correctly', async () => {
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

test('a quotation mark inside a cell is text; one that is never closed, or an endless row, is refused', async () => {
  assert.equal(await cellsOf(Buffer.from('Name,City\n5" Pipes,Pune\n')), [
    ['Name', 'City'],
    ['5" Pipes', 'Pune'],
  ]);
  const error = await rejects(readTable(Buffer.from('Name,City\n"Rao,Pune\nIyer,Chennai\n')), 422);
  assert.match(error.message, 'quotation mark');
  for (const long of ['x'.repeat(200_000), '"' + 'Rao,Pune\n'.repeat(20_000)])
    assert.match(
      (await rejects(readTable(Buffer.from(`Name\n${long}`)), 422)).message,
      'this row has no end',
    );
});

test('a picture, a program, an old or broken workbook and an empty file are refused with the reason', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(300, 7)]);
  for (const bytes of [png, jpeg, Buffer.from('MZ\x90\x00\x03\x00\x00'), Buffer.alloc(5000)])
    assert.match((await rejects(readTable(bytes), 422)).message, 'not a CSV or Excel file');
  assert.match(
    (await rejects(readTable(Buffer.from('d0cf11e0a1b11ae1', 'hex')), 422)).message,
    'old (.xls) or a protected',
  );
  assert.match((await rejects(readTable(zip({ 'content.xml': 'of LibreOffice' })), 422)).message, 'Workbook');
  const broken = Buffer.from('PK\x03\x04 xl/workbook.xml');
  assert.match((await rejects(readTable(broken), 422)).message, 'could not be read');
  assert.match((await rejects(readTable(Buffer.alloc(0)), 422)).message, 'empty');
});

test('a file with more than 5,000 rows is refused', async () => {
  const error = await rejects(readTable(Buffer.from('Name\n' + 'Somebody\n'.repeat(100_000))), 422);
  assert.match(error.message, 'more than 5,000 rows');
});

test('an Excel workbook is read with its numbers and dates', async () => {
  const date = (ref: string, day: string) => `<c r="${ref}" t="d"><v>${day}T00:00:00Z</v></c>`;
  const rows =
    line(1, 'Name', 'Phone', 'DOB') +
    `<row r="2">${inline('A2', 'Meera Iyer')}<c r="B2"><v>9840054321</v></c>${date('C2', '1980-03-31')}</row>` +
    `<row r="3">${inline('A3', 'Rao')}<c r="B3"><v>9.19840054322E11</v></c>${date('C3', '1899-12-30')}</row>`;
  assert.equal(await cellsOf(workbook({ Clients: rows })), [
    ['Name', 'Phone', 'DOB'],
    ['Meera Iyer', '9840054321', '1980-03-31'],
    ['Rao', '919840054322'],
  ]);
});

test('a workbook that unpacks to an excessive size is refused (zip bomb)', async () => {
  const bomb = workbook({ Clients: `<row r="1">${inline('A1', 'x'.repeat(60 * 1024 * 1024))}</row>` });
  assert.ok(bomb.length < 1_000_000);
  assert.match((await rejects(readTable(bomb), 422)).message, 'could not be read');
});

test('of several sheets the named one is read, or else the first', async () => {
  const bytes = workbook({
    People: line(1, 'Name', 'PAN') + line(2, 'Meera Iyer'),
    Firms: line(1, 'Name') + line(2, 'Rao'),
  });
  assert.is((await readTable(bytes)).sheet, 'People');
  assert.equal((await readTable(bytes, 'Firms')).rows[1], { line: 2, cells: ['Rao'] });
  assert.is((await readTable(bytes, 'Nowhere')).sheet, 'People');
});

test('a web page saved as a workbook is refused with that reason', async () => {
  for (const text of ['<html><table><tr><td>Name</td></tr></table>', '\n<?xml version="1.0"?><Workbook/>'])
    assert.match((await rejects(readTable(Buffer.from(text)), 422)).message, 'web page and not a workbook');
});

test.run();
