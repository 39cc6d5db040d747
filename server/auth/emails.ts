import { momentInWords } from '#server/text/day-in-india.ts';
import type { Knex } from 'knex';
import type { Email, Sending } from '../mail/contract.ts';
import type { Clock } from '../clock.ts';
import { viewOf } from './accounts.ts';
import type { UserView } from './contract.ts';

/** The data for every e-mail about an account. */
interface EmailFacts {
  user: UserView;
  /** The current time in words, with the time zone. */
  at: string;
  appName: string;
  baseUrl: string;
}
interface ComposedEmail {
  kind: Sending['kind'];
  email: Email;
  expiresAt?: Date;
  /** Defaults to the user's own address. */
  to?: string;
}
export type EmailTemplate = (facts: EmailFacts) => ComposedEmail;
export type SendEmail = (trx: Knex.Transaction, userId: number, template: EmailTemplate) => Promise<void>;

export function createSendEmail(dependencies: {
  clock: Clock;
  appName: string;
  baseUrl: string;
  send: (trx: Knex.Transaction, sending: Sending) => Promise<void>;
}): SendEmail {
  return async (trx, userId, template) => {
    const user = await viewOf(trx, userId);
    const { appName, baseUrl } = dependencies;
    const { to = user.email, ...message } = template({
      user,
      // Readers are in India wherever the server runs.
      at: momentInWords(dependencies.clock()),
      appName,
      baseUrl,
    });
    const { firm_id: firmId } = await trx('users').where({ id: userId }).first('firm_id');
    await dependencies.send(trx, {
      ...message,
      to: { name: user.name, email: to },
      firm: user.firm_name,
      firmId,
    });
  };
}

export const greeting = ({ user }: EmailFacts) => `Dear ${user.name},`;
export const notYouParts = ({ baseUrl }: EmailFacts) => [
  'If this was not you, set a new password now. This signs out every device.',
  { action: 'Set a new password', href: `${baseUrl}/forgot-password` },
];

export const welcome: EmailTemplate = (facts) => ({
  kind: 'auth.welcome',
  email: {
    subject: `Welcome to ${facts.appName}`,
    parts: [
      greeting(facts),
      `Your account is ready. Sign in with ${facts.user.email} and the password you chose; nobody else knows it.`,
      { action: `Open ${facts.appName}`, href: `${facts.baseUrl}/login` },
      'To begin: create a folder for each client, upload a few years of documents, and turn on two-step sign-in under Settings.',
      {
        note: 'If you did not create this account, somebody entered your address by mistake. You can ignore this e-mail.',
      },
    ],
  },
});

export const reset =
  (token: string, expiresAt: Date): EmailTemplate =>
  (facts) => ({
    kind: 'auth.reset',
    expiresAt,
    email: {
      subject: 'Set a new password',
      parts: [
        greeting(facts),
        `We received a request to set a new password for ${facts.user.email}. The link works once, within one hour.`,
        { action: 'Set a new password', href: `${facts.baseUrl}/reset-password?token=${token}` },
        {
          note: 'If this was not you, do nothing: your password stays as it is. We never ask for your password by e-mail.',
        },
      ],
    },
  });

export const passwordChanged: EmailTemplate = (facts) => ({
  kind: 'auth.password_changed',
  email: {
    subject: 'Your password was changed',
    parts: [
      greeting(facts),
      `The password of ${facts.user.email} was changed on ${facts.at}. All other devices were signed out.`,
      ...notYouParts(facts),
    ],
  },
});

/** Sent to the new address, to prove it. */
export const confirmEmail =
  (token: string, email: string, expiresAt: Date): EmailTemplate =>
  (facts) => ({
    kind: 'auth.confirm_email',
    to: email,
    expiresAt,
    email: {
      subject: 'Confirm your new e-mail address',
      parts: [
        greeting(facts),
        `You asked to use ${email} for your ${facts.appName} account. Please confirm that this mailbox is yours. The link works once, within 24 hours.`,
        { action: 'Confirm this address', href: `${facts.baseUrl}/confirm-email?token=${token}` },
        {
          note: 'If you did not ask for this, do nothing: without your confirmation nothing changes.',
        },
      ],
    },
  });

