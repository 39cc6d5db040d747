import { findAmount } from '../../layout/values.ts';
import type { FieldRule, Reading, TypeRules } from '../rules.ts';

const last = (labels: string): FieldRule => ({ labels, nth: -1 });
// One class of signs between two words: several optional ones could share a line of dots or of such words among them in so many ways that
// it took minutes.
const BEFORE = '(?:(?:add|less|output|input|total)[\\s.:]*)*';
/** Beside its label first: a heading over the lines has the same label. */
const sum = (labels: string): FieldRule[] => [
  { labels: `total ${labels}`, nth: -1, where: 'beside' },
  { labels: `${BEFORE}${labels}`, nth: -1, where: 'beside' },
  last(`${BEFORE}${labels}`),
];
const RATE = '(?:[\\s.]*(?:output|payable|amount|amt|tax))?(?:[\\s.@(]*\\d[\\d.]*\\s?%\\)?)?(?: amount)?';

/** The sums under the lines of an invoice. */
export const SUMS: NonNullable<TypeRules['fields']> = {
  taxable_value: last(
    '(?:total )?taxable (?:value|amount|amt)|sub ?-?total|total before tax|net amount before tax|assessable value|amount before tax|basic amount|total taxable',
  ),
  igst: sum(`(?:igst|integrated (?:gst|tax))${RATE}`),
  cgst: sum(`(?:cgst|central (?:gst|tax))${RATE}`),
  sgst: sum(`(?:sgst(?: ?\\/ ?utgst)?|utgst|state (?:gst|tax)|state\\/ut tax)${RATE}`),
  gst_cess: last('(?:compensation )?cess(?: amount)?'),
  round_off: last('round(?:ed|ing)?[ -]?off|rounding(?: adjustment)?|round off \\([+-/]+\\)'),
  total: [
    last(
      '(?:grand total|(?:total )?invoice (?:value|total|amount)|total amount after tax|net (?:amount )?payable|amount payable|total payable|total amount payable|total value|credit note (?:value|total)|net credit|note value|net amount|balance due|amount due)(?: \\(?(?:in )?(?:inr|rs\\.?|₹|figures)\\)?)?',
    ),
    last('total(?: amount)?(?: \\(?(?:in )?(?:inr|rs\\.?|₹)\\)?)?'),
  ],
};

const TAXES = ['igst', 'cgst', 'sgst', 'gst_cess', 'round_off'] as const;
/** In paise. */
const TOLERANCE = 100;

/** Makes `Less : Rounded Off 0.35` negative. */
function negateRoundingDown({ layout, fields }: Reading): void {
  for (const field of fields) {
    if (field.key !== 'round_off' || !field.box || Number(field.value) <= 0) continue;
    const line = layout.lines.find(
      ({ page, text }) => page === field.page && text.includes(field.raw) && /round/i.test(text),
    );
    if (line && /^[\s\d.)]*less\b/i.test(line.text)) field.value = String(-Number(field.value));
  }
}

/** Takes an unlabelled amount that equals the total less taxes as the taxable value. */
export function valueByDifference(reading: Reading): void {
  negateRoundingDown(reading);
  const total = reading.value('total');
  const taxes = TAXES.flatMap((key) => reading.value(key) ?? []);
  if (reading.value('taxable_value') !== undefined || total === undefined || taxes.length === 0) return;
  const value = Number(total) - taxes.reduce((sum, tax) => sum + Number(tax), 0);
  for (const line of reading.layout.lines)
    for (const cell of line.cells) {
      if (value <= 0 || !/^[\s₹\d.,]+$/.test(cell.text)) continue;
      if (findAmount(cell.text)?.value !== String(value)) continue;
      reading.add('taxable_value', String(value), cell.words, line.page, `${reading.type}.difference`);
      return;
    }
}

/**
 * Checks that taxable value and taxes add up to the total, to a rupee: raises the confidence of all of them, or
 * lowers it.
 */
export function checkSums(reading: Reading): void {
  const [value, total] = [reading.value('taxable_value'), reading.value('total')].map((amount) =>
    amount === undefined ? null : Number(amount),
  );
  if (value === null || total === null || value === undefined || total === undefined) return;
  const taxes = TAXES.reduce((sum, key) => sum + Number(reading.value(key) ?? 0), 0);
  const differs = Math.abs(value + taxes - total) > TOLERANCE;
  for (const field of reading.fields)
    if (field.kind === 'amount' && field.key !== 'round_off')
      field.sure = differs ? Math.min(field.sure, 0.75) : 0.99;
}
