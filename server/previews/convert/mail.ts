import type { Address } from 'postal-mime';
import PostalMime from 'postal-mime';
import { repairName } from '#server/text/file-names.ts';
import type { FileView, MailPerson } from '../contract.ts';
import { clean, escaped, page } from './clean.ts';
import { isCompound } from './limits.ts';
import { readOutlook } from './outlook.ts';

/** An e-mail, from an .eml or .msg file. */
export interface Mail {
  subject: string;
  from: MailPerson[];
  to: MailPerson[];
  cc: MailPerson[];
  /** ISO 8601, UTC. */
  sentAt: string | null;
  html: string | null;
  text: string;
  attachments: Attachment[];
}
export interface Attachment {
  name: string | null;
  /** The declared media type; '' if there is none. */
  type: string;
  contentId: string | null;
  size: number;
  content(): Uint8Array;
}

/** People per header field, and attachments, that are shown. */
const SHOWN_MAX = 500;
/** The maximum nesting of MIME parts; limits the work for a hostile e-mail. */
const DEPTH_MAX = 60;

const people = (addresses: Address | Address[] | undefined): MailPerson[] =>
  [addresses ?? []]
    .flat()
    .flatMap((address) => ('group' in address && address.group ? address.group : [address]))
    .slice(0, SHOWN_MAX)
    .map(({ name, address }) => ({ name: name ?? '', address: address ?? '' }));

async function readMessage(bytes: Buffer): Promise<Mail> {
  const read = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: DEPTH_MAX });
  const sent = Date.parse(read.date ?? '');
  return {
    subject: read.subject ?? '',
    from: people(read.from),
    to: people(read.to),
    cc: people(read.cc),
    sentAt: Number.isNaN(sent) ? null : new Date(sent).toISOString(),
    html: read.html ?? null,
    text: read.text ?? '',
    attachments: read.attachments.map(({ filename, mimeType, contentId, content }) => {
      const data = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
      const id = contentId?.replace(/^<|>$/g, '') ?? null;
      return { name: filename, type: mimeType, contentId: id, size: data.length, content: () => data };
    }),
  };
}

export const readMail = (bytes: Buffer): Promise<Mail> =>
  bytes.length > 4 && isCompound(bytes) ? Promise.resolve(readOutlook(bytes)) : readMessage(bytes);

const PICTURE = /^image\/(?:png|jpe?g|gif|webp|bmp)$/i;
const BY_ENDING: Record<string, string> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  gif: 'gif',
  webp: 'webp',
  bmp: 'bmp',
};
/** File extensions for attachments without a name. */
const ENDINGS: Record<string, string> = {
  'message/rfc822': 'eml',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

function pictureType({ type, name }: Attachment): string | null {
  if (PICTURE.test(type)) return type;
  const ending = BY_ENDING[/\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? ''];
  return ending && (type === '' || type === 'application/octet-stream') ? `image/${ending}` : null;
}

/** A valid file name: the sender's could be shown and saved as another type than it has, by characters of text direction. */
export const nameOf = ({ name, type }: Attachment, index: number): string =>
  name?.trim() ? repairName(name) : `attachment ${index + 1}.${ENDINGS[type] ?? 'bin'}`;

const TOO_LONG = 4 * 1024 * 1024;

/** Makes the view of an e-mail: header, list of attachments, and its text as an HTML page for the frame. */
export async function viewMail(bytes: Buffer): Promise<{ view: FileView; body: string }> {
  const mail = await readMail(bytes);
  const inBody = new Set<Attachment>();
  const inline = (address: string) => {
    const id = /^\s*cid:(.*)$/is.exec(address)?.[1]?.trim();
    const found =
      id && mail.attachments.find(({ contentId }) => contentId === id || contentId === decode(id));
    const type = found && pictureType(found);
    if (!found || !type) return null;
    inBody.add(found);
    return `data:${type};base64,${Buffer.from(found.content()).toString('base64')}`;
  };
  const { html, remote_pictures } =
    mail.html === null
      ? { html: `<pre>${escaped(mail.text.slice(0, TOO_LONG))}</pre>`, remote_pictures: 0 }
      : clean(mail.html, inline);
  const { subject, from, to, cc, sentAt } = mail;
  const attachments = mail.attachments
    .map((attachment, index) => ({ attachment, index }))
    .filter(({ attachment }) => !inBody.has(attachment))
    .slice(0, SHOWN_MAX)
    .map(({ attachment, index }) => ({
      index: index + 1,
      name: nameOf(attachment, index),
      size: attachment.size,
    }));
  const view = {
    kind: 'mail' as const,
    subject: subject.slice(0, 1000),
    from,
    to,
    cc,
    sent_at: sentAt,
    attachments,
    remote_pictures,
  };
  return { view, body: page('mail', html) };
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Extracts attachments by their positions, from 1. @throws {Error} for one that there is not. */
export async function readAttachments(
  bytes: Buffer,
  places: readonly number[],
): Promise<{ name: string; bytes: Uint8Array }[]> {
  const { attachments } = await readMail(bytes);
  return places.map((place) => {
    const found = attachments[place - 1];
    if (!found) throw new Error('There is no such attachment.');
    return { name: nameOf(found, place - 1), bytes: found.content() };
  });
}
