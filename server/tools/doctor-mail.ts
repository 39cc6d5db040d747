import type { Config } from '../config/config.ts';
import { smtpOptions } from '../mail/transport.ts';
import type { Finding } from './finding.ts';
import { well, wrong } from './finding.ts';

/** Explanations of connection errors, by what the library or TLS reports. The first match counts. */
const CAUSES: [text: RegExp, words: string][] = [
  [
    /certificate has expired|certificate is not yet valid/,
    'its certificate is not good today: is the clock of this machine right?',
  ],
  [
    /^EDNS/,
    'that name leads nowhere: is it written right in SMTP_URL, and does this machine reach the internet?',
  ],
  [
    /^EAUTH/,
    'it refuses the user name or the password of SMTP_URL. Some want a password that is made for programs.',
  ],
  [/^ETLS/, 'it offers no TLS at that port, so no password is sent: try smtps:// with port 465.'],
  [/wrong version number/, 'it begins without TLS at that port: write smtp:// in place of smtps://.'],
  [/ECONNREFUSED/, 'nothing takes e-mails at that port: usual are 587 with smtp:// and 465 with smtps://.'],
  [
    /ETIMEDOUT|Greeting never received/,
    'it does not answer. Many lines are closed for port 25: usual are 587 with smtp:// and 465 with smtps://.',
  ],
  [
    /certificate|altnames/i,
    'nobody vouches for its certificate under that name. Is it the name that the provider gives?',
  ],
];

function causeOf({ code = '', message }: Error & { code?: string }): string {
  const text = `${code} ${message}`;
  return CAUSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'it does not take our e-mails.';
}

/** Connects, upgrades to TLS and signs in as for sending, but sends nothing. */
export async function mail({
  mail: { smtpUrl },
}: {
  mail: Pick<Config['mail'], 'smtpUrl'>;
}): Promise<Finding> {
  if (!smtpUrl)
    return wrong('E-mail', 'SMTP_URL is not set: e-mails are written to a folder and go nowhere.');
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpOptions(smtpUrl));
  const { host, username } = new URL(smtpUrl);
  try {
    await transport.verify();
    return well(
      'E-mail',
      `${host} ${username ? 'lets us sign in and ' : ''}takes our e-mails; none was sent`,
    );
  } catch (error) {
    return wrong('E-mail', `${host}: ${causeOf(error as Error)} (${(error as Error).message.trim()})`);
  } finally {
    transport.close();
  }
}
