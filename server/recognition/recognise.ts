import { maskAadhaar } from '#server/text/aadhaar.ts';
import type {
  Recognised,
  RecognisedField,
  RecognisedPage,
  RecognisedTable,
  RecognitionHints,
} from './contract.ts';
import { UNASSIGNED } from './contract.ts';
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

/** Lines examined: a yearly statement has about ten thousand. */
const LINES_MAX = 20_000;
/** Lines searched for labels; later ones are table rows. */
const LABELLED_MAX = 2500;

const NOTHING: Recognised = { type: null, type_sure: 0, year: null, period: null, fields: [], tables: [] };
const CONFIDENCE = { checksum: 0.99, shape: 0.93, failed: 0.2 };

function layoutOf(pages: readonly RecognisedPage[], { fileType }: RecognitionHints): Layout {
  const lines: Line[] = [];
  for (const page of pages) {
    if (lines.length >= LINES_MAX) break;
    for (const line of linesOf(page, fileType)) lines.push(line);
  }
  return {
    lines: lines.slice(0, LINES_MAX),
    hasPositions: pages.some(({ boxes }) => (boxes?.length ?? 0) > 0),
    scanned: pages.some(({ sure }) => sure !== undefined),
  };
}

/** The lines of a bank statement's transactions: identifiers in their narrations belong to other people. */
function transactionLines(layout: Layout, reading: Reading | null): Set<number> {
  const from = reading?.type === 'bank_statement' ? transactionsFrom(layout) : null;
  return new Set(from === null ? [] : layout.lines.keys().filter((index) => index > from));
}

/** Identifiers of bare digits, which other numbers resemble. */
const DIGITS_ONLY = new Set([
  'account_no',
  'irn_ack_no',
  'acknowledgement_no',
  'crn',
  'cpin',
  'trrn',
  'bsr',
  'micr',
]);

/** Identifiers of a type that its own rules find all. */
const ALL_ASSIGNED: Record<string, string> = { bank_statement: 'account_no' };

/** Identifiers that no rule of the type assigned, under the key of their shape. */
function unassignedIdentifiers(
  layout: Layout,
  type: string | null,
  named: readonly RecognisedField[],
  rows: ReadonlySet<number>,
): RecognisedField[] {
  const known = new Set(
    named.flatMap(({ key, value }) => (shapeOf(key) ? [`${shapeOf(key)} ${value}`] : [])),
  );
  const values = new Set(named.flatMap(({ kind, value }) => (kind === 'identifier' ? [value] : [])));
  return scan(layout, (line) => rows.has(line))
    .filter(
      ({ name, value }) =>
        name !== ALL_ASSIGNED[type ?? ''] &&
        !known.has(`${name} ${value}`) &&
        !(DIGITS_ONLY.has(name) && values.has(value)),
    )
    .map(({ name, value, check, words, page }) => ({
      key: name,
      kind: 'identifier',
      value,
      raw: words.map(({ text }) => text).join(' '),
      page,
      box: boxOf(layout, words),
      sure: CONFIDENCE[check],
      check,
      rule: `${UNASSIGNED}${name}`,
    }));
}

/** Masks Aadhaar numbers down to the last four digits; other identifiers may look like one. */
function masked(field: RecognisedField): RecognisedField {
  if (field.kind === 'identifier' && field.key !== 'aadhaar') return field;
  const value = field.kind === 'text' ? maskAadhaar(field.value).text : field.value;
  const raw = maskAadhaar(field.raw).text;
  const maskedRaw = field.key === 'aadhaar' ? raw.replace(/\d(?=(?:\D*\d){4})/g, 'X') : raw;
  return { ...field, value, raw: maskedRaw };
}

const maskedTable = (table: RecognisedTable): RecognisedTable => ({
  ...table,
  rows: table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, index) =>
      cell && table.columns[index]?.kind === 'text' ? maskAadhaar(cell).text : cell,
    ),
  })),
});

/**
 * Recognises the type and the values of a document from the words of its pages. A pure function with bounded running
 * time.
 */
export function recognise(pages: readonly RecognisedPage[], hints: RecognitionHints): Recognised {
  const portal = recogniseJson(pages);
  if (portal) return { ...portal, fields: portal.fields.map(masked) };
  const layout = layoutOf(pages, hints);
  if (layout.lines.length === 0 && !pages.some(({ codes = [] }) => codes.length > 0)) return NOTHING;
  const { type, sure } = classify(layout, ALL);
  const rules = ALL.find((rules) => rules.type === type);
  const head = { ...layout, lines: layout.lines.slice(0, LABELLED_MAX) };
  const reading = rules ? readFields(head, rules) : null;
  const fields = reading?.fields ?? [];
  const unassigned = unassignedIdentifiers(head, type, fields, transactionLines(head, reading));
  const found = { type, type_sure: sure, fields: [...fields, ...unassigned].map(masked) };
  const recognised = withCodes(found, pages);
  return {
    ...recognised,
    ...yearOf(layout, recognised.type, recognised.fields),
    tables: (reading?.tables ?? []).map(maskedTable),
    head: headOf(pages),
  };
}
