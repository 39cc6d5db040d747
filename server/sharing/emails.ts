import type { Sending } from '#server/mail/contract.ts';
import type { Language } from '#server/text/language.ts';
import { longDay } from '#server/text/language.ts';
import { textsIn } from './email-texts/index.ts';

interface From {
  firm: string;
  firmId: number;
}

export function linkEmail({
  firm,
  firmId,
  language,
  to,
  from,
  title,
  url,
  until,
  named,
  password,
}: From & {
  language: Language;
  to: string;
  from: { name: string; email: string };
  title: string;
  url: string;
  until: string;
  named: boolean;
  password: boolean;
}): Sending {
  const t = textsIn(language);
  return {
    to: { name: '', email: to },
    firm,
    firmId,
    language,
    kind: 'share.link',
    email: {
      subject: t.linkSubject(firm, title),
      parts: [
        t.hello,
        t.linkFrom(from.name, firm, title),
        { action: t.open, href: url },
        ...(named ? [t.proves] : []),
        ...(password ? [t.password(from.name)] : []),
        { facts: [[t.until, longDay(until, language)]] },
        { note: t.questions(from.name, from.email) },
      ],
    },
  };
}

export function codeEmail({
  firm,
  firmId,
  language,
  to,
  code,
}: From & { language: Language; to: string; code: string }): Sending {
  const t = textsIn(language);
  return {
    to: { name: '', email: to },
    firm,
    firmId,
    language,
    kind: 'share.code',
    email: {
      subject: t.codeSubject(code, firm),
      parts: [t.hello, t.codeEnter(code), t.codeGood, { note: t.codeNotAsked }],
    },
  };
}

export const openedEmail = ({
  firm,
  firmId,
  to,
  who,
  title,
  facts,
  url,
}: From & {
  to: { name: string; email: string };
  who: string;
  title: string;
  facts: readonly (readonly [string, string])[];
  url: string;
}): Sending => ({
  to,
  firm,
  firmId,
  kind: 'share.opened',
  email: {
    subject: `${who} has opened ${title}`,
    parts: [
      `Dear ${to.name},`,
      `${who} has opened ${title}, which you shared by a link.`,
      { facts },
      { action: 'See all shared links', href: url },
      { note: 'You asked to be told when it is opened. You are told once a day for each person.' },
    ],
  },
});
