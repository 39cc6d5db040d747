import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Sealer } from '../sealing.ts';
import type { Sending } from './contract.ts';
import type { Stored } from './delivery.ts';
import { createDelivery } from './delivery.ts';
import type { Transport } from './transport.ts';

const DAY = 24 * 60 * 60_000;
const LIFETIME = 3 * DAY;
/** For how long one can see that a letter went out. */
const KEPT = 30 * DAY;

export interface MailParts {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  seal: Sealer;
  /** Without one, letters wait. */
  transport?: Transport;
  settings: { appName: string; baseUrl: string; mailFrom: string };
}

/** Letters, written down with what they tell about and delivered afterwards. */
export function createMail({ db, clock, log, seal, transport, settings }: MailParts) {
  const { appName, baseUrl, mailFrom } = settings;
  const delivery =
    transport &&
    createDelivery({ db, clock, log, seal, transport, from: mailFrom, head: { appName, baseUrl } });
  const domain = mailFrom.split('@').at(-1) ?? 'localhost';

  return {
    /**
     * Puts a letter into the outbox, in the transaction of what it tells about: it goes out when that has happened, and
     * only then. Delivery is tried again until the letter expires.
     */
    async send(trx: Knex.Transaction, sending: Sending): Promise<void> {
      const { to, firm, letter, attachments = [], kind, expiresAt } = sending;
      const now = clock();
      const stored: Stored = {
        to,
        firm,
        letter,
        attachments: attachments.map(({ name, type, content }) => ({
          name,
          type,
          content: content.toString('base64'),
        })),
      };
      await trx('outbox').insert({
        kind,
        message_id: `<${randomUUID()}@${domain}>`,
        content: seal.seal(JSON.stringify(stored)),
        status: 'waiting',
        attempts: 0,
        next_attempt_at: now.toISOString(),
        expires_at: (expiresAt ?? new Date(now.getTime() + LIFETIME)).toISOString(),
        created_at: now.toISOString(),
      });
      trx.executionPromise.then(delivery?.wake, () => {});
    },

    /** Sends everything that is due. @returns how many went out. */
    deliver: (): Promise<number> => delivery?.deliver() ?? Promise.resolve(0),

    /** Deletes what is long done. */
    sweep: (): Promise<number> =>
      db('outbox')
        .where('finished_at', '<', new Date(clock().getTime() - KEPT).toISOString())
        .delete(),

    start(): void {
      if (transport) log.info(transport.means);
      delivery?.start();
    },
    stop: async (): Promise<void> => delivery?.stop(),
  };
}
export type Mail = ReturnType<typeof createMail>;
