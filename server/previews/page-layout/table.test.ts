import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCanvas } from '@napi-rs/canvas';
import type { SheetView } from '../contract.ts';
import { tablePaper } from './table.ts';

const test = suite('sheets on pages');

/** The texts of each page of these sheets. */
function textsOf(sheets: SheetView[]): string[][] {
  const { pages, draw } = tablePaper(sheets);
  return Array.from({ length: pages }, (_, index) => {
    const texts: string[] = [];
    const context = createCanvas(10, 10).getContext('2d');
    context.fillText = (text) => void texts.push(text);
    void draw(context, index + 1);
    return texts;
  });
}

test('a sheet of which nothing fits in what is shown is not called empty', () => {
  const sheets = [
    { name: 'Left out', rows: [], total_rows: 40, total_columns: 2 },
    { name: 'Cut', rows: [['a']], total_rows: 40, total_columns: 1 },
    { name: 'None', rows: [], total_rows: 0, total_columns: 0 },
  ];
  const [leftOut, cut, empty] = textsOf(sheets);
  assert.equal(leftOut, ['Left out', 'This sheet is not shown, since the sheets before it are so large.']);
  assert.ok(cut!.includes('These are the first 1 of 40 rows.'));
  assert.equal(empty, ['None', 'This sheet is empty.']);
});

test.run();
