import type { Sending } from '#server/mail/contract.ts';

interface About {
  admin: { name: string; email: string };
  person: string;
  firm: string;
  firmId: number;
  limit: number;
  appName: string;
  baseUrl: string;
}

const filesOf = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;

const emailTo = (
  { admin, firm, firmId, baseUrl }: About,
  subject: string,
  paragraphs: string[],
): Sending => ({
  to: admin,
  firm,
  firmId,
  kind: 'team.download_limit',
  email: {
    subject,
    parts: [
      `Dear ${admin.name},`,
      ...paragraphs,
      { action: 'Open the team', href: `${baseUrl}/team` },
      { note: 'You get this e-mail once a day for each person.' },
    ],
  },
});

/** Tells an admin that a user has reached the daily limit. */
export const limitReachedEmail = (of: About): Sending =>
  emailTo(of, `${of.person} has reached the daily download limit`, [
    `${of.person} has downloaded ${filesOf(of.limit)} today, as many as you allow in a day. Further downloads are refused until midnight (India time).`,
    'What was downloaded is in the history. If the work needs more, raise the limit under Team.',
  ]);

/** Tells an admin that a download was refused because it exceeded the rest of the daily limit. */
export const downloadRefusedEmail = (of: About & { files: number; downloaded: number }): Sending =>
  emailTo(of, `${of.person} was refused a download beyond the daily limit`, [
    `${of.person} wanted to download ${filesOf(of.files)} at once. You allow ${of.limit} in a day, and ${filesOf(of.downloaded)} had been downloaded today, so nothing of it was sent.`,
    'What was asked for is in the history. If the work needs more, raise the limit under Team.',
  ]);
