import { maskAadhaar } from '#server/text/aadhaar.ts';
import type {
  DocumentType,
  Recognised,
  RecognisedCode,
  RecognisedField,
  RecognisedPage,
} from '../contract.ts';
import { UNSURE } from '../contract.ts';
import { SHAPES, shapeOf } from '../identifiers/shapes.ts';
import type { CodeValue } from './token.ts';
import { readToken } from './token.ts';

type Known = Pick<Recognised, 'type_sure' | 'fields'> & { type: DocumentType | null };

/** Tolerance in paise, since a page may show the total rounded to a rupee. */
const ROUNDING = 100;
const SURE = { agrees: 0.99, onlyInCode: 0.98, differs: 0.5 };

const alphanumeric = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
function isSame({ kind, value }: CodeValue, printed: string): boolean {
  if (kind === 'amount') return Math.abs(Number(value) - Number(printed)) < ROUNDING;
  return alphanumeric(value) === alphanumeric(printed);
}

const checkOf = ({ key, kind, value }: CodeValue): Pick<RecognisedField, 'check'> => {
  const shape = kind === 'identifier' ? SHAPES[shapeOf(key) ?? ''] : undefined;
  return shape ? { check: shape.check(value) } : {};
};

/** The contents of the codes on the pages, without duplicates. */
function codesOf(pages: readonly RecognisedPage[]) {
  const tokens = new Set<string>();
  return pages.flatMap(({ page, codes = [] }) =>
    codes.flatMap(({ text: token, box }) => {
      const content = tokens.has(token) ? null : readToken(token);
      tokens.add(token);
      return content ? [{ page, box, token, content }] : [];
    }),
  );
}

/** The document type: an invoice with a registered code is an e-invoice. */
function withType({ type, type_sure }: Known, document: string | null): Pick<Known, 'type' | 'type_sure'> {
  const mayChange = type === null || type_sure < UNSURE || type === 'invoice' || type === 'e_invoice';
  if (!mayChange) return { type, type_sure };
  if (document === 'CRN') return { type: 'credit_note', type_sure: 0.97 };
  return document === 'INV' || type === null ? { type: 'e_invoice', type_sure: 0.98 } : { type, type_sure };
}

/**
 * Merges the QR codes of e-invoices with the printed values. Equal values are certain; values missing on the page
 * come from the code; values that differ go to Review, unless OCR confusions or a check digit show that the page was
 * misread.
 */
export function withCodes(
  known: Known,
  pages: readonly RecognisedPage[],
): Known & { codes: RecognisedCode[] } {
  const codes = codesOf(pages);
  const first = codes[0];
  if (!first) return { ...known, codes: [] };
  const scanned = new Set(pages.filter(({ sure }) => sure !== undefined).map(({ page }) => page));
  const fields = known.fields.map((field) => ({ ...field }));

  const compared = first.content.values.map((inCode) => {
    const { key, kind } = inCode;
    const [value, raw] =
      kind === 'text'
        ? [maskAadhaar(inCode.value).text, maskAadhaar(inCode.raw).text]
        : [inCode.value, inCode.raw];
    const fromCode = { value, raw, page: first.page, box: first.box, ...checkOf(inCode) };
    const printed = fields.filter((field) => field.key === key);
    const same = printed.find((field) => isSame(inCode, field.value));
    const [other] = printed;
    const printedValue = (same ?? other)?.value ?? null;
    if (same) same.sure = Math.max(same.sure, SURE.agrees);
    else if (!other) fields.push({ key, kind, ...fromCode, sure: SURE.onlyInCode, rule: `code.${key}` });
    else if (other.check === 'failed' || other.sure < UNSURE || scanned.has(other.page)) {
      const misread = other.check === 'failed' || (other.sure < UNSURE && scanned.has(other.page));
      Object.assign(other, fromCode, {
        sure: misread ? SURE.onlyInCode : SURE.differs,
        rule: `code.${key}.differs`,
      });
    } else other.sure = SURE.differs;
    return { key, kind, value, printed: printedValue, same: same !== undefined };
  });

  return {
    ...withType(known, first.content.document),
    fields,
    codes: codes.map(({ page, box, token, content }, index) => ({
      page,
      box,
      token,
      said:
        index === 0
          ? compared
          : content.values.map(({ key, kind, value }) => ({ key, kind, value, printed: null, same: false })),
    })),
  };
}
