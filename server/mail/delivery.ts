import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Sealer } from '../sealing.ts';
import type { Sending } from './contract.ts';
import type { Letterhead } from './letter.ts';
import { letterHtml, letterText, safeSender } from './letter.ts';
import type { Message, Transport } from './transport.ts';
import { Undeliverable } from './transport.ts';

export interface OutboxRow {
  id: number;
  kind: string;
  message_id: string;
  content: Buffer | null;
  attempts: number;
  expires_at: string;
  created_at: string;
}

/** As it lies in the outbox: attachments in base64. */
export type Stored = Pick<Sending, 'to' | 'firm' | 'letter'> & {
  attachments: { name: string; type: string; content: string }[];
};

const MINUTE = 60_000;
/** After the first failure, the second, and so on; the last one repeats until the letter expires. */
const PAUSES = [1, 2, 5, 15, 30, 60, 180].map((minutes) => minutes * MINUTE);
const BATCH = 20;
const IDLE_WAIT = 15_000;

export interface DeliveryParts {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  seal: Sealer;
  transport: Transport;
  from: string;
  head: Omit<Letterhead, 'sender'>;
}

/** Takes letters out of the outbox to the transport. A crash between the two sends a letter twice, with the same id. */
export function createDelivery({ db, clock, log, seal, transport, from, head }: DeliveryParts) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = true;
  let working: Promise<number> | undefined;

  function compose(row: OutboxRow): Message {
    const { to, firm, letter, attachments } = JSON.parse(seal.open(row.content!).toString()) as Stored;
    const sender = safeSender(firm, head.appName);
    return {
      id: row.id,
      kind: row.kind,
      messageId: row.message_id,
      from: { name: sender, address: from },
      to: { name: to.name, address: to.email },
      date: new Date(row.created_at),
      subject: letter.subject,
      text: letterText(letter, { ...head, sender }),
      html: letterHtml(letter, { ...head, sender }),
      attachments: attachments.map(({ name, type, content }) => ({
        filename: name,
        contentType: type,
        content: Buffer.from(content, 'base64'),
      })),
    };
  }

  const end = (id: number, status: 'sent' | 'failed', error: string | null) =>
    db('outbox').where({ id }).update({
      status,
      content: null,
      last_error: error,
      finished_at: clock().toISOString(),
    });

  async function deliverOne(row: OutboxRow): Promise<boolean> {
    try {
      await transport.deliver(compose(row));
      await end(row.id, 'sent', null);
      return true;
    } catch (error) {
      const reason = (error as Error).message.slice(0, 500);
      const attempts = row.attempts + 1;
      const next = new Date(clock().getTime() + PAUSES[Math.min(attempts, PAUSES.length) - 1]!);
      const over = next.toISOString() >= row.expires_at;
      if (over || !(error instanceof Undeliverable) || error.permanent) {
        log.error({ letter: row.id, kind: row.kind, reason, attempts }, 'a letter could not be delivered');
        await end(row.id, 'failed', reason);
        return false;
      }
      log.warn({ letter: row.id, kind: row.kind, reason, attempts }, 'a letter will be tried again');
      const later = { attempts, last_error: reason, next_attempt_at: next.toISOString() };
      await db('outbox').where({ id: row.id }).update(later);
      return false;
    }
  }

  async function deliverAll(): Promise<number> {
    let sent = 0;
    for (;;) {
      const now = clock().toISOString();
      const late = { status: 'failed', content: null, last_error: 'no longer of use', finished_at: now };
      await db('outbox').where({ status: 'waiting' }).where('expires_at', '<=', now).update(late);
      const rows: OutboxRow[] = await db('outbox')
        .where({ status: 'waiting' })
        .where('next_attempt_at', '<=', now)
        .orderBy('id')
        .limit(BATCH);
      if (rows.length === 0) return sent;
      for (const row of rows) if (await deliverOne(row)) sent += 1;
    }
  }

  /** One round at a time; who asks during a round gets another one after it. */
  function deliver(): Promise<number> {
    const before = working ?? Promise.resolve(0);
    const round = before.then(deliverAll, deliverAll).finally(() => {
      if (working === round) working = undefined;
    });
    working = round;
    return round;
  }

  function plan(wait: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      deliver()
        .catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'))
        .finally(() => plan(IDLE_WAIT));
    }, wait).unref();
  }

  return {
    /** Sends everything that is due. @returns how many went out. */
    deliver,
    wake: () => plan(20),
    start(): void {
      stopped = false;
      plan(1000);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await working?.catch(() => undefined);
      transport.close();
    },
  };
}
