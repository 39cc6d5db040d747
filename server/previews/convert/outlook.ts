import type { FieldsData } from '@kenjiuno/msgreader';
import msgreader from '@kenjiuno/msgreader';
import { decompressRTF } from '@kenjiuno/decompressrtf';
import { deEncapsulateSync } from 'rtf-stream-parser';
import type { MailPerson } from '../contract.ts';
import type { Attachment, Mail } from './mail.ts';

const person = (name?: string, ...addresses: (string | undefined)[]): MailPerson => ({
  name: name ?? '',
  // Within an organisation Outlook stores an Exchange directory address (without `@`) instead.
  address: addresses.find((address) => address?.includes('@')) ?? '',
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

/** @param codepage the name in RTF: `cp1252`. */
function decoded(bytes: Uint8Array, codepage: string): string {
  const number = /\d+$/.exec(codepage)?.[0] ?? '1252';
  const labels: Record<string, string> = {
    65001: 'utf-8',
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
  };
  try {
    return new TextDecoder(labels[number] ?? `windows-${number}`).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The maximum unpacked size of RTF, in bytes. */
const RTF_MAX = 16 * 1024 * 1024;

/** The text of an e-mail that is stored only as RTF: its encapsulated HTML or text, or the plain text of genuine RTF. */
function fromRtf({ compressedRtf }: FieldsData): { html: string | null; text: string } {
  if (!compressedRtf?.length) return { html: null, text: '' };
  // Bytes 4 to 7 of compressed RTF are the unpacked size.
  const packed = Buffer.from(compressedRtf);
  if (packed.length < 16 || packed.readUInt32LE(4) > RTF_MAX) return { html: null, text: '' };
  const rtf = Buffer.from(decompressRTF([...packed]));
  try {
    const { mode, text } = deEncapsulateSync(rtf, { decode: decoded, replaceSymbolFontChars: true });
    if (typeof text !== 'string') return { html: null, text: '' };
    return mode === 'html' ? { html: text, text: '' } : { html: null, text };
  } catch {
    return { html: null, text: plainOf(rtf.toString('latin1')) };
  }
}

/** RTF destinations that are not text. */
const NON_TEXT =
  /\{\\(?:\*|fonttbl|colortbl|stylesheet|info|pict|header|footer)[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}/g;

/** The plain text of RTF without encapsulated content. */
function plainOf(rtf: string): string {
  return rtf
    .replace(NON_TEXT, '')
    .replace(/[\r\n]/g, '')
    .replace(/\\(?:par|line|row)\b ?/g, '\n')
    .replace(/\\(?:tab|cell)\b ?/g, '\t')
    .replace(/\\u(-?\d+) ?(?:\\'[0-9a-f]{2}|\?)?/gi, (_, code: string) =>
      String.fromCharCode(Number(code) & 0xffff),
    )
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) => decoded(Buffer.from(hex, 'hex'), 'cp1252'))
    .replace(/\\[a-z]+-?\d* ?/gi, '')
    .replace(/\\([\\{}])|[{}]/g, '$1')
    .trim();
}

/** Reads an Outlook e-mail (.msg). */
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
  const html = htmlOf(data);
  const rtf = html === null && !data.body ? fromRtf(data) : null;
  const sent = Date.parse(data.clientSubmitTime ?? data.messageDeliveryTime ?? '');
  return {
    subject: data.subject ?? '',
    from: [
      person(data.senderName, data.senderSmtpAddress, data.senderEmail, data.sentRepresentingSmtpAddress),
    ],
    to: to('to', undefined),
    cc: to('cc', 'bcc'),
    sentAt: Number.isNaN(sent) ? null : new Date(sent).toISOString(),
    html: html ?? rtf?.html ?? null,
    text: data.body ?? rtf?.text ?? '',
    attachments: (data.attachments ?? []).map((attachment): Attachment => {
      const inner = attachment.innerMsgContent === true;
      const name = attachment.fileName ?? attachment.fileNameShort ?? attachment.name ?? null;
      return {
        name: inner
          ? `${(attachment.innerMsgContentFields?.subject ?? name ?? 'message').slice(0, 200)}.msg`
          : name,
        type: attachment.attachMimeTag ?? '',
        contentId: attachment.pidContentId ?? null,
        size: attachment.contentLength ?? 0,
        content: () => reader.getAttachment(attachment).content,
      };
    }),
  };
}
