import { useState } from 'react';
import type { OrderState, OrderView } from '#server/payments/contract.ts';
import { ACTIVATED, UNVERIFIED } from '#server/payments/contract.ts';
import type { Cycle, PlanView } from '#server/subscription/contract.ts';
import * as t from '#messages/subscription.ts';
import { ApiError, api, messageOf } from '../../lib/api.ts';
import { flash, toast } from '../../lib/toast.ts';
import { loadCheckout, openCheckout } from './checkout.ts';
import type { Checkout, Outcome } from './checkout.ts';

export type Stage = 'ordering' | 'paying' | 'verifying';

/** What stays on the page after a payment that is not done with. */
export interface Trouble {
  tone: 'danger' | 'warning';
  message: string;
  /** Money may have moved, so asking again makes sense. */
  unsettled: boolean;
}

/** How long after the one before the page asks whether the order is paid; the last again and again. */
const ASK_AFTER_MS = [2000, 3000, 5000, 10_000, 15_000] as const;
/** The server keeps asking by itself after these. */
const UNSETTLED = new Set(['payment_pending', 'payment_unconfirmed', 'network', 'internal']);

/** Asks before the window is closed while money may move. */
const stay = (event: BeforeUnloadEvent) => event.preventDefault();

/** Loads the page anew, which shows the plan everywhere, and says there what happened. */
export function reloadWith(title: string): void {
  flash({ title });
  window.location.reload();
}

/**
 * Resolves once the order is paid, whoever told: for the case that checkout's own answer never comes. Who comes back
 * from the bank's app is answered at once.
 */
function watch(order: OrderView, signal: AbortSignal): Promise<{ kind: 'known' }> {
  return new Promise((resolve) => {
    let asked = 0;
    let timer: number | undefined;
    const ask = async () => {
      window.clearTimeout(timer);
      const { paid } = await api
        .get<OrderState>(`/api/subscription/order/${order.subscription_id}`, { signal })
        .catch(() => ({ paid: false }));
      if (paid) resolve({ kind: 'known' });
      else if (!signal.aborted) later();
    };
    const later = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void ask(), ASK_AFTER_MS[asked] ?? ASK_AFTER_MS.at(-1));
      asked += 1;
    };
    const seen = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    document.addEventListener('visibilitychange', seen, { signal });
    signal.addEventListener('abort', () => window.clearTimeout(timer));
    later();
  });
}

/** Order, gateway, verification: one payment at a time. */
export function usePayment({ checkoutUrl, appName }: { checkoutUrl: string; appName: string }) {
  const [stage, setStage] = useState<Stage | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  function failed(message: string, unsettled = false): void {
    setTrouble({ tone: unsettled ? 'warning' : 'danger', message, unsettled });
  }

  async function order(plan: PlanView, billing_cycle: Cycle): Promise<OrderView | null> {
    try {
      return await api.post<OrderView>('/api/subscription/order', { plan_id: plan.id, billing_cycle });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'already_paid') {
        done(error.message);
        return null;
      }
      const unsettled = error instanceof ApiError && error.code === 'payment_pending';
      failed(messageOf(error, t.processFailed), unsettled);
      return null;
    }
  }

  async function verify(made: OrderView, outcome: Extract<Outcome, { kind: 'paid' }>): Promise<void> {
    setStage('verifying');
    try {
      const body = { subscription_id: made.subscription_id, ...outcome.response };
      await api.post('/api/subscription/verify-payment', body);
      done(ACTIVATED);
    } catch (error) {
      const told =
        error instanceof ApiError &&
        error.status !== 0 &&
        error.code !== 'internal' &&
        error.hasServerMessage;
      failed(
        told ? error.message : UNVERIFIED,
        !told || (error instanceof ApiError && UNSETTLED.has(error.code)),
      );
    }
  }

  function done(title: string): void {
    window.removeEventListener('beforeunload', stay);
    reloadWith(title);
  }

  async function pay(made: OrderView, plan: PlanView, cycle: Cycle): Promise<void> {
    setStage('paying');
    try {
      await loadCheckout(checkoutUrl);
    } catch {
      failed(t.gatewayFailed);
      return;
    }
    const description = t.orderName[cycle](plan.name);
    const checkout: Checkout = openCheckout(made, { name: appName, description }, (reason) =>
      toast.error(t.paymentFailed(reason)),
    );
    const watching = new AbortController();
    const outcome = await Promise.race([checkout.outcome, watch(made, watching.signal)]);
    watching.abort();
    if (outcome.kind === 'paid') await verify(made, outcome);
    else if (outcome.kind === 'dismissed') toast.info(t.paymentCancelled);
    else {
      checkout.close();
      done(ACTIVATED);
    }
  }

  return {
    stage,
    trouble,
    dismiss: () => setTrouble(null),
    async subscribe(plan: PlanView, cycle: Cycle): Promise<void> {
      if (stage !== null) return;
      setTrouble(null);
      setStage('ordering');
      window.addEventListener('beforeunload', stay);
      try {
        const made = await order(plan, cycle);
        if (made) await pay(made, plan, cycle);
      } catch {
        failed(t.processFailed);
      } finally {
        window.removeEventListener('beforeunload', stay);
        setStage(null);
      }
    },
  };
}
