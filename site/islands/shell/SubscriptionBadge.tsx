import type { Badge } from '#server/subscription/contract.ts';
import { badgeClass } from '../../components/Badge.tsx';
import { LINKS } from '../../lib/addresses.ts';

/** What the firm pays for, in two words; a link to the plans once they have a screen. */
export function SubscriptionBadge({ badge }: { badge: Badge }) {
  const look = badgeClass(badge.color, 'h-6 px-2 max-sm:hidden');
  if (!LINKS.plans) return <span className={look}>{badge.message}</span>;
  return (
    <a href={LINKS.plans} className={`${look} no-underline hover:bg-hover`}>
      {badge.message}
      {badge.action && <span className="font-semibold underline underline-offset-2">{badge.action}</span>}
    </a>
  );
}
