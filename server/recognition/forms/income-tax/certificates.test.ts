import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../../recognise.ts';
import { centred, leftAligned, placedPage } from '../../testing/placed.ts';

test('figures whose heading is open are of no year where an assessment year is named: it begins a year later', () => {
  const rows = [
    { cells: [[2500, 'FORM NO. 16']] as const },
    { cells: centred(2400, 'Assessment Year', 'Tax Deducted', 'Remarks') },
    { cells: [...leftAligned(2400, '2026-27'), ...leftAligned(2400, '', '1,000.00')] },
  ];
  assert.is(recognise([placedPage(rows)], { fileType: 'pdf' }).year, null);
});

test.run();
