import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { GatewayFault } from './gateway.ts';
import type { Order } from './model.ts';
import { ordersOfMode } from './model.ts';
import { LONGEST_PAUSE, nextCheck } from './schedule.ts';
import type { GatewaySettings } from './settings.ts';
import type { Settled, Settling } from './settle.ts';

/** Orders checked in one round; the next round continues with the rest. */
const ROUND = 50;

interface ReconcilingDependencies {
  db: Knex;
  clock: Clock;
  log: Logger;
  settings: GatewaySettings;
  settling: Settling;
}

/** The result of checking orders at the gateway. */
interface Reconciled {
  asked: number;
  paid: number;
  /** Orders that the gateway does not know. */
  refused: number;
  /** Whether the gateway could be reached. */
  reached: boolean;
}

/** Finds payments by polling the gateway when the browser's answer or the webhook was lost, or the server was down. */
export function createReconciling({ db, clock, log, settings, settling }: ReconcilingDependencies) {
  async function scheduleNextCheck(order: Order): Promise<void> {
    const nextCheckAt = nextCheck(order, clock());
    await order.$query(db).patch({ next_check_at: nextCheckAt?.toISOString() ?? null });
  }

  /**
   * Replaces times in the future by now. They were stored before the clock was set back, and checks scheduled by them
   * would be late by that difference.
   */
  async function correctFutureTimes(order: Order): Promise<void> {
    const now = clock().toISOString();
    const { offered_at, paid_at } = order;
    if (offered_at <= now && (paid_at ?? '') <= now) return;
    const corrected = {
      offered_at: offered_at > now ? now : offered_at,
      paid_at: paid_at && paid_at > now ? now : paid_at,
      ...(order.next_check_at !== null && { next_check_at: now }),
    };
    await order.$query(db).patch(corrected);
  }

  async function settleOrders(orders: readonly Order[]): Promise<Reconciled> {
    const result: Reconciled = { asked: 0, paid: 0, refused: 0, reached: true };
    for (const order of orders) {
      let settled: Settled;
      await correctFutureTimes(order);
      try {
        settled = await settling.settle(order, 'poll');
      } catch (error) {
        if (!(error instanceof GatewayFault)) throw error;
        if (error.kind !== 'refused') {
          log.warn({ err: error }, 'the payment gateway cannot be asked now');
          return { ...result, reached: false };
        }
        log.error({ err: error, order: order.id }, 'the gateway would not tell about an order');
        await scheduleNextCheck(order);
        result.refused += 1;
        continue;
      }
      result.asked += 1;
      if (settled.paid) result.paid += 1;
    }
    return result;
  }

  const knownOrders = () => ordersOfMode(db, settings);

  /** Orders whose next check is due. */
  function dueOrders() {
    const now = clock();
    const nowIso = now.toISOString();
    const after = (pause: number) => new Date(now.getTime() + pause).toISOString();
    return knownOrders()
      .whereNotNull('next_check_at')
      .where((isDue) =>
        isDue
          .where('next_check_at', '<=', nowIso)
          // Stored while the clock was ahead: no pause is that long.
          .orWhere('next_check_at', '>', after(LONGEST_PAUSE.paid))
          .orWhere((isUnpaid) =>
            isUnpaid.whereNot({ status: 'paid' }).where('next_check_at', '>', after(LONGEST_PAUSE.open)),
          )
          .orWhere('offered_at', '>', nowIso)
          .orWhere('paid_at', '>', nowIso),
      );
  }

  return {
    /** Whether any order's next check is due. */
    due: async (): Promise<boolean> => (await dueOrders().select('id').first()) !== undefined,

    /** Checks the orders that are due. */
    async round(): Promise<Reconciled> {
      return settleOrders(await dueOrders().orderBy('next_check_at').limit(ROUND));
    },

    /** Checks all open orders, due or not, since they may have been paid while the server was down. */
    async catchUp(): Promise<Reconciled> {
      return settleOrders(await knownOrders().where({ status: 'open' }).orderBy('offered_at', 'desc'));
    },

    /** Checks every order, however old: unpaid ones for payments, paid ones for refunds. */
    async everything(): Promise<Reconciled> {
      return settleOrders(await knownOrders().orderBy('id'));
    },
  };
}
