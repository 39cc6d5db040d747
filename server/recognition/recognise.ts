import { maskAadhaar } from '#server/reading/words/aadhaar.ts';
import type {
  Recognised,
  RecognisedField,
  RecognisedPage,
  RecognisedTable,
  RecognitionHints,
} from './contract.ts';
import { classify } from './forms/classify.ts';
import { withCodes } from './e-invoice/compare.ts';
import { ALL } from './forms/all.ts';
import { transactionsFrom } from './forms/bank/find.ts';
import type { Reading } from './forms/rules.ts';
import { readFields } from './forms/read.ts';
import { headOf } from './head.ts';
import { scan } from './identifiers/scan.ts';
import { shapeOf } from './identifiers/shapes.ts';
import type { Layout, Line } from './layout/page.ts';
import { boxOf } from './layout/page.ts';
import { recogniseJson } from './json/portal.ts';
import { linesOf } from './layout/lines.ts';
import { yearOf } from './year.ts';

/** Lines that are looked at: a statement of a year has some ten thousand. */
const LINES_MAX = 20_000;
/** Of these, so many are searched for labels; what stands behind them stands in tables. */
const LABELLED_MAX = 2500;

const NOTHING: Recognised = { type: null, type_sure: 0, year: null, period: null, fields: [], tables: [] };
const SURE = { checksum: 0.99, shape: 0.93, failed: 0.2 };

function layoutOf(pages: readonly RecognisedPage[], { fileType }: RecognitionHints): Layout {
  const lines: Line[] = [];
  for (const page of pages) {
    if (lines.length >= LINES_MAX) break;
    for (const line of linesOf(page, fileType)) lines.push(line);
  }
  return {
    lines: lines.slice(0, LINES_MAX),
    placed: pages.some(({ boxes }) => (boxes?.length ?? 0) > 0),
    scanned: pages.some(({ sure }) => sure !== undefined),
  };
}

/** Lines of transactions: the accounts and addresses in narrations are those of others. */
function narrations(layout: Layout, reading: Reading | null): Set<number> {
  const from = reading?.type === 'bank_statement' ? transactionsFrom(layout) : null;
  return new Set(from === null ? [] : layout.lines.keys().filter((at) => at > from));
}

/** Bare digits, which a number of another kind has too. */
const LOOSE = new Set([
  'account_no',
  'irn_ack_no',
  'acknowledgement_no',
  'crn',
  'cpin',
  'trrn',
  'bsr',
  'micr',
]);

/** Identifiers that the rules of the type did not name, under the name of their shape. */
function others(
  layout: Layout,
  named: readonly RecognisedField[],
  rows: ReadonlySet<number>,
): RecognisedField[] {
  const known = new Set(
    named.flatMap(({ key, value }) => (shapeOf(key) ? [`${shapeOf(key)} ${value}`] : [])),
  );
  const values = new Set(named.flatMap(({ kind, value }) => (kind === 'identifier' ? [value] : [])));
  return scan(layout, (line) => rows.has(line))
    .filter(({ name, value }) => !known.has(`${name} ${value}`) && !(LOOSE.has(name) && values.has(value)))
    .map(({ name, value, check, words, page, mended }) => ({
      key: name,
      kind: 'identifier',
      value,
      raw: words.map(({ text }) => text).join(' '),
      page,
      box: boxOf(layout, words),
      sure: mended ? 0.9 : SURE[check],
      check,
      rule: mended ? `identifier.${name}.mended` : `identifier.${name}`,
    }));
}

/** Of an Aadhaar number nothing but the last four digits leaves this room; other identifiers may look like one. */
function masked(field: RecognisedField): RecognisedField {
  if (field.kind === 'identifier' && field.key !== 'aadhaar') return field;
  const value = field.kind === 'text' ? maskAadhaar(field.value).text : field.value;
  const raw = maskAadhaar(field.raw).text;
  const whole = field.key === 'aadhaar' ? raw.replace(/\d(?=(?:\D*\d){4})/g, 'X') : raw;
  return { ...field, value, raw: whole };
}

const maskedTable = (table: RecognisedTable): RecognisedTable => ({
  ...table,
  rows: table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, at) =>
      cell && table.columns[at]?.kind === 'text' ? maskAadhaar(cell).text : cell,
    ),
  })),
});

/**
 * What a document is and what it says, from the words of its pages; pure, and within bounded time whatever it is given.
 */
export function recognise(pages: readonly RecognisedPage[], hints: RecognitionHints): Recognised {
  const portal = recogniseJson(pages);
  if (portal) return { ...portal, fields: portal.fields.map(masked) };
  const layout = layoutOf(pages, hints);
  if (layout.lines.length === 0 && !pages.some(({ codes = [] }) => codes.length > 0)) return NOTHING;
  const { type, sure } = classify(layout, ALL);
  const rules = ALL.find((one) => one.type === type);
  const head = { ...layout, lines: layout.lines.slice(0, LABELLED_MAX) };
  const reading = rules ? readFields(head, rules) : null;
  const fields = reading?.fields ?? [];
  const rest = others(head, fields, narrations(head, reading));
  const found = { type, type_sure: sure, fields: [...fields, ...rest].map(masked) };
  const known = withCodes(found, pages);
  return {
    ...known,
    ...yearOf(layout, known.type, known.fields),
    tables: (reading?.tables ?? []).map(maskedTable),
    head: headOf(pages),
  };
}
