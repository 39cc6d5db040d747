import type { Sending } from '#server/mail/contract.ts';

interface From {
  firm: string;
  firmId: number;
}

const DAY = new Intl.DateTimeFormat('en-IN', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
/** `29 November 2026`, of `2026-11-29`. */
export const longDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

export const linkEmail = ({
  firm,
  firmId,
  to,
  from,
  title,
  url,
  until,
  named,
  password,
}: From & {
  to: string;
  from: { name: string; email: string };
  title: string;
  url: string;
  until: string;
  named: boolean;
  password: boolean;
}): Sending => ({
  to: { name: '', email: to },
  firm,
  firmId,
  kind: 'share.link',
  email: {
    subject: `${firm} has shared ${title} with you`,
    parts: [
      'Hello,',
      `${from.name} of ${firm} has shared ${title} with you.`,
      { action: 'Open', href: url },
      ...(named ? ['To open it, give this e-mail address. A code is then sent to it.'] : []),
      ...(password ? [`It asks for a password, which ${from.name} will tell you.`] : []),
      { facts: [['Available until', longDay(until)]] },
      { note: `Questions? Write to ${from.name} at ${from.email}.` },
    ],
  },
});

export const codeEmail = ({ firm, firmId, to, code }: From & { to: string; code: string }): Sending => ({
  to: { name: '', email: to },
  firm,
  firmId,
  kind: 'share.code',
  email: {
    subject: `${code} is your code to open what ${firm} has shared`,
    parts: [
      'Hello,',
      `Enter this code on the page that asked for it: ${code}`,
      'It is good for 10 minutes, in the browser where you asked for it.',
      { note: 'If you did not ask for it, you need do nothing. Tell nobody the code.' },
    ],
  },
});

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
