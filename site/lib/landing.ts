import type { PlanView } from '#server/subscription/contract.ts';

/** The fields of a plan that a pricing card shows. */
export type Offer = Pick<
  PlanView,
  | 'name'
  | 'monthly_price'
  | 'yearly_price'
  | 'storage_formatted'
  | 'max_users'
  | 'is_popular'
  | 'yearly_savings_percentage'
>;

const offer = (
  name: string,
  monthly_price: number,
  yearly_price: number,
  gb: number,
  max_users: number,
): Offer => ({
  name,
  monthly_price,
  yearly_price,
  storage_formatted: `${gb} GB`,
  max_users,
  is_popular: name === 'Professional',
  yearly_savings_percentage: 17,
});

/** Shown when the current plans cannot be loaded. */
export const FALLBACK_OFFERS: readonly Offer[] = [
  offer('Starter', 999, 9999, 25, 1),
  offer('Professional', 1999, 19_999, 100, 3),
  offer('Enterprise', 4999, 49_999, 500, 10),
];

/** The largest yearly saving of all plans, in percent. */
export const bestSaving = (offers: readonly Offer[]): number =>
  Math.max(0, ...offers.map(({ yearly_savings_percentage }) => yearly_savings_percentage));

export const mailTo = (address: string, subject: string): string =>
  `mailto:${address}?subject=${encodeURIComponent(subject)}`;
