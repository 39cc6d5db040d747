import type { Sending } from '#server/mail/contract.ts';
import type { Role } from '#server/permissions.ts';
import { INVITATION_DAYS, ROLE_NAMES } from './contract.ts';

/** The data for e-mails about a team. */
interface InvitationEmailData {
  email: string;
  firm: string;
  firmId: number;
  /** The name of the inviter. */
  inviter: string;
  appName: string;
  baseUrl: string;
  token: string;
  expiresAt: Date;
}

type TeamEmail = Sending & { firmId: number };

export const joinLink = (baseUrl: string, token: string): string => `${baseUrl}/join?token=${token}`;

export const invitationEmail = (data: InvitationEmailData): TeamEmail => ({
  to: { name: data.email, email: data.email },
  firm: data.firm,
  firmId: data.firmId,
  kind: 'team.invitation',
  expiresAt: data.expiresAt,
  email: {
    subject: `${data.inviter} invites you to ${data.firm}`,
    parts: [
      'Hello,',
      `${data.inviter} invites you to work with the documents of ${data.firm} in ${data.appName}. Choose your name and a password to begin. The link works once, within ${INVITATION_DAYS} days.`,
      { action: 'Accept the invitation', href: joinLink(data.baseUrl, data.token) },
      {
        note: `If you do not know ${data.inviter} or ${data.firm}, do nothing: without your acceptance nothing happens.`,
      },
    ],
  },
});

/** Sent when the address belongs to a user of another firm. Only the mailbox learns this, not the inviter. */
export const takenEmail = (data: InvitationEmailData): TeamEmail => ({
  ...invitationEmail(data),
  email: {
    subject: `${data.inviter} invites you to ${data.firm}`,
    parts: [
      'Hello,',
      `${data.inviter} invites you to work with the documents of ${data.firm} in ${data.appName}. This address already belongs to an ${data.appName} account of another firm, and an account belongs to one firm only.`,
      `To accept, ask ${data.inviter} to invite another e-mail address of yours. Your account stays as it is, and ${data.firm} was told nothing about it.`,
      {
        note: `If you do not know ${data.inviter} or ${data.firm}, do nothing.`,
      },
    ],
  },
});

interface MemberEmailData extends Pick<
  InvitationEmailData,
  'email' | 'firm' | 'firmId' | 'appName' | 'baseUrl'
> {
  name: string;
}

const toMember = (
  { name, email, firm, firmId }: MemberEmailData,
  kind: TeamEmail['kind'],
  { subject, parts }: TeamEmail['email'],
): TeamEmail => ({
  to: { name, email },
  firm,
  firmId,
  kind,
  email: { subject, parts: [`Dear ${name},`, ...parts] },
});

const signInPart = ({ appName, baseUrl }: MemberEmailData) => ({
  action: `Open ${appName}`,
  href: `${baseUrl}/login`,
});

/** Sent to a deactivated user. */
export const deactivatedEmail = (data: MemberEmailData): TeamEmail =>
  toMember(data, 'team.deactivated', {
    subject: `Your account at ${data.firm} was deactivated`,
    parts: [
      `Your ${data.appName} account at ${data.firm} was deactivated by an admin of the firm. You are signed out everywhere and can no longer sign in.`,
      { note: 'If this is a mistake, ask an admin of the firm.' },
    ],
  });

/** Sent to a deactivated user who may sign in again, whom the last e-mail told the opposite. */
export const reactivatedEmail = (data: MemberEmailData): TeamEmail =>
  toMember(data, 'team.reactivated', {
    subject: `Your account at ${data.firm} is active again`,
    parts: [
      `An admin of ${data.firm} has reactivated your ${data.appName} account. Sign in with ${data.email} and the password that you had.`,
      signInPart(data),
    ],
  });

/** Sent to a user whose role a colleague has changed. */
export const roleEmail =
  (before: Role, after: Role) =>
  (data: MemberEmailData): TeamEmail =>
    toMember(data, 'team.role', {
      subject: `Your role at ${data.firm} is now ${ROLE_NAMES[after]}`,
      parts: [
        `An admin of ${data.firm} has changed your role in ${data.appName} from ${ROLE_NAMES[before]} to ${ROLE_NAMES[after]}, which changes what you may see and do there.`,
        signInPart(data),
        { note: 'If this is a mistake, ask an admin of the firm.' },
      ],
    });
