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

test('a date below its heading is a cell of its own, though the text beside it is close', () => {
  const page = placedPage([
    { cells: [[20, 'Account No: 50100012345678']] },
    {
      cells: [
        [50, 'Date'],
        [480, 'Narration'],
        [2000, 'Chq No'],
        [2850, 'Value Dt'],
        [3600, 'Debit'],
        [4400, 'Credit'],
        [5200, 'Balance'],
      ],
    },
    {
      cells: [
        [20, '02/04/25 UPI'],
        [2000, '0000509112345678 02/04/25'],
        [3500, '700.00'],
        [5100, '9,300.00'],
      ],
    },
    {
      cells: [
        [20, '03/04/25'],
        [480, 'Refund of 28/03/25'],
        [2000, 'N125'],
        [2850, '04/04/25'],
        [4400, '50.00'],
        [5100, '9,350.00'],
      ],
    },
  ]);
  const { tables } = recognise([page], { fileType: 'pdf' });
  assert.equal(
    tables[0]?.rows.map(({ cells }) => cells.slice(0, 4)),
    [
      ['2025-04-02', '2025-04-02', 'UPI', '0000509112345678'],
      ['2025-04-03', '2025-04-04', 'Refund of 28/03/25', 'N125'],
    ],
  );
});

test.run();
