import * as common from '#messages/common.ts';
import * as t from '#messages/landing.ts';
import { ApiError, messageOf } from './apiError.ts';
import { formatRupees } from '#server/text/rupees.ts';
import type { Offer } from './landing.ts';

const PARTS: Record<string, (offer: Offer) => string> = {
  monthly: ({ monthly_price }) => formatRupees(monthly_price),
  yearly: ({ yearly_price }) => formatRupees(yearly_price),
  orYearly: ({ yearly_price }) => t.orYearly(formatRupees(yearly_price)),
  saving: ({ yearly_savings_percentage }) => t.savedByYear(yearly_savings_percentage),
  storage: ({ storage_formatted }) => t.storageOf(storage_formatted),
  users: ({ max_users }) => t.users(max_users),
};

async function fetchOffers(): Promise<Offer[]> {
  const response = await fetch('/api/subscription/plans', { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new ApiError(response.status, 'plans', common.httpError(response.status));
  const { data }: { data?: Offer[] } = await response.json();
  if (!Array.isArray(data)) throw new ApiError(response.status, 'plans', t.plansFailed);
  return data;
}

/** Lets 'Try again' load the plans that could not be loaded when the page was rendered. */
export function enablePricingRetry(section: HTMLElement | null): void {
  const banner = section?.querySelector<HTMLElement>('[data-failed]');
  const button = banner?.querySelector<HTMLButtonElement>('[data-retry]');
  const why = banner?.querySelector<HTMLElement>('[data-why]');
  button?.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const offers = await fetchOffers();
      const cards = [...(section?.querySelectorAll<HTMLElement>('[data-offer]') ?? [])];
      const isSamePlans =
        offers.length === cards.length && offers.every(({ name }, i) => cards[i]?.dataset['offer'] === name);
      // The cards of other plans than the fallback ones are rendered by the server.
      if (!isSamePlans) return location.reload();
      for (const [index, card] of cards.entries()) {
        for (const part of card.querySelectorAll<HTMLElement>('[data-part]')) {
          const text = PARTS[part.dataset['part'] ?? ''];
          if (text) part.textContent = text(offers[index]!);
        }
      }
      if (banner) banner.hidden = true;
    } catch (error) {
      const message = messageOf(error, t.plansFailed);
      if (why) why.textContent = ` (${message})`;
    }
    button.disabled = false;
  });
}
