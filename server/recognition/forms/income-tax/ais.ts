import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import { boxOf } from '../../layout/page.ts';
import type { Line, Word } from '../../layout/page.ts';
import type { ColumnRule } from '../../layout/table.ts';
import { findHeader, linesBelow, rowOf, textOf } from '../../layout/table.ts';
import { findAmount } from '../../layout/values.ts';
import { readQuarterRows } from './ais-quarters.ts';
import type { FieldRule, Reading, TypeRules } from '../rules.ts';
import { addTable } from '../tables.ts';

const COLUMNS: ColumnRule[] = [
  { key: 'serial', heads: 'sr no|s no|sl no' },
  { key: 'code', heads: 'information code|info code|code' },
  { key: 'description', heads: 'information description|description|information category|category' },
  { key: 'source', heads: 'information source|source' },
  { key: 'count', isNumber: true, heads: 'count' },
  {
    key: 'amount',
    isNumber: true,
    heads: 'amount|reported value|value reported|processed by system|processed value|value',
  },
  { key: 'accepted', isNumber: true, heads: 'accepted by taxpayer|accepted value|derived value|derived' },
];
const NEEDS = [['description'], ['amount'], ['code', 'serial', 'source', 'count']];

/** A code such as TDS-192 or SFT-016, or the row's number in a summary. */
const CODE = /\b(?:TDS|TCS|SFT|EXC|PMT|REF|GST|OTH|DDR|TXN)-?[A-Z0-9()]{1,12}\b/;

function readInformation(reading: Reading): void {
  const { layout, type } = reading;
  const header = findHeader(layout.lines, COLUMNS, NEEDS);
  if (!header) return;
  const rows: { page: number; line: Line; words: Word[]; cells: string[] }[] = [];
  for (const { line, columns } of linesBelow(layout, header, COLUMNS, NEEDS)) {
    const row = rowOf(line, columns);
    const code = CODE.exec(line.text)?.[0] ?? '';
    const amount = findAmount(textOf(row.amount))?.value ?? '';
    const starts = code !== '' || (type === 'tis' && amount !== '' && row.description !== undefined);
    const count = textOf(row.count);
    const description = textOf(row.description).replace(code, '').trim();
    const source = textOf(row.source);
    if (starts && amount !== '')
      rows.push({
        page: line.page,
        line,
        words: [...line.words],
        cells: [code, description, source, /^\d+$/.test(count) ? count : '', amount],
      });
    else {
      const last = rows.at(-1);
      const isNear =
        last &&
        last.page === line.page &&
        line.top - Math.max(...last.words.map(({ bottom }) => bottom)) < (line.bottom - line.top) * 0.7;
      if (
        !isNear ||
        amount !== '' ||
        !line.cells.every(({ text }) => !/\d{2}\/\d{2}\/\d{4}|^q[1-4]/i.test(text))
      )
        continue;
      for (const [index, text] of [
        [1, description],
        [2, source],
      ] as const)
        if (text) last.cells[index] = `${last.cells[index]} ${text}`.trim();
      last.words.push(...line.words);
    }
  }
  addTable(
    reading,
    'information',
    rows.map(({ page, words, cells }) => ({
      page,
      box: boxOf(layout, words),
      cells: cells.map((cell) => cell || null),
    })),
  );
  readQuarterRows(
    reading,
    rows.map(({ line, cells: [code = '', , source = ''] }) => ({ line, code, source })),
  );
}

const FIELDS: Partial<
  Record<'pan' | 'aadhaar' | 'name' | 'date_of_birth' | 'year', FieldRule | FieldRule[]>
> = {
  pan: 'permanent account number(?: \\(pan\\))?|pan',
  aadhaar: 'aadhaar (?:number|no)|aadhaar',
  name: 'name of (?:the )?assessee|assessee name|name',
  date_of_birth:
    'date of birth[^:\\d]{0,40}|date of incorporation[^:\\d]{0,20}|dob|date of birth/incorporation',
  year: `${FINANCIAL_YEAR}|${ASSESSMENT_YEAR}`,
};

/** The annual information statement. */
export const ais: TypeRules = {
  type: 'ais',
  cues: {
    title: /annual information statement/i,
    words: [
      /part[\s-]*a\W+general information/i,
      /information code/i,
      /\b(?:TDS|SFT)-\d/,
      /part[\s-]*b\d?\W/i,
      /information source/i,
    ],
    not: [/taxpayer information summary \(tis\)\s*$/im],
  },
  fields: { ...FIELDS, address: 'address' },
  more: readInformation,
};

/** Its summary. */
export const tis: TypeRules = {
  type: 'tis',
  cues: {
    title: /taxpayer information summary/i,
    words: [
      /processed (?:by system|value)/i,
      /accepted (?:by taxpayer|value)/i,
      /information category/i,
      /derived/i,
    ],
  },
  fields: FIELDS,
  more: readInformation,
};
