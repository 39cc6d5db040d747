import type { FieldsData } from '@kenjiuno/msgreader';
import msgreader from '@kenjiuno/msgreader';
import type { MailPerson } from '../contract.ts';
import type { Attachment, Mail } from './mail.ts';

const person = (name?: string, ...addresses: (string | undefined)[]): MailPerson => ({
  name: name ?? '',
  // Within one organisation Outlook writes an address of its directory instead.
  address: addresses.find((one) => one?.includes('@')) ?? '',
});

function htmlOf({ bodyHtml, html, internetCodepage }: FieldsData): string | null {
  if (bodyHtml) return bodyHtml;
  if (!html?.length) return null;
  const label = !internetCodepage || internetCodepage === 65_001 ? 'utf-8' : `windows-${internetCodepage}`;
  try {
    return new TextDecoder(label).decode(html);
  } catch {
    return new TextDecoder('utf-8').decode(html);
  }
}

/** An e-mail that Outlook saved (.msg). */
export function readOutlook(bytes: Buffer): Mail {
  const reader = new msgreader.default(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
  const data = reader.getFileData();
  if (data.error) throw new Error(data.error);
  const to = (...kinds: (string | undefined)[]) =>
    (data.recipients ?? [])
      .filter(({ recipType }) => kinds.includes(recipType))
      .map(({ name, smtpAddress, email }) => person(name, smtpAddress, email));
  const sent = Date.parse(data.clientSubmitTime ?? data.messageDeliveryTime ?? '');
  return {
    subject: data.subject ?? '',
    from: [
      person(data.senderName, data.senderSmtpAddress, data.senderEmail, data.sentRepresentingSmtpAddress),
    ],
    to: to('to', undefined),
    cc: to('cc', 'bcc'),
    sentAt: Number.isNaN(sent) ? null : new Date(sent).toISOString(),
    html: htmlOf(data),
    text: data.body ?? '',
    attachments: (data.attachments ?? []).map((one): Attachment => {
      const inner = one.innerMsgContent === true;
      const name = one.fileName ?? one.fileNameShort ?? one.name ?? null;
      return {
        name: inner ? `${(one.innerMsgContentFields?.subject ?? name ?? 'message').slice(0, 200)}.msg` : name,
        type: one.attachMimeTag ?? '',
        contentId: one.pidContentId ?? null,
        size: one.contentLength ?? 0,
        content: () => reader.getAttachment(one).content,
      };
    }),
  };
}
