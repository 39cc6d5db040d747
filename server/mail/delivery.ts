import type { Clock } from '../clock.ts';
import type { JobKind, JobWork } from '../jobs/kinds.ts';
import type { Sealer } from '../db/column-encryption.ts';
import type { Language } from '#server/text/language.ts';
import type { Email, Sending } from './contract.ts';
import type { EmailFrame } from './email.ts';
import { emailHtml, emailText, safeSender } from './email.ts';
import type { Message, Transport } from './transport.ts';
import { Undeliverable } from './transport.ts';

/** As it lies sealed in its job: attachments in base64. */
export type Stored = Pick<Sending, 'to' | 'firm'> & {
  /** Called `letter` in what versions before 22 November 2026 have written. */
  email?: Email;
  letter?: Email;
  /** Left out by versions before there was a second one. */
  language?: Language;
  /** Whose logo it bears. */
  firmId?: number;
  attachments: { name: string; type: string; content: string }[];
};

/** What of an e-mail's job anybody may see. */
export interface EmailInput {
  message_id: string;
  /** After this it is not sent any more. */
  expires_at: string;
}

/** By what an e-mail names the logo that is attached to it. */
const LOGO = 'logo@almirah';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** After the first failure, the second, and so on; the last one repeats until the e-mail expires. */
const PAUSES = [1, 2, 5, 15, 30, 60, 180].map((minutes) => minutes * MINUTE);
/** For how long one can see that an e-mail went out. */
const KEPT = 30 * DAY;
/** A mail server that is slow to answer holds up this many e-mails, and only one of a firm. */
const AT_ONCE = 4;

interface DeliveryDependencies {
  clock: Clock;
  seal: Sealer;
  /** Without one, e-mails wait. */
  transport: Transport | undefined;
  from: string;
  /** The logo of a firm, as PNG, for the e-mails that go out in its name. */
  logoOf: (firmId: number) => Promise<Buffer | null>;
  head: Omit<EmailFrame, 'sender' | 'language'>;
}

/** How an e-mail's job takes it to the transport. A crash in between sends it twice, with the same id. */
export function createDelivery({
  clock,
  seal,
  transport,
  from,
  logoOf,
  head,
}: DeliveryDependencies): JobKind {
  async function compose({ id, subject, input, sealed, createdAt }: JobWork): Promise<Message> {
    const stored = JSON.parse(seal.open(sealed!).toString()) as Stored;
    const { to, firm, attachments } = stored;
    const email = (stored.email ?? stored.letter)!;
    const frame = { ...head, sender: safeSender(firm, head.appName), language: stored.language ?? 'en' };
    const { firmId } = stored;
    // Where the firm's name cannot be told, neither is its picture.
    const isFirmName = firmId !== undefined && frame.sender === firm?.trim();
    const picture = isFirmName ? await logoOf(firmId) : null;
    return {
      id,
      kind: subject,
      messageId: (input as unknown as EmailInput).message_id,
      from: { name: frame.sender, address: from },
      to: { name: to.name, address: to.email },
      date: createdAt,
      subject: email.subject,
      text: emailText(email, frame),
      html: emailHtml(email, { ...frame, ...(picture && { logo: LOGO }) }),
      attachments: [
        ...(picture ? [{ filename: 'logo.png', contentType: 'image/png', content: picture, cid: LOGO }] : []),
        ...attachments.map(({ name, type, content }) => ({
          filename: name,
          contentType: type,
          content: Buffer.from(content, 'base64'),
        })),
      ],
    };
  }

  const tooLate = (input: JobWork['input'], time: number) =>
    new Date(time).toISOString() >= (input as unknown as EmailInput).expires_at;

  return {
    slots: transport ? AT_ONCE : 0,
    perFirm: 1,
    attempts: Infinity,
    retentionMs: KEPT,
    // A link or code to sign in by is of no use any more, and not to be kept.
    isRestartable: ({ subject }) => !subject.startsWith('auth.') && !subject.endsWith('.code'),
    async run(work) {
      if (tooLate(work.input, clock().getTime())) throw new Undeliverable('no longer of use', true, null);
      await transport!.deliver(await compose(work));
      return { message: 'Sent' };
    },
    retryAfterMs(error, { attempt, input }) {
      // Other errors may pass, such as those of a database that is being restarted.
      if (error instanceof Undeliverable && error.permanent) return null;
      const pause = PAUSES[Math.min(attempt, PAUSES.length) - 1]!;
      return tooLate(input, clock().getTime() + pause) ? null : pause;
    },
  };
}
