import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { GatewayFault } from './gateway.ts';
import { Order } from './model.ts';
import { LONGEST_PAUSE, nextCheck } from './schedule.ts';
import type { GatewaySettings } from './settings.ts';
import type { Settled, Settling } from './settle.ts';

/** Orders of one round; what is left over comes in the next. */
const ROUND = 50;

export interface ReconcilingParts {
  db: Knex;
  clock: Clock;
  log: Logger;
  settings: GatewaySettings;
  settling: Settling;
}

/** What a round of asking brought to light. */
export interface Reconciled {
  asked: number;
  paid: number;
  /** Orders that the gateway would not tell about. */
  refused: number;
  /** Whether the gateway could be reached. */
  reached: boolean;
}

/** Finds out by itself what nobody told us: a lost answer, a lost webhook, a server that was down. */
export function createReconciling({ db, clock, log, settings, settling }: ReconcilingParts) {
  async function later(order: Order): Promise<void> {
    const next = nextCheck(order, clock());
    await order.$query(db).patch({ next_check_at: next?.toISOString() ?? null });
  }

  /** An order of the future was made before the clock was set back: its schedule begins now, or it would wait that long. */
  async function beginAgain(order: Order): Promise<void> {
    const now = clock().toISOString();
    const { offered_at, paid_at } = order;
    if (offered_at <= now && (paid_at ?? '') <= now) return;
    const changed = {
      offered_at: offered_at > now ? now : offered_at,
      paid_at: paid_at && paid_at > now ? now : paid_at,
      ...(order.next_check_at !== null && { next_check_at: now }),
    };
    await order.$query(db).patch(changed);
  }

  async function askAbout(orders: readonly Order[]): Promise<Reconciled> {
    const sum: Reconciled = { asked: 0, paid: 0, refused: 0, reached: true };
    for (const order of orders) {
      let settled: Settled;
      await beginAgain(order);
      try {
        settled = await settling.settle(order, 'poll');
      } catch (error) {
        if (!(error instanceof GatewayFault)) throw error;
        if (error.kind === 'down') {
          log.warn({ err: error }, 'the payment gateway cannot be asked now');
          return { ...sum, reached: false };
        }
        log.error({ err: error, order: order.id }, 'the gateway would not tell about an order');
        await later(order);
        sum.refused += 1;
        continue;
      }
      sum.asked += 1;
      if (settled.paid) sum.paid += 1;
    }
    return sum;
  }

  const own = () => Order.query(db).where({ key_id: settings.keyId });

  /** Orders whose time has come. */
  function dueOrders() {
    const now = clock();
    const at = now.toISOString();
    const after = (pause: number) => new Date(now.getTime() + pause).toISOString();
    return own()
      .whereNotNull('next_check_at')
      .where((when) =>
        when
          .where('next_check_at', '<=', at)
          // These were written by a clock that ran ahead.
          .orWhere('next_check_at', '>', after(LONGEST_PAUSE.paid))
          .orWhere((open) =>
            open.whereNot({ status: 'paid' }).where('next_check_at', '>', after(LONGEST_PAUSE.open)),
          )
          .orWhere('offered_at', '>', at)
          .orWhere('paid_at', '>', at),
      );
  }

  return {
    /** Whether there is anything to ask about now. */
    due: async (): Promise<boolean> => (await dueOrders().select('id').first()) !== undefined,

    /** Asks about the orders whose time has come. */
    async round(): Promise<Reconciled> {
      return askAbout(await dueOrders().orderBy('next_check_at').limit(ROUND));
    },

    /** Asks about all that may have been paid while nobody listened, such as before a restart. */
    async catchUp(): Promise<Reconciled> {
      return askAbout(await own().where({ status: 'open' }).orderBy('offered_at', 'desc'));
    },

    /** Asks about everything that is not known to be paid, however old, and about payments that may have gone back. */
    async everything(): Promise<Reconciled> {
      return askAbout(await own().orderBy('id'));
    },
  };
}
