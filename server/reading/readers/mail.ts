import type { MailPerson } from '#server/previews/contract.ts';
import { nameOf, readMail } from '#server/previews/convert/mail.ts';
import type { FileText } from './contract.ts';
import type { Budget } from './limits.ts';
import { Refused } from './limits.ts';
import { htmlText } from './markup.ts';

const people = (all: readonly MailPerson[]): string =>
  all.map(({ name, address }) => [name, address].filter(Boolean).join(' ')).join(', ');

/** Reads an e-mail: sender, recipients, subject, body, and the names of attachments. */
export async function readMessage(bytes: Buffer, budget: Budget): Promise<FileText> {
  const mail = await readMail(bytes).catch((error: Error) => {
    throw new Refused('damaged', error.message);
  });
  const { subject, from, to, cc, sentAt, html, text, attachments } = mail;
  const names = attachments.slice(0, 500).map((attachment, index) => nameOf(attachment, index));
  const lines = [
    subject,
    from.length > 0 && `From: ${people(from)}`,
    to.length > 0 && `To: ${people(to)}`,
    cc.length > 0 && `Cc: ${people(cc)}`,
    sentAt && `Sent: ${sentAt.slice(0, 10)}`,
    names.length > 0 && `Attachments: ${names.join(', ')}`,
    html === null ? text : htmlText(html),
  ];
  const content = budget.take(lines.filter(Boolean).join('\n'));
  return { kind: 'whole', pages: [{ page: 1, label: '', text: content }], count: 1, cut: budget.cut };
}
