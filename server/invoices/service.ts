import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Auth } from '#server/auth/service.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Paid } from '#server/payments/service.ts';
import type { Clock } from '../clock.ts';
import type { BillingDetails, InvoiceDocument } from './contract.ts';
import { stateOfGstin, titleOf } from './contract.ts';
import { invoiceEmail } from './emails.ts';
import { RECEIPTS, nextNumber } from './numbers.ts';
import { invoicePdf } from './pdf.ts';
import { mayBill } from './policy.ts';
import type { InvoiceSettings } from './settings.ts';
import { taxesIn } from './tax.ts';

interface InvoicesDependencies {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'error'>;
  audit: Audit;
  mail: Pick<Mail, 'send'>;
  jobs: Pick<Jobs, 'register' | 'enqueue' | 'runDue'>;
  settings: InvoiceSettings;
  registry: Pick<Auth['registry'], 'billingAddressee' | 'firmName'>;
  /** Where the firm sees its payments. */
  billingUrl: string;
}

/** The kind of job that draws an invoice and sends it. */
const SENDING = 'invoice';
/** Milliseconds after a failure. */
const AGAIN = 60_000;
interface SendingInput {
  number: string;
  user_id: number;
}

const EMPTY: BillingDetails = { name: '', address: '', gstin: '', state: '' };

/** Tax invoices for what firms have paid, or receipts as long as nobody says who sells. */
export function createInvoices(dependencies: InvoicesDependencies) {
  const { db, clock, log, audit, mail, jobs, settings, registry, billingUrl } = dependencies;
  async function detailsOf(db: Knex, firmId: number): Promise<BillingDetails> {
    const row = await db('billing_details').where({ firm_id: firmId }).first();
    if (!row) return EMPTY;
    const { name, address, gstin, state } = row as BillingDetails;
    return { name, address, gstin, state };
  }

  async function buyerOf(trx: Knex.Transaction, firmId: number): Promise<BillingDetails> {
    const details = await detailsOf(trx, firmId);
    if (details.name) return details;
    return { ...details, name: await registry.firmName(trx, firmId) };
  }

  /** Drawing takes a library and its fonts: it is done beside the transaction that counts the payment, and after it. */
  jobs.register(SENDING, {
    slots: 1,
    attempts: Infinity,
    retryAfterMs: () => AGAIN,
    async run(work) {
      const { number, user_id } = work.input as unknown as SendingInput;
      const row = await db('invoices').where({ number }).first('document');
      const document = JSON.parse(row.document as string) as InvoiceDocument;
      // A payment counts also when its paper cannot be drawn now; it can be downloaded later.
      const pdf = await invoicePdf(document).catch((error: unknown) => {
        log.error({ err: error, invoice: number }, 'an invoice could not be drawn');
        return null;
      });
      const end = { message: 'Drawn, and handed over to the mail', data: {} };
      await db.transaction(async (trx) => {
        const { firmId, ...to } = await registry.billingAddressee(trx, user_id);
        await work.settle(trx, end);
        await mail.send(trx, { ...invoiceEmail(document, to, billingUrl, pdf), firmId });
      });
      return end;
    },
  });

  return {
    /** Draws and hands over to the mail what was issued. @returns how many. */
    sendIssued: (): Promise<number> => jobs.runDue(SENDING),

    /** Issues the invoice of a payment, in the payment's transaction; afterwards a job sends it to who ordered. */
    async issue(trx: Knex.Transaction, { order, payment, starts_at, ends_at }: Paid): Promise<void> {
      const { seller } = settings;
      const now = clock();
      const buyer = await buyerOf(trx, order.firm_id);
      const { number, series, place } = await nextNumber(trx, seller ? settings.prefix : RECEIPTS, now);
      const sellerState = seller ? stateOfGstin(seller.gstin) : '';
      const place_of_supply = seller ? buyer.state || sellerState : '';
      const total_paise = payment.amount_paise;
      const document: InvoiceDocument = {
        kind: seller ? 'tax_invoice' : 'receipt',
        number,
        issued_at: now.toISOString(),
        seller: seller
          ? { ...seller, state: sellerState }
          : { name: settings.appName, address: '', gstin: '', state: '' },
        buyer,
        place_of_supply,
        line: {
          description: `${settings.appName} ${order.plan_name} plan, ${order.billing_cycle}`,
          sac: seller ? settings.sac : '',
          from: starts_at,
          to: ends_at,
        },
        ...(seller
          ? taxesIn(total_paise, sellerState, place_of_supply)
          : { taxable_paise: total_paise, taxes: [], rounding_paise: 0 }),
        total_paise,
        payment: { id: payment.gateway_payment_id, method: payment.method, paid_at: payment.paid_at },
      };
      await trx('invoices').insert({
        firm_id: order.firm_id,
        payment_id: payment.id,
        series,
        place,
        number,
        issued_at: document.issued_at,
        document: JSON.stringify(document),
      });
      const input: SendingInput = { number, user_id: order.user_id };
      await jobs.enqueue(trx, {
        kind: SENDING,
        firm_id: order.firm_id,
        subject: `invoice:${number}`,
        input: { ...input },
        message: 'Waiting to be drawn',
      });
    },

    /** For each payment that has one. */
    async ofPayments(paymentIds: readonly number[]) {
      const rows: { id: number; payment_id: number; number: string; document: string }[] = await db(
        'invoices',
      )
        .whereIn('payment_id', [...paymentIds])
        .select('id', 'payment_id', 'number', 'document');
      return new Map(
        rows.map(({ id, payment_id, number, document }) => [
          payment_id,
          { id, number, title: titleOf(JSON.parse(document) as InvoiceDocument) },
        ]),
      );
    },

    /** @throws {AppError} 403; 404 for an invoice of another firm. */
    async document(actor: Actor, id: number): Promise<InvoiceDocument> {
      const row = await db('invoices').where({ id, firm_id: actor.firmId }).first('document');
      if (!row) throw notFound('invoice');
      if (!mayBill(actor)) throw forbidden();
      return JSON.parse(row.document as string) as InvoiceDocument;
    },

    async details(actor: Actor): Promise<BillingDetails> {
      if (!mayBill(actor)) throw forbidden();
      return detailsOf(db, actor.firmId);
    },

    /** For the invoices to come; those that are issued stay as they are. */
    async setDetails(actor: Actor, details: BillingDetails): Promise<BillingDetails> {
      if (!mayBill(actor)) throw forbidden();
      await db.transaction(async (trx) => {
        await trx('billing_details')
          .insert({ firm_id: actor.firmId, ...details, updated_at: clock().toISOString() })
          .onConflict('firm_id')
          .merge();
        await audit.record(trx, {
          actor,
          did: 'invoices.details',
          detail: { gstin_given: details.gstin !== '', state: details.state },
        });
      });
      return details;
    },
  };
}
export type Invoices = ReturnType<typeof createInvoices>;
