import { timeInWords } from '#server/text/day-in-india.ts';
import type { FileView, MailPerson } from '../contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import { Flow, PLAIN } from './flow.ts';
import { breakIntoPages } from './marks.ts';
import type { Paper } from './paper.ts';
import { A4, MARGIN, ruler } from './paper.ts';
import { picturesIn } from './pictures.ts';
import { treeOf } from './tree.ts';

type Mail = Extract<FileView, { kind: 'mail' }>;

const ROOM = { x: MARGIN, width: A4.short - 2 * MARGIN };
const TALL = A4.long - 2 * MARGIN;
const LABELS = 72;

const people = (all: readonly MailPerson[]): string =>
  all.map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address)).join(', ');

/** Lays out the header of an e-mail: subject, people, date, attachments. @returns its bottom edge. */
function layHead(flow: Flow, mail: Mail): number {
  let y = flow.text(mail.subject || '(No subject)', ROOM, 0, { ...PLAIN, size: 13, bold: true }) + 4;
  const files = mail.attachments.map(({ name, size }) => `${name} (${formatBytes(size)})`).join(', ');
  const sent = mail.sent_at && timeInWords(new Date(mail.sent_at));
  for (const [label, text] of [
    ['From', people(mail.from)],
    ['To', people(mail.to)],
    ['Cc', people(mail.cc)],
    ['Sent', sent],
    ['Attachments', files],
  ]) {
    if (!label || !text) continue;
    flow.text(label, ROOM, y, { ...PLAIN, bold: true });
    y = flow.text(text, { x: ROOM.x + LABELS, width: ROOM.width - LABELS }, y);
  }
  flow.rule(ROOM, y + 5);
  return y + 12;
}

/** A document, or an e-mail with its header, on A4 pages. @param html from `page` of `reading/clean.ts`. */
export async function letterPaper(html: string, mail?: Mail): Promise<Paper> {
  const root = treeOf(html);
  const pictures = await picturesIn(root);
  const flow = new Flow({ ruler: await ruler(), pictures, tallest: TALL, ruled: mail === undefined });
  flow.block(root, ROOM, mail ? layHead(flow, mail) : 0);
  const pages = breakIntoPages(flow.marks, TALL);

  return {
    width: A4.short,
    height: A4.long,
    pages: pages.length,
    async draw(context, page) {
      const { from, marks } = pages[page - 1]!;
      context.beginPath();
      context.rect(0, MARGIN - 1, A4.short, TALL + 2);
      context.clip();
      for (const mark of marks) await mark.draw(context, MARGIN + mark.top - from);
    },
  };
}
