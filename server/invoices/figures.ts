import { dayInWords } from '#server/text/day-in-india.ts';
import { lazily } from '#server/text/lazily.ts';

const rupees = lazily(() => new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 }));

/** `1,23,456.78` for integer paise. Divided only to be shown: two decimals of a safe integer come out exact. */
export const formatMoney = (paise: number): string => rupees().format(paise / 100);

/** `Nov 20, 2026` by the Indian clock. */
export const formatDate = (iso: string): string => dayInWords(new Date(iso));
