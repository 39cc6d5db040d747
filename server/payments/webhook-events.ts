import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import * as v from 'valibot';
import { AppError, badRequest, conflict } from '#server/http/errors.ts';
import type { JobData } from '#server/jobs/contract.ts';
import type { JobKind } from '#server/jobs/kinds.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { Clock } from '../clock.ts';
import { NOT_SET_UP } from './contract.ts';
import type { Gateway } from './gateway.ts';
import type { Order } from './model.ts';
import { GatewayEvent, ordersOfMode } from './model.ts';
import type { GatewaySettings } from './settings.ts';
import type { Settling } from './settle.ts';
import { isWebhookSignature } from './signatures.ts';

const MINUTE = 60_000;
/** Ten tries in a little over eight hours: by then an order of ours has long been stored. */
const TRIES = 10;
const pauseAfter = (tries: number) => MINUTE * 2 ** (tries - 1);

/** The kind of job that processes an event. */
export const GATEWAY_EVENT = 'gateway event';

/** The input of the job: the event's id, and the order or payment that it is about. */
interface EventInput {
  event_id: string;
  gateway_order_id: string | null;
  gateway_payment_id: string | null;
}

const entityOf = <S extends v.GenericSchema>(schema: S) => v.optional(v.object({ entity: schema }));
const webhookBody = v.object({
  event: v.pipe(v.string(), v.maxLength(100)),
  payload: v.object({
    payment: entityOf(v.object({ id: v.string(), order_id: v.nullish(v.string()) })),
    order: entityOf(v.object({ id: v.string() })),
    refund: entityOf(v.object({ payment_id: v.string() })),
  }),
});

interface EventsDependencies {
  db: Knex;
  clock: Clock;
  jobs: Pick<Jobs, 'enqueue'>;
  gateway: Gateway;
  settings: GatewaySettings;
  settling: Settling;
}

/**
 * The gateway's webhook events. An event only triggers a check of its order at the gateway, so that events may arrive in
 * any order, repeatedly and late.
 */
export function createWebhookEvents({ db, clock, jobs, gateway, settings, settling }: EventsDependencies) {
  async function orderOf(event: EventInput): Promise<Order | undefined> {
    const knownOrders = ordersOfMode(db, settings);
    if (event.gateway_order_id) return knownOrders.findOne({ gateway_order_id: event.gateway_order_id });
    if (!event.gateway_payment_id) return undefined;
    const { order_id } = await gateway.payment(event.gateway_payment_id);
    return order_id === null ? undefined : knownOrders.findOne({ gateway_order_id: order_id });
  }

  async function handle(event: EventInput, attempt: number): Promise<string> {
    const order = await orderOf(event);
    if (order) {
      await settling.settle(order, 'webhook');
      return 'settled';
    }
    if (!event.gateway_order_id && !event.gateway_payment_id) return 'not about an order';
    // The event may arrive before the order is committed. Orders of other programs that share the account also end here.
    if (attempt < TRIES) throw conflict('No order of ours is known for this event yet.', 'no_order_yet');
    return 'given up';
  }

  return {
    /**
     * Stores an event signed by the gateway, with the job that processes it; a repeated delivery changes nothing.
     * @throws {AppError} 400 if it is not from the gateway or unreadable, 503 without a secret.
     */
    async receive(
      body: Buffer,
      { signature, eventId }: { signature: string; eventId: string },
    ): Promise<void> {
      if (settings.webhookSecrets.length === 0)
        throw new AppError(503, 'webhook_not_set_up', 'RAZORPAY_WEBHOOK_SECRET is not set on this server.');
      if (!isWebhookSignature(settings.webhookSecrets, body, signature))
        throw badRequest('The signature does not fit the message.', 'invalid_signature');
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), webhookBody), body.toString());
      if (!parsed.success) throw badRequest('The message could not be read.', 'unreadable');
      const { event, payload } = parsed.output;
      const input: EventInput = {
        event_id: eventId.slice(0, 100) || createHash('sha256').update(body).digest('base64url'),
        gateway_order_id: payload.order?.entity.id ?? payload.payment?.entity.order_id ?? null,
        gateway_payment_id: payload.payment?.entity.id ?? payload.refund?.entity.payment_id ?? null,
      };
      const row = { ...input, event, received_at: clock().toISOString(), outcome: null };
      await db.transaction(async (trx) => {
        const inserted = await trx('gateway_events')
          .insert(row)
          .onConflict('event_id')
          .ignore()
          .returning('event_id');
        if (inserted.length === 0) return;
        const message = 'Waiting to be acted on';
        await jobs.enqueue(trx, { kind: GATEWAY_EVENT, subject: event, input: { ...input }, message });
      });
    },

    /** Processes a stored event. @returns the outcome. @throws if the job has to be tried again. */
    async act(input: JobData, attempt: number): Promise<string> {
      const event = input as unknown as EventInput;
      let outcome = 'given up';
      try {
        outcome = await handle(event, attempt);
      } finally {
        if (outcome !== 'given up' || attempt >= TRIES)
          await GatewayEvent.query(db).findById(event.event_id).patch({ outcome });
      }
      return outcome;
    },
  };
}
export type Events = ReturnType<typeof createWebhookEvents>;

/**
 * The job that processes an event. `events` is null while no gateway is set up; the job is then tried again as if the
 * gateway were down.
 */
export const eventJob = (events: Events | null): JobKind => ({
  attempts: TRIES,
  async run({ input, attempt }) {
    if (!events) throw new AppError(503, 'payment_not_set_up', NOT_SET_UP);
    return { message: await events.act(input, attempt) };
  },
  retryAfterMs: (_error, { attempt }) => (attempt < TRIES ? pauseAfter(attempt) : null),
});
