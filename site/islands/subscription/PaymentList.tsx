import { Download } from 'lucide-react';
import type { PaymentView } from '#server/payments/contract.ts';
import { formatPaise } from '#server/text/rupees.ts';
import * as t from '#messages/subscription.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { formatDate } from '../../lib/format.ts';

const STATUS: Record<PaymentView['status'], [tone: BadgeTone, text: string]> = {
  paid: ['success', t.paid],
  pending: ['warning', t.waitingForBank],
  failed: ['danger', t.failed],
  refunded: ['neutral', t.refunded],
  being_returned: ['warning', t.beingReturned],
  under_review: ['warning', t.underReview],
};

const METHODS: Record<string, string> = { upi: t.upi, emi: t.emi, netbanking: t.netBanking };

function Row({ payment }: { payment: PaymentView }) {
  const [tone, text] = STATUS[payment.status];
  const { invoice, failure, refunded_paise, amount_paise, method } = payment;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-t border-line px-4 py-3 first:border-t-0 md:grid-cols-[7rem_minmax(0,1fr)_8rem_9rem_auto]">
      <span className="tabular text-muted">{formatDate(payment.paid_at)}</span>
      <span className="text-right font-medium tabular md:order-3">{formatPaise(amount_paise)}</span>
      <span className="col-span-2 min-w-0 md:order-2 md:col-span-1">
        {t.purchaseOf(payment.plan, t.cycles[payment.billing_cycle])}
        {method && <span className="text-muted"> · {METHODS[method] ?? method}</span>}
        {failure && <span className="block text-sm text-pretty text-muted">{failure}</span>}
        {refunded_paise > 0 && refunded_paise < amount_paise && (
          <span className="block text-sm text-muted">{t.partlyRefunded(formatPaise(refunded_paise))}</span>
        )}
      </span>
      <span className="md:order-4">
        <Badge tone={tone}>{text}</Badge>
      </span>
      <span className="justify-self-end md:order-5 md:w-44 md:text-right">
        {invoice && (
          <a
            href={`/api/billing/invoices/${invoice.id}`}
            download
            className={buttonClass('secondary', 'sm')}
            aria-label={t.downloadInvoice(invoice.title, invoice.number)}
          >
            <Download aria-hidden size={14} />
            {invoice.number}
          </a>
        )}
      </span>
    </li>
  );
}

export const PaymentList = ({ payments }: { payments: readonly PaymentView[] }) => (
  <ul aria-label={t.payments} className="rounded-lg border border-line bg-surface">
    {payments.map((payment) => (
      <Row key={payment.id} payment={payment} />
    ))}
  </ul>
);
