import type { Knex } from 'knex';
import type { PaymentView } from './contract.ts';
import { Payment } from './model.ts';

export type InvoiceOf = (paymentIds: readonly number[]) => Promise<Map<number, PaymentView['invoice']>>;

/** The firm's payments, the newest first. */
export async function historyOf(db: Knex, firmId: number, invoiceOf: InvoiceOf): Promise<PaymentView[]> {
  const rows = await Payment.query(db)
    .alias('p')
    .join('orders as o', 'o.id', 'p.order_id')
    .where('p.firm_id', firmId)
    .orderBy([
      { column: 'p.paid_at', order: 'desc' },
      { column: 'p.id', order: 'desc' },
    ])
    .limit(500)
    .select('p.*', 'o.plan_name', 'o.billing_cycle');
  const invoices = await invoiceOf(rows.map(({ id }) => id));
  return rows.map((row) => row.toView(invoices.get(row.id) ?? null));
}
