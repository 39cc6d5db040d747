import type { ReadSetting } from './payments.ts';

export interface MailSettings {
  /** Null: e-mails are only stored in the data folder. */
  smtpUrl: string | null;
  /** The sender's address. */
  from: string;
}

function smtp(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, searchParams } = new URL(url);
  const tls = searchParams.get('tls');
  return /^smtps?:$/.test(protocol) && hostname !== '' && (tls === null || tls === 'off');
}

/** The URL of the mail server contains its password, so it never appears in a message. */
export function readMail(
  env: Record<string, string | undefined>,
  read: ReadSetting,
  problems: string[],
): MailSettings {
  const smtpUrl = env.SMTP_URL?.trim() || null;
  if (smtpUrl && !smtp(smtpUrl)) {
    problems.push(
      'SMTP_URL should be an address such as smtp://user:password@mail.example.in:587, with #, / and ? in the password written as ' +
        '%23, %2F and %3F. TLS is required; ' +
        'for a mail server that has none, on a network you trust, put ?tls=off at its end.',
    );
  }
  const from = read('MAIL_FROM', '', 'an e-mail address', (text) =>
    /^[^\s@<>"]+@[^\s@<>"]+$/.test(text) ? text : undefined,
  );
  if (smtpUrl && !env.MAIL_FROM?.trim()) {
    problems.push('SMTP_URL is set, but MAIL_FROM is not: say from which address e-mails come.');
  }
  return { smtpUrl, from: from || 'almirah@localhost' };
}
