import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../../recognise.ts';

const read = (...lines: string[]) => {
  const found = recognise([{ page: 1, label: '', text: lines.join('\n') }], { fileType: 'txt' });
  assert.is(found.type, 'balance_sheet');
  return (key: string) => found.fields.find((field) => field.key === key)?.value;
};

const SCHEDULE_III = [
  'SHARMA TEXTILES PRIVATE LIMITED',
  'Balance Sheet as at 31st March, 2025',
  '(Amount in Rs.)',
  'Particulars                                Note   As at 31-03-2025   As at 31-03-2024',
  'EQUITY AND LIABILITIES',
  'Share capital                              2      10,00,000          10,00,000',
  'Reserves and surplus                       3      52,75,000          41,10,000',
  'Trade payables',
  '(A) Total outstanding dues of micro enterprises and small enterprises   4   1,25,000   90,000',
  '(B) Total outstanding dues of other creditors   4   31,00,000   28,00,000',
  'TOTAL                                             95,00,000          80,00,000',
  'ASSETS',
  'Trade receivables                          8      40,00,000          36,00,000',
  'TOTAL                                             95,00,000          80,00,000',
];
const RESULTS = [
  'Statement of Profit and Loss for the year ended 31st March, 2025',
  'Particulars                                Note   2024-25            2023-24',
  'Revenue from operations                    12     2,10,00,000        1,80,00,000',
  'Total Income                                      2,12,00,000        1,81,00,000',
  'Total expenses                                    1,96,00,000        1,70,00,000',
  'Profit before tax                                 16,00,000          11,00,000',
  'Total                                             2,12,00,000        1,81,00,000',
];

test('the sum of a balance sheet is its row `TOTAL`, not that of dues to small enterprises', () => {
  const value = read(...SCHEDULE_III);
  assert.equal(['total_assets', 'total_assets_before'].map(value), ['950000000', '800000000']);
});

test('total expenses are read, and neither they nor income are the total of assets', () => {
  const results = read(...RESULTS);
  assert.equal(['revenue', 'total_expenses', 'total_assets'].map(results), [
    '2100000000',
    '1960000000',
    undefined,
  ]);
  const both = read(...RESULTS, ...SCHEDULE_III);
  assert.equal(['total_expenses', 'total_assets'].map(both), ['1960000000', '950000000']);
});

test('under Ind AS the totals of parts are not the sum, and that of both sides is not the equity', () => {
  const value = read(
    'IYER FOODS LIMITED',
    'Balance Sheet as at 31 March 2025',
    '(Rs. in lakhs)',
    'Particulars                       Note   As at 31-03-2025   As at 31-03-2024',
    'Equity share capital              10     500.00             500.00',
    'Total equity and liabilities             4,210.75           3,905.10',
    'Total equity                             2,110.25           1,905.60',
    'Trade payables                    15     310.00             295.00',
    'Total non-current assets                 2,400.50           2,300.00',
    'Total current assets                     1,810.25           1,605.10',
    'Total assets (A+B)                       4,210.75           3,905.10',
  );
  assert.equal(['total_assets', 'total_assets_before', 'equity'].map(value), [
    '42107500000',
    '39051000000',
    '21102500000',
  ]);
});

test.run();
