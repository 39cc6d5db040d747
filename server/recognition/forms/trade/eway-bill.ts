import type { Reading, TypeRules } from '../rules.ts';
import { findIdentifier } from '../../layout/values.ts';
import type { FieldKey } from '../../contract.ts';

const SIDES: [FieldKey, FieldKey, string][] = [
  [
    'supplier_gstin',
    'supplier_name',
    'gstin of (?:the )?supplier|supplier gstin|from gstin|from|consignor|bill from|dispatch from|from gstin info',
  ],
  [
    'buyer_gstin',
    'buyer_name',
    'gstin of (?:the )?recipient|recipient gstin|to gstin|to|consignee|bill to|ship to|to gstin info',
  ],
];

/** Reads `GSTIN of Supplier: 27…, SHARMA TRADERS`, where the name follows the number. */
function readSides(reading: Reading): void {
  for (const [gstin, name, labels] of SIDES) {
    const found = reading.locate(gstin, { labels });
    if (!found) continue;
    reading.add(
      gstin,
      found.value,
      found.words,
      found.page,
      `eway_bill.${gstin}`,
      found.check === 'failed' ? 0.3 : 0.96,
    );
    reading.fields.at(-1)!.check = found.check!;
    const line = reading.layout.lines[found.line]!;
    const cell = line.cells.find((cell) => cell.words.includes(found.words[0]!));
    const identifier = cell ? findIdentifier(cell.text, 'gstin') : null;
    const rest = cell && identifier ? cell.text.slice(identifier.end).replace(/^[\s,/–-]+/, '') : '';
    if (rest.length > 2)
      reading.add(name, rest, cell!.words.slice(-rest.split(' ').length), line.page, `eway_bill.${name}`);
    else {
      const labelled = reading.locate(
        name,
        labels.replaceAll('gstin', 'name').replace(/\|(?:from|to)\|/, '|'),
      );
      if (labelled)
        reading.add(name, labelled.value, labelled.words, labelled.page, `eway_bill.${name}`, 0.9);
    }
  }
}

/** The bill that accompanies goods in transport. */
export const ewayBill: TypeRules = {
  type: 'eway_bill',
  cues: {
    title: /\be-?\s?way\s+bill\b/i,
    words: [
      /e-?way bill (?:no|number|date)/i,
      /vehicle/i,
      /valid (?:from|until|upto|till)/i,
      /part\s*-?\s*[ab]\b/i,
      /transporter/i,
      /approx distance|distance/i,
    ],
    not: [/^tax invoice/im],
  },
  fields: {
    eway_bill_no: 'e-? ?way ?bill ?(?:no|number)?|ewb ?(?:no|number)?',
    date: 'e-? ?way ?bill date|generated date|generated on|date of generation|ewb date',
    valid_until: 'valid (?:until|upto|till|to)(?: date)?',
    invoice_no: {
      labels: 'document (?:no|number|details)|invoice (?:no|number)|doc no',
      like: /(?:tax invoice\s*-?\s*)?(?<![\w/-])(?=[A-Z/-]*\d)([A-Z0-9][A-Z0-9/-]{0,19})(?![\w/-])/i,
    },
    invoice_date: 'document date|invoice date|doc date|document details',
    total:
      'value of goods|total (?:invoice )?(?:value|amount)|invoice value|tot(?:al)? inv(?:oice)?\\.? ?amt',
    hsn: { labels: 'hsn(?: code| details)?', like: /\b\d{4,8}\b/ },
    vehicle_no: {
      labels: 'vehicle(?:\\/trans doc)? ?(?:no|number)?[^:]{0,20}',
      like: /\b[A-Z]{2}[\s-]?\d{1,2}[\s-]?[A-Z]{0,3}[\s-]?\d{4}\b/i,
    },
    transporter_gstin: 'transporter(?: id| gstin)?(?: (?:and|&) name)?',
    irn: { labels: 'irn', like: /[0-9a-f]{64}/i },
  },
  more: readSides,
};
