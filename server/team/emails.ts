import type { Sending } from '#server/mail/contract.ts';
import { INVITATION_DAYS } from './contract.ts';

/** What e-mails about a team are written from. */
export interface Invited {
  email: string;
  firm: string;
  firmId: number;
  /** The name of who invites. */
  inviter: string;
  appName: string;
  baseUrl: string;
  token: string;
  expiresAt: Date;
}

type Written = Sending & { firmId: number };

export const joinLink = (baseUrl: string, token: string): string => `${baseUrl}/join?token=${token}`;

export const invitationEmail = (of: Invited): Written => ({
  to: { name: of.email, email: of.email },
  firm: of.firm,
  firmId: of.firmId,
  kind: 'team.invitation',
  expiresAt: of.expiresAt,
  email: {
    subject: `${of.inviter} invites you to ${of.firm}`,
    parts: [
      'Hello,',
      `${of.inviter} invites you to work with the documents of ${of.firm} in ${of.appName}. Choose your name and a password to begin. The link works once, within ${INVITATION_DAYS} days.`,
      { action: 'Accept the invitation', href: joinLink(of.baseUrl, of.token) },
      {
        note: `If you do not know ${of.inviter} or ${of.firm}, do nothing: without your acceptance nothing happens.`,
      },
    ],
  },
});

/** To one whose address is in use elsewhere; only that mailbox is told. */
export const takenEmail = (of: Invited): Written => ({
  ...invitationEmail(of),
  email: {
    subject: `${of.inviter} invites you to ${of.firm}`,
    parts: [
      'Hello,',
      `${of.inviter} invites you to work with the documents of ${of.firm} in ${of.appName}. This address already belongs to an ${of.appName} account of another firm, and an account belongs to one firm only.`,
      `To accept, ask ${of.inviter} to invite another e-mail address of yours. Your account stays as it is, and ${of.firm} was told nothing about it.`,
      {
        note: `If you do not know ${of.inviter} or ${of.firm}, do nothing.`,
      },
    ],
  },
});

/** To the person whom a role, or the end of the work here, concerns. */
export const deactivatedEmail = (
  of: Pick<Invited, 'firm' | 'firmId' | 'appName'> & { name: string; email: string },
): Written => ({
  to: { name: of.name, email: of.email },
  firm: of.firm,
  firmId: of.firmId,
  kind: 'team.deactivated',
  email: {
    subject: `Your account at ${of.firm} was deactivated`,
    parts: [
      `Dear ${of.name},`,
      `Your ${of.appName} account at ${of.firm} was deactivated by an admin of the firm. You are signed out everywhere and can no longer sign in.`,
      { note: 'If this is a mistake, ask an admin of the firm.' },
    ],
  },
});
