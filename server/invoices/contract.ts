import * as v from 'valibot';
import { mod36Holds } from '#server/text/check-digits.ts';

/** GST state codes and the names that stand for them on an invoice. */
export const STATES: Readonly<Record<string, string>> = {
  '01': 'Jammu and Kashmir',
  '02': 'Himachal Pradesh',
  '03': 'Punjab',
  '04': 'Chandigarh',
  '05': 'Uttarakhand',
  '06': 'Haryana',
  '07': 'Delhi',
  '08': 'Rajasthan',
  '09': 'Uttar Pradesh',
  '10': 'Bihar',
  '11': 'Sikkim',
  '12': 'Arunachal Pradesh',
  '13': 'Nagaland',
  '14': 'Manipur',
  '15': 'Mizoram',
  '16': 'Tripura',
  '17': 'Meghalaya',
  '18': 'Assam',
  '19': 'West Bengal',
  '20': 'Jharkhand',
  '21': 'Odisha',
  '22': 'Chhattisgarh',
  '23': 'Madhya Pradesh',
  '24': 'Gujarat',
  '26': 'Dadra and Nagar Haveli and Daman and Diu',
  '27': 'Maharashtra',
  '29': 'Karnataka',
  '30': 'Goa',
  '31': 'Lakshadweep',
  '32': 'Kerala',
  '33': 'Tamil Nadu',
  '34': 'Puducherry',
  '35': 'Andaman and Nicobar Islands',
  '36': 'Telangana',
  '37': 'Andhra Pradesh',
  '38': 'Ladakh',
  '97': 'Other Territory',
};

const GSTIN = /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][0-9A-Z]{3}$/;

/** Whether it is a GSTIN of a state that exists, with the right check character. */
export const isGstin = (text: string): boolean =>
  GSTIN.test(text) && Boolean(STATES[text.slice(0, 2)]) && mod36Holds(text);

export const stateOfGstin = (gstin: string): string => gstin.slice(0, 2);

// Control characters other than line ends, and those that turn the reading direction of what follows.
const PLAIN = /^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u;
const LINES = /^(?:[^\p{Cc}\u202A-\u202E\u2066-\u2069]|\n)*$/u;
const optional = (schema: v.GenericSchema<string, string>) => v.optional(schema, '');

/** What stands on a firm's invoices besides its name; all of it may be empty. */
export const billingDetails = v.pipe(
  v.object({
    name: optional(
      v.pipe(
        v.string('Enter a name'),
        v.trim(),
        v.maxLength(200, 'The name must be at most 200 characters'),
        v.regex(PLAIN, 'The name has characters that cannot be used'),
      ),
    ),
    address: optional(
      v.pipe(
        v.string('Enter an address'),
        v.trim(),
        v.transform((text) => text.replace(/\r\n?/g, '\n')),
        v.maxLength(500, 'The address must be at most 500 characters'),
        v.regex(LINES, 'The address has characters that cannot be used'),
      ),
    ),
    gstin: optional(
      v.pipe(
        v.string('Enter a GSTIN'),
        v.trim(),
        v.toUpperCase(),
        v.check(
          (text) => text === '' || isGstin(text),
          'This is not a valid GSTIN. Check it for typing mistakes.',
        ),
      ),
    ),
    state: optional(
      v.pipe(
        v.string('Choose a state'),
        v.check((text) => text === '' || Object.hasOwn(STATES, text), 'Choose a state'),
      ),
    ),
  }),
  // A registered firm is where its registration says.
  v.transform((buyer) => ({ ...buyer, state: buyer.gstin ? stateOfGstin(buyer.gstin) : buyer.state })),
);
export type BillingDetails = v.InferOutput<typeof billingDetails>;

/** Everything that is printed. Amounts are integer paise, times ISO 8601. */
export interface InvoiceDocument {
  kind: 'tax_invoice' | 'receipt';
  number: string;
  issued_at: string;
  seller: { name: string; address: string; gstin: string; state: string };
  buyer: BillingDetails;
  /** State code. '' on a receipt. */
  place_of_supply: string;
  line: { description: string; sac: string; from: string; to: string };
  taxable_paise: number;
  taxes: { name: 'CGST' | 'SGST' | 'UTGST' | 'IGST'; percent: number; paise: number }[];
  /** The difference between the sum and the price, in paise; at most one or two. */
  rounding_paise: number;
  total_paise: number;
  payment: { id: string; method: string; paid_at: string };
}

export const titleOf = ({ kind }: Pick<InvoiceDocument, 'kind'>): string =>
  kind === 'tax_invoice' ? 'Tax Invoice' : 'Receipt';
