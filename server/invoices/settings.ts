/** Whom invoices come from, and how they are numbered. */
export interface InvoiceSettings {
  /** Null until the admin has said who sells: then there are only plain receipts. */
  seller: { name: string; address: string; gstin: string } | null;
  /** At most 3 capital letters and digits. */
  prefix: string;
  /** The service's code; which one is right is for the seller's accountant to say. */
  sac: string;
  appName: string;
}