/** Sent to the old address before the change takes effect. */
export const emailChangeAsked =
  (email: string): EmailTemplate =>
  (facts) => ({
    kind: 'auth.email_change_asked',
    email: {
      subject: 'A new e-mail address was requested',
      parts: [
        greeting(facts),
        `On ${facts.at} somebody signed in to your account asked to change its e-mail address from ${facts.user.email} to ${email}. It changes once the new address is confirmed.`,
        ...notYouParts(facts),
      ],
    },
  });

export const emailChanged =
  (oldEmail: string): EmailTemplate =>
  (facts) => ({
    kind: 'auth.email_changed',
    to: oldEmail,
    email: {
      subject: 'Your e-mail address was changed',
      parts: [
        greeting(facts),
        `On ${facts.at} the e-mail address of your account was changed from ${oldEmail} to ${facts.user.email}. Please sign in with the new address from now on. All other devices were signed out. This is the last e-mail we send to the old address.`,
        {
          note: 'If this was not you, tell an administrator of your firm, or whoever runs this server, at once.',
        },
      ],
    },
  });

export const newDevice =
  (device: string, ip: string, token: string): EmailTemplate =>
  (facts) => ({
    kind: 'auth.new_device',
    email: {
      subject: 'New sign-in to your account',
      parts: [
        greeting(facts),
        'Your account was signed in to from a browser that has not been used for it before.',
        {
          facts: [
            ['Browser', device],
            ['Address', ip],
            ['Time', facts.at],
          ],
        },
        'If this was you, no action is needed. If not, end it now: the device is signed out, and you set a new password. The link works once, for seven days.',
        { action: 'This was not me', href: `${facts.baseUrl}/not-me?token=${token}` },
      ],
    },
  });

export const twoStepOn: EmailTemplate = (facts) => ({
  kind: 'auth.two_step_on',
  email: {
    subject: 'Two-step sign-in is on',
    parts: [
      greeting(facts),
      `Since ${facts.at} signing in also asks for a code from your phone. Keep a printout of the recovery codes safe, away from the phone.`,
      ...notYouParts(facts),
    ],
  },
});

export const twoStepOff: EmailTemplate = (facts) => ({
  kind: 'auth.two_step_off',
  email: {
    subject: 'Two-step sign-in was turned off',
    parts: [
      greeting(facts),
      `Since ${facts.at} your password alone is enough to sign in. You can turn two-step sign-in on again under Settings.`,
      ...notYouParts(facts),
    ],
  },
});

export const recoveryCodeUsed =
  (left: number): EmailTemplate =>
  (facts) => ({
    kind: 'auth.recovery_code_used',
    email: {
      subject: 'A recovery code was used',
      parts: [
        greeting(facts),
        `On ${facts.at} somebody signed in to your account with one of your recovery codes. ${left === 1 ? 'One is' : `${left} are`} left; you can create new ones under Settings.`,
        ...notYouParts(facts),
      ],
    },
  });

export const programConnected =
  (name: string): EmailTemplate =>
  (facts) => ({
    kind: 'auth.program_connected',
    email: {
      subject: 'A program was connected',
      parts: [
        greeting(facts),
        `On ${facts.at} Almirah Uploader on “${name}” was connected to your account. It uploads for you without your password. You can disconnect it under Settings at any time.`,
        ...notYouParts(facts),
      ],
    },
  });

export const appPasswordCreated =
  (name: string): EmailTemplate =>
  (facts) => ({
    kind: 'auth.app_password_made',
    email: {
      subject: 'An app password was created',
      parts: [
        greeting(facts),
        `On ${facts.at} an app password “${name}” was created for your account. A program that has it opens the vault as a drive. You can end it under Settings at any time.`,
        ...notYouParts(facts),
      ],
    },
  });
