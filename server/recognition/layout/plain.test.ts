import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../recognise.ts';
import { cellsOfText } from './plain.ts';

const textsOf = (fileType: string, ...lines: string[]) =>
  cellsOfText(lines.join('\n'), fileType).map((row) => row.map(({ text }) => text));

test('a statement of lakhs in a text file has the columns of its blanks, since its commas group digits', () => {
  const lines = [
    'Sharma Bank',
    'Account Number   55512345678',
    'Date        Narration             Debit         Credit        Balance',
    '01/04/2025  Opening Balance                                   19,99,001.00',
    '02/04/2025  NEFT Iyer Textiles    2,50,000.50                 17,49,000.50',
    '03/04/2025  RTGS Rao and Sons                   12,25,000.00  29,74,000.50',
    '04/04/2025  CHQ 774               1,10,000.00                 28,64,000.50Cr',
    '05/04/2025  CHQ 775               1,00,000.00                 27,64,000.50Cr',
  ];
  const found = recognise([{ page: 1, label: '', text: lines.join('\n') }], { fileType: 'txt' });
  const transactions = found.tables.find(({ key }) => key === 'transactions');
  assert.equal([found.type, transactions?.breaks], ['bank_statement', []]);
  assert.equal(transactions!.rows[0]!.cells.slice(4), ['25000050', null, '174900050']);
  assert.equal(
    textsOf('txt', 'Rent   Rs.2,40,000/-   ₹12,00,000', 'Salaries   (3,60,000)   9,000,000.00')[0],
    ['Rent', 'Rs.2,40,000/-', '₹12,00,000'],
  );
});

test('a text file that separates columns by commas is read as one, also where numbers of three digits follow each other', () => {
  assert.equal(textsOf('txt', '01/04/2025,UPI,100,200,300', '02/04/2025,,150,250,350')[1], [
    '02/04/2025',
    '150',
    '250',
    '350',
  ]);
  assert.equal(textsOf('txt', 'Pune,100,200,300', 'Nagpur,110,210,310')[0], ['Pune', '100', '200', '300']);
  assert.equal(textsOf('txt', '100,200,300,400', '110,210,310,410')[0], ['100', '200', '300', '400']);
  assert.equal(
    textsOf('txt', 'Rent,"2,40,000.00",,"12,00,000.00",1', 'Fees,"40,000.00",,"2,00,000.00",2')[0],
    ['Rent', '2,40,000.00', '12,00,000.00', '1'],
  );
});

test.run();
