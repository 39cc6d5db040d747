import { createInvoices } from '../invoices/service.ts';
import { createPayments } from '../payments/service.ts';
import { createSubscription } from '../subscription/service.ts';
import type { Actor } from '../actor.ts';
import type { Foundation } from './foundation.ts';
import type { Dependencies } from './dependencies.ts';

/** Plans, payments and invoices. */
export function composeMoney(
  { db, clock, log, config }: Dependencies,
  { audit, jobs, mail, auth, attempts, settings }: Foundation,
  /** Bytes that count towards the firm's quota. */
  used: (actor: Actor) => Promise<number>,
) {
  const subscription = createSubscription({
    db,
    clock,
    audit,
    firmOf: auth.registry.firmOf,
    used,
  });
  const invoices = createInvoices({
    db,
    clock,
    log,
    audit,
    mail,
    jobs,
    registry: auth.registry,
    settings: config.invoicing ?? { seller: null, prefix: 'AL', sac: '', appName: settings.appName },
    billingUrl: `${settings.baseUrl}/subscription-plans`,
  });
  const payments = createPayments({
    db,
    clock,
    log,
    audit,
    jobs,
    limits: attempts,
    settings: config.gateway ?? null,
    planOnSale: subscription.planOnSale,
    viewer: auth.viewer,
    activate: subscription.activate,
    revoke: subscription.revoke,
    onPaid: invoices.issue,
    invoicesOf: invoices.ofPayments,
  });
  return { subscription, invoices, payments };
}
