import type { EmailPart, Sending } from '#server/mail/contract.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { longDay } from '#server/text/language.ts';
import type { RequestFacts } from './doors.ts';
import { askerOf } from './doors.ts';
import { textsIn } from './email-texts/index.ts';
import type { Untold } from './returns.ts';

const sendingOf = (
  { firm, firm_id, language, client, email }: RequestFacts,
  kind: Sending['kind'],
  subject: string,
  parts: EmailPart[],
): Sending => ({
  to: { name: client, email },
  firm,
  firmId: firm_id,
  language,
  kind,
  email: { subject, parts: [textsIn(language).hello(client), ...parts] },
});

const dueOf = ({ due_on, language }: RequestFacts): string | null => due_on && longDay(due_on, language);

/** The contact for questions; none after the requester has left the firm. */
function questionsTo(of: RequestFacts): EmailPart[] {
  const asker = askerOf(of);
  return asker ? [{ note: textsIn(of.language).questions(asker.name, asker.email) }] : [];
}

/** The missing documents as a list: a two-column table would push them apart. */
const listed = (names: readonly string[]): EmailPart[] => names.slice(0, 100).map((name) => `• ${name}`);

export function askedEmail(
  of: RequestFacts,
  { url, rows }: { url: string; rows: readonly string[] },
): Sending {
  const t = textsIn(of.language);
  const due = dueOf(of);
  return sendingOf(of, 'request.asked', t.askedSubject(of.firm, of.title), [
    t.asked(of.from_name, of.firm, rows.length),
    ...(of.note === '' ? [] : [of.note]),
    ...listed(rows),
    ...(due === null ? [] : [{ facts: [[t.due, due]] as [string, string][] }]),
    t.howTo,
    { action: t.open, href: url },
    { note: t.personal },
    ...questionsTo(of),
  ]);
}

export function reminderEmail(
  of: RequestFacts,
  {
    url,
    rows,
    late,
    untold,
  }: { url: string; rows: readonly string[]; late: boolean; untold: readonly Untold[] },
): Sending {
  const t = textsIn(of.language);
  const due = dueOf(of);
  const subject = late && due !== null ? t.remindLateSubject(of.title, due) : t.remindSubject(of.title, due);
  return sendingOf(of, 'request.reminder', subject, [
    t.remind(rows.length),
    ...listed(rows),
    ...returnedParts(of, untold),
    ...(due === null ? [] : [{ facts: [[t.due, due]] as [string, string][] }]),
    { action: t.open, href: url },
    ...questionsTo(of),
  ]);
}

/** What was sent back and why, and what the client does not have and the office still needs. */
function returnedParts(of: RequestFacts, untold: readonly Untold[]): EmailPart[] {
  const t = textsIn(of.language);
  const office = askerOf(of)?.name ?? of.firm;
  const unsent = untold.filter((one) => one.unsent);
  const sent = untold.filter((one) => !one.unsent);
  const count = sent.reduce((sum, { files }) => sum + Math.max(1, files.length), 0);
  return [
    ...(sent.length === 0
      ? []
      : [
          sent.length === 1 && sent[0]!.whole ? t.returned(office) : t.returnedFiles(office, count),
          {
            facts: sent.map(({ row, files, whole, reason }): [string, string] => [
              row,
              whole && files.length <= 1 ? reason : `${files.join(', ')}: ${reason}`,
            ]),
          },
        ]),
    ...(unsent.length === 0
      ? []
      : [
          t.stillNeeded(office, unsent.length),
          { facts: unsent.map(({ row, reason }): [string, string] => [row, reason]) },
        ]),
  ];
}

/** @param untold at least one. */
export function returnedEmail(
  of: RequestFacts,
  { url, untold }: { url: string; untold: readonly Untold[] },
): Sending {
  const t = textsIn(of.language);
  const isSent = untold.some(({ unsent }) => !unsent);
  const subject = isSent ? t.returnedSubject(of.title) : t.stillNeededSubject(of.title);
  return sendingOf(of, 'request.returned', subject, [
    ...returnedParts(of, untold),
    { action: t.open, href: url },
    ...questionsTo(of),
  ]);
}

/** A document with the names of its files; none where the client has declared not to have it, for a reason that may be empty. */
export interface ReceiptLine {
  row: string;
  names: readonly string[];
  reason: string | null;
}

export const countFiles = (lines: readonly ReceiptLine[]): number =>
  lines.reduce((sum, { names }) => sum + names.length, 0);

export function receiptEmail(
  of: RequestFacts,
  { number, lines, made_at }: { number: string; lines: readonly ReceiptLine[]; made_at: string },
): Sending {
  const t = textsIn(of.language);
  const count = countFiles(lines);
  return sendingOf(of, 'request.receipt', t.receiptSubject(number, count), [
    t.receipt(of.firm, count),
    {
      facts: [
        [t.receiptNumber, number],
        [t.receivedOn, longDay(dayInIndia(new Date(made_at)), of.language)],
        ...lines.map(({ row, names, reason }): [string, string] => [
          row,
          names.join(', ') || t.unavailable(reason ?? ''),
        ]),
      ],
    },
    ...questionsTo(of),
  ]);
}

/** Everything received since the last e-mail, for all requests of one user. */
export const digestEmail = ({
  to,
  firm,
  firmId,
  lines,
  baseUrl,
}: {
  to: { name: string; email: string };
  firm: string;
  firmId: number;
  /** Client and request, and the news. */
  lines: readonly [string, string][];
  baseUrl: string;
}): Sending => ({
  to,
  firm,
  firmId,
  kind: 'request.digest',
  email: {
    subject:
      lines.length === 1
        ? `${lines[0]![0]}: documents received`
        : `Documents received for ${lines.length} requests`,
    parts: [
      `Dear ${to.name},`,
      'Clients have answered what you asked for.',
      { facts: lines },
      { action: 'Open requests', href: `${baseUrl}/requests` },
      { note: 'You get one e-mail for all that comes within half an hour.' },
    ],
  },
});
