import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../recognise.ts';
import type { PlacedCell } from '../testing/placed.ts';
import { placedPage } from '../testing/placed.ts';

test('a short narration at either side of its wide column is not lost, though the heading in the middle is far from it', () => {
  const statement = (atm: number) => {
    const row = (date: string, narration: PlacedCell, ...amounts: PlacedCell[]) => ({
      cells: [[20, date] as const, narration, ...amounts],
    });
    const { tables } = recognise(
      [
        placedPage([
          { cells: [[20, 'HDFC Bank']] },
          { cells: [[20, 'Account No: 50100012345678']] },
          {
            cells: [
              [150, 'Date'],
              [1700, 'Narration'],
              [3350, 'Chq No.'],
              [4000, 'Debit'],
              [4800, 'Credit'],
              [5500, 'Balance'],
            ],
          },
          row('02/04/2025', [atm, 'ATM'], [4000, '700.00'], [5450, '9,300.00']),
          row(
            '03/04/2025',
            [620, 'Transfer from Meera Rao salary for the month of April'],
            [4700, '5,000.00'],
            [5400, '14,300.00'],
          ),
        ]),
      ],
      { fileType: 'pdf' },
    );
    return tables[0]!.rows.map(({ cells }) => cells.slice(2, 4));
  };
  const expected = [
    ['ATM', null],
    ['Transfer from Meera Rao salary for the month of April', null],
  ];
  assert.equal(statement(620), expected, 'at the left');
  assert.equal(statement(3100), expected, 'at the right');
});

test.run();
