import type { Reading, TypeRules } from '../rules.ts';
import { SUMS, checkSums, valueByDifference } from './amounts.ts';
import { readLines } from './lines.ts';
import { readParties } from './parties.ts';
import { isRegister } from './register.ts';

/** An invoice number: at most sixteen characters with a digit (rule 46), and not the beginning of an amount. */
const NUMBER = /(?<![\w/-]|\d[.,])(?=[A-Z/-]*\d)([A-Z0-9][A-Z0-9/-]{0,19})(?![\w/-]|[.,]\d)/i;

const HEAD: NonNullable<TypeRules['fields']> = {
  invoice_no: [
    {
      labels:
        '(?:tax )?(?:invoice|inv|bill|document|doc)\\.? ?(?:no|number|#)|invoice #|inv no|serial no(?: of invoice)?',
      like: NUMBER,
    },
    { labels: 'invoice|bill no', like: NUMBER, where: 'beside' },
  ],
  invoice_date: [
    '(?:invoice|inv|bill|document|doc)\\.? date|date of (?:issue|invoice)|invoice dt|dated|dt',
    'date',
  ],
  due_date: 'due date|payment due(?: date)?|due on|pay by',
  place_of_supply: { labels: 'place of supply(?: \\(pos\\))?|pos', like: /^[\s:]*(.{2,40}?)\s*$/ },
  reverse_charge: {
    labels: '(?:whether )?(?:tax (?:is )?payable (?:on|under) )?reverse charge[^:?]{0,25}\\??',
    like: /\b(yes|no|y|n)\b/i,
  },
};

function readWhole(reading: Reading): void {
  readParties(reading);
  readLines(reading);
  valueByDifference(reading);
  checkSums(reading);
}

const WORDS = [
  /gstin/i,
  /hsn|sac/i,
  /cgst|igst/i,
  /place of supply/i,
  /bill(?:ed)? to|buyer|recipient/i,
  /invoice (?:no|number|date)/i,
];

/** A tax invoice or bill of supply. */
export const invoice: TypeRules = {
  type: 'invoice',
  cues: {
    unless: isRegister,
    // `Invoice No.` is only a label, which is also on documents that accompany an invoice.
    title:
      /^(?:original\s+)?(?:gst\s+)?(?:tax\s+|proforma\s+|retail\s+|commercial\s+)?invoice\b(?!\s+(?:no|number|date|dt)\b)|\btax\s+invoice\b|bill\s+of\s+supply/i,
    words: WORDS,
    not: [
      /\b(?:credit|debit) note ?(?:no|number|date|#|\s*$)/im,
      /\bIRN\b[\s\S]{0,80}[0-9a-f]{20}/i,
      /e-?way bill (?:system|details)/i,
      /gstr\s?-?\s?(?:1|2b|3b|9)\b/i,
    ],
  },
  fields: { ...HEAD, ...SUMS },
  more: readWhole,
};

/** Reads the 64 characters of an IRN that is split over two lines of a cell. */
function splitIrn(reading: Reading): void {
  if (reading.value('irn')) return;
  const { lines } = reading.layout;
  for (const [index, line] of lines.entries())
    for (const cell of line.cells) {
      const first = /(?:^|[\s:])([0-9a-f]{24,63})$/i.exec(cell.text)?.[1];
      if (!first) continue;
      for (const next of lines.slice(index + 1, index + 4)) {
        const under = next.cells.find(
          ({ text }) => text.length === 64 - first.length && /^[0-9a-f]+$/i.test(text),
        );
        if (!under || next.page !== line.page) continue;
        const words = [...cell.words.slice(-1), ...under.words];
        reading.add(
          'irn',
          `${first}${under.text}`.toUpperCase(),
          words,
          line.page,
          'e_invoice.irn.lines',
          0.93,
        );
        reading.fields.at(-1)!.check = 'shape';
        return;
      }
    }
}

/** An invoice that was registered: it bears an invoice reference number and a QR code. */
export const eInvoice: TypeRules = {
  type: 'e_invoice',
  cues: {
    unless: isRegister,
    title: /\be-?\s?invoice\b|^(?:tax\s+)?invoice\b(?!\s+(?:no|number|date|dt)\b)|\btax\s+invoice\b/i,
    words: [
      /\bIRN\b\s*(?:no\.?|number)?\s*:?\s*[0-9a-f]{20}/i,
      /\bIRN\b/,
      /ack(?:nowledge?ment)?\.?\s*(?:no|date|dt)/i,
      /invoice reference number/i,
      /[0-9a-f]{64}/i,
      /gstin/i,
    ],
    not: [/\b(?:credit|debit) note (?:no|number|date)/i, /e-?way bill (?:system|details)/i],
  },
  fields: {
    irn: 'irn(?: no| number)?|invoice reference (?:number|no)',
    irn_ack_no: 'ack(?:nowledge?ment)?\\.? ?(?:no|number)',
    irn_date: 'ack(?:nowledge?ment)?\\.? ?(?:date|dt)|irn date',
    ...HEAD,
    ...SUMS,
  },
  more(reading) {
    readWhole(reading);
    splitIrn(reading);
  },
};

/** A credit note, with the invoice that it reverses. */
export const creditNote: TypeRules = {
  type: 'credit_note',
  cues: {
    unless: isRegister,
    title: /^(?:gst\s+|tax\s+)?credit\s+note\b/i,
    words: [
      /credit note (?:no|number|date)/i,
      /original invoice|against invoice|ref(?:erence)? invoice/i,
      /gstin/i,
      /cgst|igst/i,
    ],
  },
  fields: {
    original_invoice_no: {
      labels:
        '(?:original|against|reference|ref|corresponding)\\.? (?:tax )?(?:invoice|inv|bill)\\.? ?(?:no|number|ref)?\\.?(?: ?(?:&|and) date)?',
      like: NUMBER,
    },
    original_invoice_date: [
      '(?:original|against|reference|ref|corresponding)\\.? (?:invoice|inv|bill)\\.? (?:date|dt)|date of (?:original )?invoice',
      '(?:original|against) (?:invoice|inv|bill)\\.? ?(?:no|number)\\.? ?(?:&|and) date',
    ],
    invoice_no: { labels: '(?:credit note|cn|note|document)\\.? ?(?:no|number|#)', like: NUMBER },
    invoice_date: [
      '(?:credit note|cn|note|document)\\.? (?:date|dt)|credit date|date of (?:issue|note|credit note)',
      'dated?',
    ],
    place_of_supply: HEAD.place_of_supply!,
    ...SUMS,
  },
  more: readWhole,
};
