import type { Sending } from '#server/mail/contract.ts';
import { dayInWords } from '#server/text/day-in-india.ts';
import { formatPaise } from '#server/text/rupees.ts';
import type { InvoiceDocument } from './contract.ts';
import { titleOf } from './contract.ts';

/** Goes with the invoice of a payment; `pdf` is null when it could not be drawn. */
export function invoiceEmail(
  document: InvoiceDocument,
  to: Sending['to'],
  billingUrl: string,
  pdf: Buffer | null,
): Sending {
  const title = titleOf(document);
  return {
    kind: 'invoices.issued',
    to,
    email: {
      subject: `${title} ${document.number}`,
      parts: [
        `We have received your payment of ${formatPaise(document.total_paise)}. Thank you.`,
        {
          facts: [
            ['Plan', document.line.description],
            ['Paid for', `${dayInWords(document.line.from)} to ${dayInWords(document.line.to)}`],
            [title, document.number],
            ['Payment', document.payment.id],
          ],
        },
        { action: 'See all payments', href: billingUrl },
      ],
    },
    ...(pdf && {
      attachments: [{ name: fileNameOf(document), type: 'application/pdf', content: pdf }],
    }),
  };
}

/** A slash can stand in a number, but not in a file's name. */
export const fileNameOf = ({ number }: InvoiceDocument): string => `${number.replaceAll('/', '-')}.pdf`;
