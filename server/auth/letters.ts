import type { Knex } from 'knex';
import type { Letter, Sending } from '../mail/contract.ts';
import type { Clock } from '../clock.ts';
import { viewOf } from './accounts.ts';
import type { UserView } from './contract.ts';

/** What every letter of the accounts is written from. */
export interface LetterFacts {
  user: UserView;
  /** In words, with the time zone. */
  at: string;
  appName: string;
  baseUrl: string;
}
export interface Written {
  kind: Sending['kind'];
  letter: Letter;
  expiresAt?: Date;
  /** When not the user's own address. */
  to?: string;
}
export type WriteLetter = (facts: LetterFacts) => Written;
export type SendLetter = (trx: Knex.Transaction, userId: number, write: WriteLetter) => Promise<void>;

// Readers sit in India wherever the server does.
const AT = new Intl.DateTimeFormat('en-IN', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Asia/Kolkata',
});

export function lettersOf(use: {
  clock: Clock;
  appName: string;
  baseUrl: string;
  send: (trx: Knex.Transaction, sending: Sending) => Promise<void>;
}): SendLetter {
  return async (trx, userId, write) => {
    const user = await viewOf(trx, userId);
    const { appName, baseUrl } = use;
    const { to = user.email, ...written } = write({
      user,
      at: `${AT.format(use.clock())} IST`,
      appName,
      baseUrl,
    });
    const { firm_id: firmId } = await trx('users').where({ id: userId }).first('firm_id');
    await use.send(trx, { ...written, to: { name: user.name, email: to }, firm: user.firm_name, firmId });
  };
}

const hello = ({ user }: LetterFacts) => `Dear ${user.name},`;
const notYou = ({ baseUrl }: LetterFacts) => [
  'If this was not you, set a new password now: it signs out every device.',
  { action: 'Set a new password', href: `${baseUrl}/forgot-password` },
];

export const welcome: WriteLetter = (facts) => ({
  kind: 'auth.welcome',
  letter: {
    subject: `Welcome to ${facts.appName}`,
    parts: [
      hello(facts),
      `Your account is ready. You sign in with ${facts.user.email} and the password that you chose; nobody else knows it.`,
      { action: `Open ${facts.appName}`, href: `${facts.baseUrl}/login` },
      'A good beginning: make a folder for each client, drag a few years of papers into it, and switch on two-step sign-in under Settings.',
      {
        note: 'If you did not make this account, somebody used your address by mistake. You can ignore this letter.',
      },
    ],
  },
});

export const reset =
  (token: string, expiresAt: Date): WriteLetter =>
  (facts) => ({
    kind: 'auth.reset',
    expiresAt,
    letter: {
      subject: 'Set a new password',
      parts: [
        hello(facts),
        `Somebody, hopefully you, asked to set a new password for ${facts.user.email}. The link works once, within an hour.`,
        { action: 'Set a new password', href: `${facts.baseUrl}/reset-password?token=${token}` },
        {
          note: 'If it was not you, do nothing: your password stays as it is. We never ask for your password by mail.',
        },
      ],
    },
  });

export const passwordChanged: WriteLetter = (facts) => ({
  kind: 'auth.password_changed',
  letter: {
    subject: 'Your password was changed',
    parts: [
      hello(facts),
      `The password of ${facts.user.email} was changed on ${facts.at}. All other devices were signed out.`,
      ...notYou(facts),
    ],
  },
});

export const emailChanged =
  (before: string): WriteLetter =>
  (facts) => ({
    kind: 'auth.email_changed',
    to: before,
    letter: {
      subject: 'Your email address was changed',
      parts: [
        hello(facts),
        `On ${facts.at} the address of your account was changed from ${before} to ${facts.user.email}. From now on you sign in with the new one, and this is the last letter to the old.`,
        { note: 'If this was not you, tell the admin of your firm or of this server at once.' },
      ],
    },
  });

export const newDevice =
  (device: string, ip: string): WriteLetter =>
  (facts) => ({
    kind: 'auth.new_device',
    letter: {
      subject: 'New sign-in to your account',
      parts: [
        hello(facts),
        'Your account was opened in a browser that has not been used for it before.',
        {
          facts: [
            ['Browser', device],
            ['Address', ip],
            ['Time', facts.at],
          ],
        },
        'If it was you, there is nothing to do.',
        ...notYou(facts),
      ],
    },
  });

export const twoStepOn: WriteLetter = (facts) => ({
  kind: 'auth.two_step_on',
  letter: {
    subject: 'Two-step sign-in is on',
    parts: [
      hello(facts),
      `Since ${facts.at} signing in asks for a code from your phone as well. Keep the recovery codes on paper, away from the phone.`,
      ...notYou(facts),
    ],
  },
});

export const twoStepOff: WriteLetter = (facts) => ({
  kind: 'auth.two_step_off',
  letter: {
    subject: 'Two-step sign-in was switched off',
    parts: [
      hello(facts),
      `Since ${facts.at} the password alone opens your account. You can switch two-step sign-in on again under Settings.`,
      ...notYou(facts),
    ],
  },
});

export const recoveryCodeUsed =
  (left: number): WriteLetter =>
  (facts) => ({
    kind: 'auth.recovery_code_used',
    letter: {
      subject: 'A recovery code was used',
      parts: [
        hello(facts),
        `On ${facts.at} somebody signed in to your account with one of your recovery codes. ${left === 1 ? 'One is' : `${left} are`} left; you can make new ones under Settings.`,
        ...notYou(facts),
      ],
    },
  });
