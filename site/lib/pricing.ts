import { formatRupees } from './rupees.ts';
import type { Offer } from './landing.ts';

const people = (count: number): string => (count === 1 ? '1 user' : `${count} users`);

const PARTS: Record<string, (offer: Offer) => string> = {
  monthly: ({ monthly_price }) => formatRupees(monthly_price),
  yearly: ({ yearly_price }) => formatRupees(yearly_price),
  saving: ({ yearly_savings_percentage }) => String(yearly_savings_percentage),
  storage: ({ storage_formatted }) => `${storage_formatted} of encrypted file storage`,
  users: ({ max_users }) => people(max_users),
};

async function fetchOffers(): Promise<Offer[]> {
  const response = await fetch('/api/subscription/plans', { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`HTTP error! status: ${response.status}`);
  const { data }: { data?: Offer[] } = await response.json();
  if (!Array.isArray(data)) throw new Error('Failed to fetch plans');
  return data;
}

/** Lets 'Try again' bring the prices that the server could not say while it made the page. */
export function watchPricing(section: HTMLElement | null): void {
  const banner = section?.querySelector<HTMLElement>('[data-failed]');
  const button = banner?.querySelector<HTMLButtonElement>('[data-retry]');
  const why = banner?.querySelector<HTMLElement>('[data-why]');
  button?.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const offers = await fetchOffers();
      const cards = [...(section?.querySelectorAll<HTMLElement>('[data-offer]') ?? [])];
      const same =
        offers.length === cards.length && offers.every(({ name }, i) => cards[i]?.dataset['offer'] === name);
      // Other plans than those that are built in need the whole page anew.
      if (!same) return location.reload();
      for (const [index, card] of cards.entries()) {
        for (const part of card.querySelectorAll<HTMLElement>('[data-part]')) {
          const text = PARTS[part.dataset['part'] ?? ''];
          if (text) part.textContent = text(offers[index]!);
        }
      }
      if (banner) banner.hidden = true;
    } catch (error) {
      const message =
        error instanceof Error && error.message.startsWith('HTTP') ? error.message : 'Failed to fetch plans';
      if (why) why.textContent = ` (${message})`;
    }
    button.disabled = false;
  });
}
