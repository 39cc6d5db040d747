import type { FieldKey } from '../../contract.ts';
import { wordsBetween } from '../../layout/labels.ts';
import { findIdentifier } from '../../layout/values.ts';
import type { Cell, Line } from '../../layout/page.ts';
import { identifiersAfter } from '../../values/party-name.ts';
import type { Reading } from '../rules.ts';

const SELLER =
  /^(?:details of )?(?:the )?(?:supplier|seller|sold by|billed by|bill from|from|consignor|dispatch(?:ed)? from|issued by|vendor|service provider)\b[^:]{0,20}:?/i;
const BUYER =
  /^(?:details of )?(?:the )?(?:(?:bill(?:ed)?|invoice[d]?|sold|issued|supplied)[\s-]*to|buyer|customer|recipient|receiver|client|purchaser|party|m\/s|to\b|bill to|consignee \(?bill)[^:]{0,30}:?/i;
const OTHER =
  /^(?:ship(?:ped)?[\s-]*to|deliver(?:y|ed)?[\s-]*(?:to|address)|consignee|transporter|place of delivery)\b[^:]{0,20}:?/i;

interface Heading {
  side: 'supplier' | 'buyer' | 'other';
  line: Line;
  index: number;
  cell: Cell;
}

/** Headings over the name and address of a party. */
function partyHeadings({ layout }: Reading): Heading[] {
  return layout.lines.slice(0, 120).flatMap((line, index) =>
    line.cells.flatMap((cell) => {
      const side = OTHER.test(cell.text)
        ? 'other'
        : BUYER.test(cell.text)
          ? 'buyer'
          : SELLER.test(cell.text)
            ? 'supplier'
            : null;
      const isHeading = cell.text.length < 45 || /^[^:]{2,40}:/.test(cell.text);
      return side && isHeading ? [{ side: side as Heading['side'], line, index, cell }] : [];
    }),
  );
}

/** The heading of a position: the nearest above that does not begin further right. */
function headingAbove(
  headings: readonly Heading[],
  line: Line,
  index: number,
  cell: Cell,
): Heading | undefined {
  const above = headings.filter(
    (heading) =>
      heading.line.page === line.page &&
      (heading.index < index || (heading.index === index && heading.cell.left <= cell.left)),
  );
  const sideBySide = above.filter(
    (heading) =>
      heading.cell.left <= cell.left + 80 &&
      !above.some(
        (rival) =>
          Math.abs(rival.index - heading.index) <= 2 &&
          rival.cell.left > heading.cell.right &&
          rival.cell.left <= cell.left + 80,
      ),
  );
  return sideBySide.toSorted((a, b) => b.index - a.index || b.cell.left - a.cell.left)[0];
}

const NO_NAME =
  /gstin|^product\b|^particulars\b|^description\b|^reverse\b|^ack\b|^acknowledge|\bno\.?$|number$|details of|bill(?:ed)? to|buyer|ship(?:ped)? to|recipient|receiver|invoice|\bno\b\.?\s*:|date|original|duplicate|tax|phone|mobile|email|e-mail|@|www\.|^\W*$|irn\b|^page|state\b|code\b|address|^\(.*\)$|bill of supply|challan|credit|debit|e-?way|copy|whether|supply/i;
const NAME_LABEL = /^(?:(?:company|trade|legal|party|customer|buyer|supplier)?\s*name|m\/s)\b\.?\s*:?\s*/i;

/** `Buyer GSTIN: 27AABCB7788L1Z5`: the heading of a number, under which there is no name. */
const NUMBER_HEADING = /^[^:]{0,40}\b(?:gstin|uin|pan)\b[^:]{0,10}:/i;
/** Whether the text begins with a GSTIN or PAN, however readable. */
const isNumber = (text: string): boolean =>
  findIdentifier(text, 'gstin')?.start === 0 || findIdentifier(text, 'pan')?.start === 0;

function nameUnder(
  reading: Reading,
  { line, index, cell }: Heading,
): { text: string; words: Cell['words']; page: number } | null {
  const inline = cell.text.replace(BUYER, '').replace(/^[\s:,-]+/, '');
  const colon = cell.text.indexOf(':');
  if (colon > 0 && colon < 40 && cell.text.length > colon + 4) {
    const text = cell.text
      .slice(colon + 1)
      .replace(NAME_LABEL, '')
      .trim();
    const words = cell.words.slice(-text.split(' ').length);
    return isNumber(text) ? null : { text, words, page: line.page };
  }
  if (/^m\/s/i.test(cell.text) && inline.length > 3)
    return { text: inline, words: cell.words.slice(1), page: line.page };
  for (let next = index; next <= index + 3; next += 1) {
    const under = reading.layout.lines[next];
    if (!under || under.page !== line.page) break;
    for (const candidate of under.cells) {
      if (
        next === index
          ? candidate.left < cell.right || !/:\s*$|^(?:name|m\/s)/i.test(cell.text)
          : candidate.left > cell.right + 200 ||
            candidate.right < cell.left ||
            candidate.left < cell.left - 150
      )
        continue;
      const text = candidate.text.replace(NAME_LABEL, '').trim();
      if (text.length < 3 || NO_NAME.test(text) || isNumber(text)) continue;
      return { text, words: candidate.words.slice(-text.split(' ').length), page: under.page };
    }
  }
  return null;
}

/** A name followed by the address: `Sharma Traders, 12, Station Road`. */
const NAME_WITH_ADDRESS = /^([A-Z][A-Za-z&.' ]{5,60}),\s*(?:\d|plot|shop|flat|h\.?\s?no)/i;

const COLUMN_HEAD =
  /^(?:s\.? ?no|sr|sl|#|hsn|sac|items?|description|particulars|goods|qty|quantity|rate|unit|price|disc|taxable|[csi]gst|utgst|cess|gst|tax|amount|total|value|date|invoice|party)\b[^:]*$/i;
const COLUMN_HEADS = new RegExp(
  String.raw`\b(?:hsn|sac|items?|description|particulars|qty|quantity|rate|unit|price|disc|taxable|[csi]gst|utgst|cess|amount|total|value)\b`,
  'gi',
);
/** Cells set close together are read as one, so that a heading row may have few cells. */
const isTableHeading = ({ cells, text }: Line): boolean =>
  (text.match(COLUMN_HEADS)?.length ?? 0) >= 3 && cells.some((cell) => COLUMN_HEAD.test(cell.text));

/** The name on the letterhead, above the table: the first line or the largest, unless it is a title. */
function letterhead(
  { layout }: Reading,
  headings: readonly Heading[],
): { text: string; words: Cell['words']; page: number; isFirst: boolean } | null {
  const table = layout.lines.findIndex(isTableHeading);
  const top = layout.lines.slice(0, table < 0 ? 12 : Math.min(12, table)).flatMap((line, index) =>
    line.cells.map((cell) => {
      const side = headingAbove(headings, line, index, cell)?.side ?? 'supplier';
      // `Bharat Steel Pvt Ltd GSTIN 27AABCB7788L1Z5`
      const end = side === 'supplier' ? identifiersAfter(cell.text) : undefined;
      return { line, cell, text: cell.text.slice(0, end).trim() };
    }),
  );
  const names = top.filter(
    ({ text }) => text.length > 3 && /[a-z]{3}/i.test(text) && !/:|\d{4}/.test(text) && !NO_NAME.test(text),
  );
  const size = ({ cell }: { cell: Cell }) => Math.max(...cell.words.map(({ top: a, bottom: b }) => b - a));
  const nameWithAddress = top.find(
    ({ cell }) => NAME_WITH_ADDRESS.test(cell.text) && !NO_NAME.test(cell.text.split(',')[0]!),
  );
  if (nameWithAddress && !names.some(({ cell }) => cell.top <= nameWithAddress.cell.top)) {
    const text = NAME_WITH_ADDRESS.exec(nameWithAddress.cell.text)![1]!;
    return {
      text,
      words: nameWithAddress.cell.words.slice(0, text.split(' ').length),
      page: nameWithAddress.line.page,
      isFirst: true,
    };
  }
  const best = names.toSorted(
    (a, b) => size(b) - size(a) - (Math.abs(size(a) - size(b)) < 8 ? size(b) - size(a) : 0),
  )[0];
  if (!best) return null;
  const words = best.cell.words.slice(0, best.text.split(' ').length);
  return { text: best.text, words, page: best.line.page, isFirst: best === names[0] };
}

/** Reads supplier and buyer by the heading of each GSTIN; without a heading it is the supplier's. */
export function readParties(reading: Reading): void {
  const headings = partyHeadings(reading);
  const keysRead = new Set<string>();
  for (const shape of ['gstin', 'pan'] as const)
    for (const [index, line] of reading.layout.lines.slice(0, 150).entries())
      for (const cell of line.cells) {
        const identifier = findIdentifier(cell.text, shape);
        if (!identifier || (identifier.check === 'failed' && shape === 'pan')) continue;
        const labelInCell = /^(supplier|seller|buyer|recipient|customer|consignee|ship|transporter|party)/i
          .exec(cell.text)?.[1]
          ?.toLowerCase();
        const labelCell = /gstin|pan\b/i.test(cell.text)
          ? undefined
          : line.cells.findLast((left) => left.right <= cell.left && /gstin|pan\b/i.test(left.text));
        const partyLabel =
          labelInCell ??
          /^(supplier|seller|buyer|recipient|customer|consignee|ship|transporter|party)/i
            .exec(labelCell?.text ?? '')?.[1]
            ?.toLowerCase();
        const heading = headingAbove(headings, line, index, labelCell ?? cell);
        const side = partyLabel
          ? /^(?:supplier|seller)/.test(partyLabel)
            ? 'supplier'
            : /^(?:buyer|recipient|customer|party)/.test(partyLabel)
              ? 'buyer'
              : 'other'
          : (heading?.side ?? 'supplier');
        const key = `${side}_${shape}` as FieldKey;
        if (side === 'other' || keysRead.has(key)) continue;
        keysRead.add(key);
        const failed = identifier.check === 'failed';
        reading.add(
          key,
          identifier.value,
          wordsBetween(cell, identifier.start, identifier.end),
          line.page,
          `parties.${key}`,
          failed ? 0.3 : heading || side === 'supplier' ? 0.95 : 0.85,
        );
        reading.fields.at(-1)!.check = identifier.check!;
      }
  for (const side of ['supplier', 'buyer'] as const) {
    if (reading.value(`${side}_name`)) continue;
    const heading = headings.find(
      (heading) =>
        heading.side === side &&
        !NUMBER_HEADING.test(heading.cell.text) &&
        (side === 'buyer' || !/^from\b/i.test(heading.cell.text) || heading.cell.text.length < 12),
    );
    const named = heading && nameUnder(reading, heading);
    const top = !named && side === 'supplier' ? letterhead(reading, headings) : null;
    const name = named ?? top;
    if (name)
      reading.add(
        `${side}_name`,
        name.text,
        name.words,
        name.page,
        `parties.${side}_name`,
        // Chosen for its size over what stands above it, a name is a guess.
        named ? 0.93 : top?.isFirst === false ? 0.85 : 0.9,
      );
  }
}
