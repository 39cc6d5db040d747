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

/** The error that is shown after a payment. */
interface PaymentError {
  tone: 'danger' | 'warning';
  message: string;
  /** Whether money may have been charged, so that checking again makes sense. */
  unsettled: boolean;
}

/** Delays between polls of the order's state; the last one repeats. */
const POLL_DELAYS_MS = [2000, 3000, 5000, 10_000, 15_000] as const;
/** Error codes after which the server keeps checking the payment. */
const UNSETTLED = new Set(['payment_pending', 'payment_unconfirmed', 'network', 'internal']);

/** Error codes of an order that mean that an earlier one may have been paid. */
const ORDER_UNSETTLED = new Set(['payment_pending', 'payment_unconfirmed']);

/** Makes the browser confirm leaving the page during a payment. */
const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault();

/** Reloads the page, so that the new plan shows everywhere, with a toast. */
export function reloadWith(title: string): void {
  flash({ title });
  window.location.reload();
}

/**
 * Polls until the order is paid, in case the checkout window never reports it. Polls immediately when the user returns to the
 * tab, e.g. from the bank's app.
 */
function pollOrder(order: OrderView, signal: AbortSignal): Promise<{ kind: 'known' }> {
  return new Promise((resolve) => {
    let polls = 0;
    let timer: number | undefined;
    const poll = async () => {
      window.clearTimeout(timer);
      const { paid } = await api
        .get<OrderState>(`/api/subscription/order/${order.subscription_id}`, { signal })
        .catch(() => ({ paid: false }));
      if (paid) resolve({ kind: 'known' });
      else if (!signal.aborted) scheduleNext();
    };
    const scheduleNext = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void poll(), POLL_DELAYS_MS[polls] ?? POLL_DELAYS_MS.at(-1));
      polls += 1;
    };
    const onVisibilityChange = () => {
      if (document.visibilityState === 'visible') void poll();
    };
    document.addEventListener('visibilitychange', onVisibilityChange, { signal });
    signal.addEventListener('abort', () => window.clearTimeout(timer));
    scheduleNext();
  });
}

/** The payment flow: order, gateway, verification; one payment at a time. */
export function usePayment({ checkoutUrl, appName }: { checkoutUrl: string; appName: string }) {
  const [stage, setStage] = useState<Stage | null>(null);
  const [paymentError, setPaymentError] = useState<PaymentError | null>(null);

  function failed(message: string, unsettled = false): void {
    setPaymentError({ tone: unsettled ? 'warning' : 'danger', message, unsettled });
  }

  async function order(plan: PlanView, billing_cycle: Cycle): Promise<OrderView | null> {
    try {
      return await api.post<OrderView>('/api/subscription/order', { plan_id: plan.id, billing_cycle });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'already_paid') {
        done(error.message);
        return null;
      }
      const unsettled = error instanceof ApiError && ORDER_UNSETTLED.has(error.code);
      failed(messageOf(error, t.processFailed), unsettled);
      return null;
    }
  }

  async function verify(created: OrderView, outcome: Extract<Outcome, { kind: 'paid' }>): Promise<void> {
    setStage('verifying');
    try {
      const body = { subscription_id: created.subscription_id, ...outcome.response };
      await api.post('/api/subscription/verify-payment', body);
      done(ACTIVATED);
    } catch (error) {
      const hasReason =
        error instanceof ApiError &&
        error.status !== 0 &&
        error.code !== 'internal' &&
        error.hasServerMessage;
      failed(
        hasReason ? error.message : UNVERIFIED,
        !hasReason || (error instanceof ApiError && UNSETTLED.has(error.code)),
      );
    }
  }

  function done(title: string): void {
    window.removeEventListener('beforeunload', confirmLeave);
    reloadWith(title);
  }

  async function pay(created: OrderView, plan: PlanView, cycle: Cycle): Promise<void> {
    setStage('paying');
    try {
      await loadCheckout(checkoutUrl);
    } catch {
      failed(t.gatewayFailed);
      return;
    }
    const description = t.orderName[cycle](plan.name);
    const checkout: Checkout = openCheckout(created, { name: appName, description }, (reason) =>
      toast.error(t.paymentFailed(reason)),
    );
    const polling = new AbortController();
    const outcome = await Promise.race([checkout.outcome, pollOrder(created, polling.signal)]);
    polling.abort();
    if (outcome.kind === 'paid') await verify(created, outcome);
    else if (outcome.kind === 'dismissed') toast.info(t.paymentCancelled);
    else {
      checkout.close();
      done(ACTIVATED);
    }
  }

  return {
    stage,
    error: paymentError,
    dismiss: () => setPaymentError(null),
    async subscribe(plan: PlanView, cycle: Cycle): Promise<void> {
      if (stage !== null) return;
      setPaymentError(null);
      setStage('ordering');
      window.addEventListener('beforeunload', confirmLeave);
      try {
        const created = await order(plan, cycle);
        if (created) await pay(created, plan, cycle);
      } catch {
        failed(t.processFailed);
      } finally {
        window.removeEventListener('beforeunload', confirmLeave);
        setStage(null);
      }
    },
  };
}
