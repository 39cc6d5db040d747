import type { Sending } from '#server/mail/contract.ts';
import type { Language } from '#server/text/language.ts';
import type { PortalRow } from './model.ts';
import { textsIn } from './email-texts/index.ts';

interface To {
  email: string;
  language: Language;
}

/** Brings the address of the page. */
export function linkEmail(
  { firm, firm_id, client }: PortalRow,
  { email, language }: To,
  { url, from }: { url: string; from: { name: string; email: string } },
): Sending {
  const t = textsIn(language);
  return {
    to: { name: client, email },
    firm,
    firmId: firm_id,
    language,
    kind: 'portal.link',
    email: {
      subject: t.linkSubject(firm),
      parts: [
        t.hello,
        t.linkFrom(from.name, firm),
        { action: t.open, href: url },
        t.proves,
        t.lasting,
        { note: t.questions(from.name, from.email) },
      ],
    },
  };
}

export function codeEmail(
  { firm, firm_id }: PortalRow,
  { email, language }: To,
  { code, expiresAt }: { code: string; expiresAt: Date },
): Sending {
  const t = textsIn(language);
  return {
    to: { name: '', email },
    firm,
    firmId: firm_id,
    language,
    kind: 'portal.code',
    expiresAt,
    email: {
      subject: t.codeSubject(code, firm),
      parts: [t.hello, t.codeEnter(code), t.codeGood, { note: t.codeNotAsked }],
    },
  };
}
