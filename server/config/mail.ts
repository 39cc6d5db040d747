import type { ReadSetting } from './payments.ts';

export interface MailSettings {
  /** Null: letters are written to the data folder and go nowhere. */
  smtpUrl: string | null;
  /** The address that letters come from. */
  from: string;
}

const smtp = (given: string): boolean =>
  URL.canParse(given) && /^smtps?:$/.test(new URL(given).protocol) && new URL(given).hostname !== '';

/** The address of the mail server holds its password, so it never stands in a message. */
export function readMail(
  env: Record<string, string | undefined>,
  read: ReadSetting,
  problems: string[],
): MailSettings {
  const smtpUrl = env.SMTP_URL?.trim() || null;
  if (smtpUrl && !smtp(smtpUrl)) {
    problems.push('SMTP_URL should be an address such as smtp://user:password@mail.example.in:587.');
  }
  const from = read('MAIL_FROM', '', 'an e-mail address', (given) =>
    /^[^\s@<>"]+@[^\s@<>"]+$/.test(given) ? given : undefined,
  );
  if (smtpUrl && !env.MAIL_FROM?.trim()) {
    problems.push('SMTP_URL is set, but MAIL_FROM is not: say from which address letters come.');
  }
  return { smtpUrl, from: from || 'almirah@localhost' };
}
