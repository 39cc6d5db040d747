import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import type { Jobs } from '../jobs/service.ts';
import type { Sealer } from '../db/column-encryption.ts';
import type { Sending, Undelivered } from './contract.ts';
import type { EmailInput, Stored } from './delivery.ts';
import { createDelivery } from './delivery.ts';
import type { Transport } from './transport.ts';

/** The kind of job that an e-mail is, by a name that old rows have: never renamed. */
const EMAIL = 'letter';
const LIFETIME = 3 * 24 * 60 * 60_000;

interface MailDependencies {
  clock: Clock;
  jobs: Pick<Jobs, 'register' | 'enqueue' | 'runDue' | 'failing' | 'retry'>;
  seal: Sealer;
  /** Without one, e-mails wait. */
  transport?: Transport;
  /** The logo of a firm, as PNG. */
  logoOf?: (firmId: number) => Promise<Buffer | null>;
  settings: { appName: string; baseUrl: string; mailFrom: string };
}

/** E-mails, written down with what they tell about and delivered afterwards. */
export function createMail({
  clock,
  jobs,
  seal,
  transport,
  logoOf = async () => null,
  settings,
}: MailDependencies) {
  const { appName, baseUrl, mailFrom } = settings;
  const domain = mailFrom.split('@').at(-1) ?? 'localhost';
  jobs.register(
    EMAIL,
    createDelivery({ clock, seal, transport, from: mailFrom, logoOf, head: { appName, baseUrl } }),
  );

  return {
    /**
     * Writes an e-mail down, in the transaction of what it tells about: it goes out when that has happened, and only
     * then. Delivery is tried again until the e-mail expires.
     */
    async send(trx: Knex.Transaction, sending: Sending): Promise<void> {
      const { to, firm, firmId, email, language = 'en', attachments = [], kind, expiresAt } = sending;
      const stored: Stored = {
        to,
        firm,
        email,
        language,
        ...(firmId !== undefined && { firmId }),
        attachments: attachments.map(({ name, type, content }) => ({
          name,
          type,
          content: content.toString('base64'),
        })),
      };
      const input: EmailInput = {
        message_id: `<${randomUUID()}@${domain}>`,
        expires_at: (expiresAt ?? new Date(clock().getTime() + LIFETIME)).toISOString(),
      };
      await jobs.enqueue(trx, {
        kind: EMAIL,
        firm_id: firmId,
        subject: kind,
        input: { ...input },
        sealed: seal.seal(JSON.stringify(stored)),
        message: 'Waiting to be sent',
      });
    },

    /** For the log and the admins: where e-mails go. */
    means: transport?.means ?? 'e-mails wait',

    /** Whether e-mails leave this machine; where they do not, people are given links to send by themselves. */
    sends: transport?.sends ?? true,

    /** What did not go out, the newest 50. */
    async undelivered(): Promise<Undelivered[]> {
      const rows = await jobs.failing(EMAIL);
      return rows.map(({ id, subject, firm, message, attempts, created_at, status, sealed }) => ({
        id,
        kind: subject,
        to: sealed && (JSON.parse(seal.open(sealed).toString()) as Stored).to.email,
        firm,
        reason: message,
        attempts,
        created_at,
        waiting: status !== 'failed',
        can_send: sealed !== null,
      }));
    },

    /** Sends one of these now, and goes on trying for three days. @throws {AppError} 404 when nothing of it is left. */
    sendAgain: (trx: Knex.Transaction, id: number): Promise<void> =>
      jobs.retry(trx, EMAIL, id, {
        expires_at: new Date(clock().getTime() + LIFETIME).toISOString(),
      }),

    /** Sends everything that is due. @returns how many went out. */
    deliver: (): Promise<number> => jobs.runDue(EMAIL),

    stop: (): void => transport?.close(),
  };
}
export type Mail = ReturnType<typeof createMail>;
