import type { Sending } from '#server/mail/contract.ts';

/** To each admin, when somebody has downloaded as many files as a day allows. */
export const limitReachedEmail = (of: {
  admin: { name: string; email: string };
  person: string;
  firm: string;
  firmId: number;
  limit: number;
  appName: string;
  baseUrl: string;
}): Sending => ({
  to: of.admin,
  firm: of.firm,
  firmId: of.firmId,
  kind: 'team.download_limit',
  email: {
    subject: `${of.person} has reached the daily download limit`,
    parts: [
      `Dear ${of.admin.name},`,
      `${of.person} has downloaded ${of.limit} ${of.limit === 1 ? 'file' : 'files'} today, as many as you allow in a day. Further downloads are refused until midnight (India time).`,
      'What was downloaded is in the history. If the work needs more, raise the limit under Team.',
      { action: 'Open the team', href: `${of.baseUrl}/team` },
      { note: 'You get this e-mail once a day for each person.' },
    ],
  },
});
