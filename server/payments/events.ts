import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import * as v from 'valibot';
import { AppError, badRequest } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Gateway } from './gateway.ts';
import type { EventRow, OrderRow } from './rows.ts';
import type { GatewaySettings } from './settings.ts';
import type { Settling } from './settling.ts';
import { isWebhookSignature } from './signatures.ts';

const MINUTE = 60_000;
/** Ten tries, a little over eight hours: an order of ours is known long before. */
const TRIES = 10;
const pauseAfter = (tries: number) => MINUTE * 2 ** (tries - 1);

const entityOf = <S extends v.GenericSchema>(schema: S) => v.optional(v.object({ entity: schema }));
const notice = v.object({
  event: v.pipe(v.string(), v.maxLength(100)),
  payload: v.object({
    payment: entityOf(v.object({ id: v.string(), order_id: v.nullish(v.string()) })),
    order: entityOf(v.object({ id: v.string() })),
    refund: entityOf(v.object({ payment_id: v.string() })),
  }),
});

export interface EventsParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  gateway: Gateway;
  settings: GatewaySettings;
  settling: Settling;
}

/**
 * The gateway's messages. One is only a hint to look: what has happened is then asked of the gateway itself, so that
 * it does not matter in which order messages come, how often, or how old they are.
 */
export function createEvents({ db, clock, log, gateway, settings, settling }: EventsParts) {
  async function orderOf(event: EventRow): Promise<OrderRow | undefined> {
    const own = db('orders').where({ key_id: settings.keyId });
    if (event.gateway_order_id) return own.where({ gateway_order_id: event.gateway_order_id }).first();
    if (!event.gateway_payment_id) return undefined;
    const { order_id } = await gateway.payment(event.gateway_payment_id);
    return order_id === null ? undefined : own.where({ gateway_order_id: order_id }).first();
  }

  async function handle(event: EventRow): Promise<string | null> {
    const order = await orderOf(event);
    if (order) {
      await settling.settle(order, 'webhook');
      return 'settled';
    }
    // It may be ahead of the commit that makes the order known; others' orders of a shared account end here too.
    return event.gateway_order_id || event.gateway_payment_id ? null : 'not about an order';
  }

  async function process(event: EventRow): Promise<void> {
    let outcome: string | null = null;
    try {
      outcome = await handle(event);
    } catch (error) {
      log.warn({ err: error, event_id: event.event_id }, 'an event of the gateway has to wait');
    }
    const tries = event.tries + 1;
    if (outcome === null && tries >= TRIES) outcome = 'given up';
    const next = outcome === null ? new Date(clock().getTime() + pauseAfter(tries)).toISOString() : null;
    await db('gateway_events')
      .where({ event_id: event.event_id })
      .update({ tries, outcome, next_try_at: next });
  }

  const due = () => db('gateway_events').where('next_try_at', '<=', clock().toISOString());

  return {
    /**
     * Keeps a message whose bytes the gateway has signed; keeping it twice is the same as once.
     * @returns what is still to be done about it, which the answer need not wait for; null when it is not new.
     * @throws {AppError} 400 when it is not from the gateway or can't be read, 503 without a secret.
     */
    async receive(
      body: Buffer,
      { signature, eventId }: { signature: string; eventId: string },
    ): Promise<(() => Promise<void>) | null> {
      if (settings.webhookSecrets.length === 0)
        throw new AppError(503, 'webhook_not_set_up', 'RAZORPAY_WEBHOOK_SECRET is not set on this server.');
      if (!isWebhookSignature(settings.webhookSecrets, body, signature))
        throw badRequest('The signature does not fit the message.', 'invalid_signature');
      const read = v.safeParse(v.pipe(v.string(), v.parseJson(), notice), body.toString());
      if (!read.success) throw badRequest('The message could not be read.', 'unreadable');
      const { event, payload } = read.output;
      const at = clock().toISOString();
      const row: EventRow = {
        event_id: eventId.slice(0, 100) || createHash('sha256').update(body).digest('base64url'),
        event,
        gateway_order_id: payload.order?.entity.id ?? payload.payment?.entity.order_id ?? null,
        gateway_payment_id: payload.payment?.entity.id ?? payload.refund?.entity.payment_id ?? null,
        received_at: at,
        tries: 0,
        next_try_at: at,
        outcome: null,
      };
      const kept = await db('gateway_events')
        .insert(row)
        .onConflict('event_id')
        .ignore()
        .returning('event_id');
      return kept.length === 0 ? null : () => process(row);
    },

    /** Whether one's time has come. */
    waiting: async (): Promise<boolean> => (await due().first('event_id')) !== undefined,

    /** Looks again at what could not be dealt with when it came. */
    async retry(): Promise<void> {
      const events: EventRow[] = await due().orderBy('next_try_at').limit(100);
      for (const event of events) await process(event);
    },
  };
}
export type Events = ReturnType<typeof createEvents>;
