import type { Knex } from 'knex';
import type { PaymentView } from './contract.ts';
import type { OrderRow, PaymentRow } from './rows.ts';

export type InvoiceOf = (paymentIds: readonly number[]) => Promise<Map<number, PaymentView['invoice']>>;

type Row = PaymentRow & Pick<OrderRow, 'plan_name' | 'billing_cycle'>;

function statusOf(row: Row): PaymentView['status'] {
  if (row.problem === 'surplus') return row.status === 'refunded' ? 'refunded' : 'being_returned';
  if (row.problem === 'mismatch') return row.status === 'refunded' ? 'refunded' : 'under_review';
  if (row.status === 'captured') return row.counted_at === null ? 'under_review' : 'paid';
  if (row.status === 'refunded' || row.status === 'failed') return row.status;
  return 'pending';
}

/** The firm's payments, the newest first. */
export async function historyOf(db: Knex, firmId: number, invoiceOf: InvoiceOf): Promise<PaymentView[]> {
  const rows: Row[] = await db('payments as p')
    .join('orders as o', 'o.id', 'p.order_id')
    .where('p.firm_id', firmId)
    .orderBy([
      { column: 'p.paid_at', order: 'desc' },
      { column: 'p.id', order: 'desc' },
    ])
    .limit(500)
    .select('p.*', 'o.plan_name', 'o.billing_cycle');
  const invoices = await invoiceOf(rows.map(({ id }) => id));
  return rows.map((row) => ({
    id: row.id,
    paid_at: row.paid_at,
    plan: row.plan_name,
    billing_cycle: row.billing_cycle,
    amount_paise: row.amount_paise,
    refunded_paise: row.refunded_paise,
    method: row.method,
    status: statusOf(row),
    failure: row.failure,
    invoice: invoices.get(row.id) ?? null,
  }));
}
