import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync, sign } from 'node:crypto';
import PdfDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { encode } from 'uqr';

export const SIGNED = {
  SellerGstin: '27AAAPZ0000Q1ZL',
  BuyerGstin: '27AAPFU0939F1ZV',
  DocNo: 'MT/2026/0417',
  DocTyp: 'INV',
  DocDt: '07/04/2026',
  TotInvVal: 118590.5,
  ItemCnt: 2,
  MainHsnCode: '84713010',
  Irn: '5f'.repeat(32),
  IrnDt: '2026-04-07 12:34:00',
};

export const portalKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The signed text of an e-invoice, as the portal makes it. */
export function token(key: KeyObject, says: Record<string, unknown> = SIGNED): string {
  const text = `${part({ alg: 'RS256', kid: '1', typ: 'JWT' })}.${part({ data: JSON.stringify(says), iss: 'NIC' })}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}

/** An e-invoice of one page with a code of 5 cm. */
export async function eInvoice(code: string, lines: readonly string[] = LINES): Promise<Buffer> {
  const page = new PdfDocument({ size: 'A4', margin: 40 });
  const bytes = buffer(page);
  for (const [index, line] of lines.entries()) page.fontSize(10).text(line, 40, 200 + index * 20);
  const { data, size } = encode(code, { border: 0 });
  const side = 142 / size;
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries())
      if (dark) page.rect(410 + x * side, 40 + y * side, side, side).fill('black');
  page.end();
  return bytes;
}

export const LINES = [
  'TAX INVOICE',
  `IRN: ${SIGNED.Irn}`,
  'Ack No: 112010036563310    Ack Date: 07/04/2026',
  'Supplier: Mahalaxmi Traders    GSTIN: 27AAAPZ0000Q1ZL',
  'Invoice No: MT/2026/0417    Invoice Date: 07-04-2026',
  'Bill to: Kaveri Stores    GSTIN: 27AAPFU0939F1ZV',
  'Place of supply: Maharashtra (27)',
  'Taxable value: 1,00,500.42',
  'CGST: 9,045.04    SGST: 9,045.04',
  'Invoice total: 1,18,590.50',
];
