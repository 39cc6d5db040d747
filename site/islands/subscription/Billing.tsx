import type { BillingDetails } from '#server/invoices/contract.ts';
import type { PaymentView } from '#server/payments/contract.ts';
import * as t from '#messages/subscription.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { CheckAgain } from './CheckAgain.tsx';
import { DetailsForm } from './DetailsForm.tsx';
import { PaymentList } from './PaymentList.tsx';

export interface BillingProps {
  payments: PaymentView[];
  details: BillingDetails;
  firmName: string;
  /** Whether online payment is set up. */
  online: boolean;
}

/** The firm's payments with their invoices, and the details printed on invoices. */
function BillingIsland({ payments, details, firmName, online }: BillingProps) {
  return (
    <section id="billing" aria-labelledby="billing-title" className="flex scroll-mt-4 flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="billing-title" className="mr-auto text-lg font-semibold">
          {t.billing}
        </h2>
        {online && <CheckAgain />}
      </div>
      {payments.length > 0 ? (
        <PaymentList payments={payments} />
      ) : (
        <p className="text-muted">{t.noPayments}</p>
      )}
      <h3 className="mt-2 font-semibold">{t.invoiceDetails}</h3>
      <DetailsForm first={details} firmName={firmName} />
    </section>
  );
}

export const Billing = withErrorBoundary(BillingIsland);
