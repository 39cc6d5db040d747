import type { Sheet } from '#server/pdf/sheet.ts';
import { dayInWords } from '#server/text/day-in-india.ts';
import { formatAmount, formatPaise } from '#server/text/rupees.ts';
import type { InvoiceDocument } from './contract.ts';
import { STATES, titleOf } from './contract.ts';
import { inWords } from './words.ts';

const LEFT = 48;
const RIGHT = 547;
const MIDDLE = 310;
const GREY = '#4b5563';

const METHODS: Readonly<Record<string, string>> = { upi: 'UPI', emi: 'EMI', netbanking: 'net banking' };

const place = (state: string) => `${STATES[state]} (${state})`;

function party(
  sheet: Sheet,
  heading: string,
  { name, address, gstin, state }: InvoiceDocument['buyer'],
  x: number,
  y: number,
): number {
  const width = 230;
  let bottom = sheet.text(heading, x, y, { size: 8, color: GREY });
  bottom = sheet.text(name, x, bottom + 1, { bold: true, size: 11, width });
  if (address) bottom = sheet.text(address, x, bottom, { width });
  if (gstin) bottom = sheet.text(`GSTIN ${gstin}`, x, bottom, { width });
  if (state) bottom = sheet.text(`State ${place(state)}`, x, bottom, { width });
  return bottom;
}

function head(sheet: Sheet, document: InvoiceDocument): number {
  sheet.text(titleOf(document), LEFT, 48, { size: 20, bold: true });
  sheet.text('Original for recipient', LEFT, 78, { size: 8, color: GREY });
  sheet.text(`No. ${document.number}`, RIGHT, 50, { bold: true, size: 11, align: 'right' });
  sheet.text(`Date ${dayInWords(document.issued_at)}`, RIGHT, 67, { align: 'right' });
  sheet.rule(98);
  const seller = party(sheet, 'From', document.seller, LEFT, 110);
  const buyer = party(sheet, 'To', document.buyer, MIDDLE, 110);
  let y = Math.max(seller, buyer) + 10;
  if (document.kind === 'tax_invoice') {
    sheet.text(`Place of supply: ${place(document.place_of_supply)}`, LEFT, y);
    sheet.text('Tax payable on reverse charge: No', MIDDLE, y);
    y += 18;
  }
  return y + 4;
}

function lines(sheet: Sheet, document: InvoiceDocument, top: number): number {
  const { line } = document;
  const note = { size: 8, color: GREY };
  const taxed = document.kind === 'tax_invoice';
  sheet.rule(top);
  sheet.text('Description', LEFT, top + 7, note);
  if (taxed) sheet.text('SAC', 360, top + 7, note);
  sheet.text(taxed ? 'Taxable value ₹' : 'Amount ₹', RIGHT, top + 7, { ...note, align: 'right' });
  sheet.rule(top + 24);
  const y = top + 32;
  const below = sheet.text(line.description, LEFT, y, { bold: true, width: 295 });
  const end = sheet.text(`${dayInWords(line.from)} to ${dayInWords(line.to)}`, LEFT, below, note);
  if (taxed) sheet.text(line.sac, 360, y);
  sheet.text(formatAmount(document.taxable_paise), RIGHT, y, { align: 'right' });
  sheet.rule(end + 6);
  return end + 16;
}

function sums(sheet: Sheet, document: InvoiceDocument, top: number): number {
  let y = top;
  const row = (name: string, amount: string, bold = false) => {
    sheet.text(name, 360, y, { bold });
    sheet.text(amount, RIGHT, y, { bold, align: 'right' });
    y += 17;
  };
  if (document.kind === 'tax_invoice') {
    row('Taxable value', formatAmount(document.taxable_paise));
    for (const { name, percent, paise } of document.taxes) row(`${name} ${percent}%`, formatAmount(paise));
    if (document.rounding_paise !== 0) row('Rounding', formatAmount(document.rounding_paise));
  }
  row('Total', formatPaise(document.total_paise), true);
  return sheet.text(inWords(document.total_paise), LEFT, y + 8, { width: RIGHT - LEFT });
}

/** The invoice as a PDF of one page. */
export async function invoicePdf(document: InvoiceDocument): Promise<Buffer> {
  // The drawing library is large, and most servers draw an invoice a week.
  const { onePage } = await import('#server/pdf/sheet.ts');
  return onePage(`${titleOf(document)} ${document.number}`, (sheet) => {
    const y = sums(sheet, document, lines(sheet, document, head(sheet, document)));
    const { payment } = document;
    const by = payment.method ? ` by ${METHODS[payment.method] ?? payment.method}` : '';
    sheet.rule(y + 14);
    const width = RIGHT - LEFT;
    const color = GREY;
    const next = sheet.text(
      `Paid on ${dayInWords(payment.paid_at)}${by}, payment ${payment.id}.`,
      LEFT,
      y + 24,
      {
        color,
        width,
      },
    );
    const made = 'Made by a computer; valid without a signature.';
    const untaxed = 'This is a receipt, not a tax invoice.';
    sheet.text(document.kind === 'receipt' ? `${untaxed} ${made}` : made, LEFT, next, { color, width });
  });
}
