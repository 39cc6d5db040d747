import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pdf } from '#server/tools/samples.ts';
import { openPdf } from '../pdfium.ts';
import { Budget } from './limits.ts';
import { readPdf } from './pdf.ts';

/** In tenths of a point: half a digit. */
const NEAR = 40;

test('the box of a word within a line begins and ends at its letters, or the mark in Review would cut off a number', async () => {
  const line = 'Seller: WILLIAM MOM MILLS GSTIN: 27AAAPZ0000Q1ZL, Bill till';
  const helvetica = pdf([[line]]);
  // Of the same length, so that the table of positions holds.
  const courier = Buffer.from(helvetica.toString('latin1').replace('Helvetica', 'Courier  '), 'latin1');
  for (const bytes of [helvetica, courier]) {
    const drawn = (await openPdf(bytes)).characters(1);
    const { boxes = [] } = (await readPdf(Buffer.from(bytes), new Budget(false))).pages[0]!;
    for (const [index, { 0: word, index: at }] of [...line.matchAll(/\S+/g)].entries()) {
      const [left = 0, , width = 0] = boxes.slice(index * 4);
      const [from, to] = [drawn.boxes[at]![0], drawn.boxes[at + word.length - 1]![2]];
      assert.ok(Math.abs(left - from) < NEAR && Math.abs(left + width - to) < NEAR, word);
    }
  }
});

test.run();
