import { lazily } from '#server/text/lazily.ts';
import type { Sealer } from '../db/column-encryption.ts';
import { writeToOutbox } from './outbox.ts';

export interface Message {
  id: number;
  kind: string;
  messageId: string;
  from: { name: string; address: string };
  to: { name: string; address: string };
  date: Date;
  subject: string;
  text: string;
  html: string;
  /** Those with a `cid` are pictures that the HTML names by it. */
  attachments: { filename: string; contentType: string; content: Buffer; cid?: string }[];
}

/** Where e-mails go. */
export interface Transport {
  /** For the log at start: what happens to e-mails. */
  readonly means: string;
  /** Whether they leave this machine. */
  readonly sends: boolean;
  /** Rejects when it was not taken; `permanent` on the error says that trying again is useless. */
  deliver(message: Message): Promise<void>;
  close(): void;
}

export class Undeliverable extends Error {
  override name = 'Undeliverable';
  readonly permanent: boolean;
  constructor(message: string, permanent: boolean, cause: unknown) {
    super(message, { cause });
    this.permanent = permanent;
  }
}

const envelope = ({ id: _id, kind: _kind, ...message }: Message) => ({
  ...message,
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  // E-mails are made of text from us and names from users; nothing in them may name a file or an address to read.
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** The library takes long to load, and the first e-mail may be days away. */
const mailer = () => import('nodemailer');

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The settings of the connection; without TLS nothing is sent, except on this machine or where the admin wrote `?tls=off`. */
export function smtpOptions(address: string) {
  const url = new URL(address);
  const open = url.searchParams.get('tls') === 'off';
  url.searchParams.delete('tls');
  const requireTLS = url.protocol === 'smtp:' && !open && !LOOPBACK.has(url.hostname);
  return {
    url: url.href,
    requireTLS,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
  };
}

/**
 * @param url `smtp://user:password@host:587`, which goes over to TLS before anything is said, or `smtps://` for TLS from
 * the first byte.
 */
export function smtpTransport(url: string): Transport {
  const options = smtpOptions(url);
  const smtp = lazily(async () => (await mailer()).createTransport(options));
  return {
    sends: true,
    means: `e-mail is sent through ${new URL(url).host}`,
    async deliver(message) {
      try {
        await (await smtp()).sendMail(envelope(message));
      } catch (error) {
        const { responseCode, code, command, response } = error as {
          responseCode?: number;
          code?: string;
          command?: string;
          response?: string;
        };
        // A mailbox that does not exist stays so; a refused sign-in or sender is the admin's to mend, and then e-mails go out.
        const isOfEmail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
        const permanent = (responseCode ?? 0) >= 500 && isOfEmail;
        throw new Undeliverable(response ?? (error as Error).message, permanent, error);
      }
    },
    close: () =>
      void smtp.made?.then(
        (opened) => opened.close(),
        () => {},
      ),
  };
}

/** Writes each e-mail into `folder`, sealed: there are links to new passwords in them. */
export function folderTransport(folder: string, seal: Sealer): Transport {
  const eml = lazily(async () => (await mailer()).createTransport({ streamTransport: true, buffer: true }));
  return {
    sends: false,
    means: `SMTP_URL is not set: e-mails are written to ${folder} and not sent; "npm run admin -- outbox" shows them`,
    async deliver(message) {
      const { message: bytes } = await (await eml()).sendMail(envelope(message));
      const stamp = message.date.toISOString().replace(/[:.]/g, '-');
      const name = `${stamp}-${message.kind.replace(/[^\w.]/g, '_')}-${message.id}`;
      await writeToOutbox(folder, seal, name, bytes as Buffer);
    },
    close: () => {},
  };
}
