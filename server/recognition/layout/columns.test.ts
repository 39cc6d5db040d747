import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PlacedCell } from '../testing/placed.ts';
import { LINE, centred, leftAligned, placedPage } from '../testing/placed.ts';
import { recognise } from '../recognise.ts';
import { headingsOfValues } from './columns.ts';
import { cellOf } from './page.ts';

const certificate = (...rows: { cells: readonly PlacedCell[]; after?: number }[]) => {
  const title = [{ cells: [[2500, 'FORM NO. 16']] as const }, { cells: [[2700, 'PART A']] as const }];
  const { fields, year } = recognise([placedPage([...title, ...rows])], { fileType: 'pdf' });
  return { year, value: (key: string) => fields.find((field) => field.key === key)?.value };
};
const cells = (...ranges: [left: number, right: number][]) =>
  ranges.map(([left, right]) => cellOf([{ text: 'a', left, right, top: 0, bottom: 9 }]));

test('values at the left of their columns belong to the centred headings above them, whose owners and years they get', () => {
  const { value, year } = certificate(
    { cells: centred(2000, 'PAN of the Deductor', 'TAN of the Deductor', 'PAN of the Employee') },
    { cells: leftAligned(2000, 'AADCD7788Q', 'PNED09876C', 'CPWPP2288H') },
    { cells: centred(3000, 'Assessment Year', 'Period with the Employer') },
    { cells: leftAligned(3000, '2025-26', '01-Apr-2024 to 31-Mar-2025') },
  );
  assert.equal(['employer_pan', 'employer_tan', 'employee_pan'].map(value), [
    'AADCD7788Q',
    'PNED09876C',
    'CPWPP2288H',
  ]);
  assert.is(year, 2024);
});

test('a name under the centred heading of names and addresses is its first line, though only its second reaches below the heading', () => {
  const { value } = certificate(
    { cells: centred(3000, 'Name and address of the Employer', 'Name and address of the Employee') },
    { cells: leftAligned(3000, 'GODAVARI PUMPS LIMITED', 'VIKAS MORE') },
    { cells: leftAligned(3000, 'Plot 9, Nashik 422007', 'Satpur, Nashik 422007'), after: LINE },
  );
  assert.is(value('employee_name'), 'VIKAS MORE');
});

test('a name in the middle of a row of unequal heights is found by the address below it', () => {
  const address = leftAligned(3000, '', 'Satpur, Nashik 422007');
  const { value } = certificate(
    { cells: centred(3000, 'Name and address of the Employer', 'Name and address of the Employee') },
    { cells: leftAligned(3000, 'GODAVARI PUMPS LIMITED') },
    { cells: leftAligned(3000, '', 'VIKAS MORE'), after: LINE / 2 },
    { cells: leftAligned(3000, 'Plot 9'), after: LINE / 2 },
    { cells: address, after: LINE / 2 },
    { cells: leftAligned(3000, 'Nashik 422007'), after: LINE / 2 },
  );
  assert.is(value('employee_name'), 'VIKAS MORE');
});

test('where a column is empty and none of the values is below a heading no value is assigned, since it could be of either', () => {
  const { value } = certificate(
    { cells: centred(2400, 'PAN of the Deductor', 'PAN of the Employee', 'Remarks') },
    { cells: [[20, 'AADCD7788Q'] as const, [2420, 'CPWPP2288H'] as const] },
  );
  assert.equal([value('employer_pan'), value('employee_pan')], [undefined, undefined]);
});

test('a value that is partly below a heading shows which of the other columns are empty', () => {
  const headings = cells([100, 200], [400, 500], [700, 800], [1000, 1100]);
  assert.equal(headingsOfValues(headings, cells([150, 250], [600, 710])), [0, 2]);
  assert.equal(headingsOfValues(headings, cells([150, 250], [310, 390], [600, 710])), [0, 1, 2]);
  assert.equal(headingsOfValues(headings, cells([300, 390], [600, 690], [900, 990])), [
    undefined,
    undefined,
    undefined,
  ]);
  assert.equal(
    headingsOfValues(headings, cells([150, 450], [600, 690])),
    [undefined, undefined],
    'a sentence',
  );
});

test.run();
