import { lazily } from './lazily.ts';

const currency = { style: 'currency', currency: 'INR' } as const;
const whole = lazily(() => new Intl.NumberFormat('en-IN', { ...currency, maximumFractionDigits: 0 }));
const exact = lazily(() => new Intl.NumberFormat('en-IN', currency));
const bare = lazily(
  () => new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);

// Paise are divided only to be shown: two decimals of a safe integer come out exact.

/** `₹1,99,999`, in Indian grouping, for a price in rupees. */
export const formatRupees = (rupees: number): string => whole().format(rupees);

/** `₹1,23,456.78` for integer paise. */
export const formatPaise = (paise: number): string => exact().format(paise / 100);

/** `1,23,456.78` for integer paise, as in a column of amounts. */
export const formatAmount = (paise: number): string => bare().format(paise / 100);
