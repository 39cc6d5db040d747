import { plural } from './language.ts';

// Billing.tsx
export const billing = 'Billing';
export const noPayments = 'No payments yet. Each one will be listed here with its invoice.';
export const invoiceDetails = 'Details on invoices';

// CheckAgain.tsx
export const activated = 'Subscription activated successfully! Welcome to premium!';
export const bankPending =
  'Your bank has not confirmed the payment yet. The plan starts by itself as soon as it does.';
export const noOtherPayment = 'The gateway has no payment that is not listed here.';
export const checkFailed = 'The payment could not be checked. Please try again.';
export const checking = 'Checking...';
export const checkAgain = 'I have paid, check again';

// DetailsForm.tsx
export const notGiven = 'Not given';
export const saved = 'Saved.';
export const detailsFailed = 'The details could not be saved. Please try again.';
export const invoiceName = 'Name on invoices';
export const gstin = 'GSTIN';
export const gstinHint = 'With it you can claim the tax as input credit.';
export const address = 'Address';
export const state = 'State';
export const stateFromGstin = 'Taken from the GSTIN.';

// PayingOverlay.tsx
export const ordering = 'Preparing your order.';
export const paying = 'Complete the payment in the gateway’s window.';
export const verifying = 'Confirming your payment with the gateway.';
export const dontClose = "Please don't close this window";

// PaymentList.tsx
export const paid = 'Paid';
export const waitingForBank = 'Waiting for the bank';
export const failed = 'Failed';
export const refunded = 'Refunded';
export const beingReturned = 'Being refunded';
export const underReview = 'Under review';
export const upi = 'UPI';
export const emi = 'EMI';
export const netBanking = 'net banking';
export const partlyRefunded = (amount: string) => `${amount} refunded`;
export const downloadInvoice = (title: string, number: string) => `Download ${title} ${number}`;
export const payments = 'Payments';

// PlanCard.tsx
export const mostPopular = 'Most Popular';
export const perMonth = 'per month';
export const perYear = 'per year';
export const savePercent = (percent: number) => `Save ${percent}%`;
export const gstIncluded = 'GST included';
export const storageOf = (size: string) => `${size} storage`;
export const secureSharing = 'Secure File Sharing';
export const currentPlan = 'Current Plan';
/** Labels of the buttons, by billing cycle. */
export const purchase = { yearly: 'Yearly Plan', monthly: 'Monthly Plan' };
/** The same, near the end of the plan that runs. */
export const renewal = { yearly: 'Renew: Yearly Plan', monthly: 'Renew: Monthly Plan' };
export const users = (n: number) => plural(n, { one: '1 user', other: '# users' });
export const mailSubject = (plan: string, cycle: string) => `${plan}, ${cycle}`;
export const planByEmail = (cycle: string, plan: string) => `${cycle}, ${plan}, by e-mail`;
export const planFor = (plan: string, name: string, price: string) => `${plan}, ${name}, ${price}`;

// Plans.tsx
export const noOnlinePayment = (address: string) =>
  `Online payment is not set up on this server. To get a plan, write to <mail>${address}</mail>.`;
export const noOnlinePaymentNorAddress =
  'Online payment is not set up on this server. To get a plan, ask your administrator.';
/** Shown to server administrators. */
export const giveByCommand = (email: string) =>
  `Online payment is not set up on this server. You look after it: give this firm a plan with <code>npm run admin -- grant ${email} Professional 12</code> (plan and months), or set up online payment: see <code>RAZORPAY_KEY_ID</code> in the README.`;
export const loadingPlans = 'Loading plans';
export const plansFailed = 'Failed to load subscription plans';
export const overPlan = (used: string) => `You use ${used}, more than this plan holds: uploads would stop.`;
export const expiredOn = (date: string) => `Expired On ${date}`;
export const expiresOn = (date: string) => `Expires On ${date}`;
export const usedOf = (used: string, limit: string) => `${used} of ${limit} used`;
export const adminOnly = 'Only an admin of your firm can start a trial or buy a plan.';
export const planChange = (plan: string) =>
  `Another plan starts at once. What is left of ${plan} continues after it. Paying for the same plan again extends it.`;
export const detailsFirst =
  'Your GSTIN and state go on the invoice, which cannot be changed later: fill in the <details>invoice details</details> before you pay.';
export const noPlans = 'No plan is on offer at the moment.';

// checkout.ts
export const noReason = 'the bank gave no reason';

// usePayment.ts
/** The name of the order in the window of the payment gateway. */
export const orderName = {
  monthly: (plan: string) => `${plan} plan, monthly`,
  yearly: (plan: string) => `${plan} plan, yearly`,
};
export const processFailed = 'Failed to process subscription. Please try again.';
export const gatewayFailed = 'Failed to load payment gateway';
export const paymentFailed = (reason: string) => `Payment failed: ${reason}`;
export const paymentCancelled = 'Payment cancelled';

// The page around
export const title = 'Subscription Plans';
export const benefitsTitle = 'What premium gives your office';
export const benefits = {
  encrypted: {
    title: 'Encrypted on disk',
    text: 'Every file is encrypted under a key of its own before it is stored.',
  },
  search: {
    title: 'Found at once',
    text: 'Names and clients are searched as you type, across the whole office.',
  },
  kept: {
    title: 'Nothing is lost when a plan ends',
    text: 'You can still read, download and delete; only new uploads wait.',
  },
  invoices: {
    title: 'An invoice for every payment',
    text: 'Sent by e-mail as a PDF, with your GSTIN if you enter it.',
  },
};
export const needMoreStorage = (address: string) =>
  `Need more storage or more users? Write to <mail>${address}</mail>.`;
export const customPlan = 'Custom plan';
export const cycles = { monthly: 'monthly', yearly: 'yearly' };
export const purchaseOf = (plan: string, cycle: string) => `${plan}, ${cycle}`;
