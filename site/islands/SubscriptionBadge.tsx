import { badgeClass } from '../components/Badge.tsx';
import { LINKS } from '../lib/addresses.ts';
import type { SubscriptionStatus } from '../lib/subscription.ts';
import { TONES, subscriptionLabel } from '../lib/subscription.ts';

/** What the firm pays for, in two words; a link to the plans once they have a screen. */
export function SubscriptionBadge({ status }: { status: SubscriptionStatus | null }) {
  const { text, action, urgency } = subscriptionLabel(status);
  const look = badgeClass(TONES[urgency], 'h-6 px-2 max-sm:hidden');
  if (!LINKS.plans) return <span className={look}>{text}</span>;
  return (
    <a href={LINKS.plans} className={`${look} no-underline hover:bg-hover`}>
      {text}
      {action && <span className="font-semibold underline underline-offset-2">{action}</span>}
    </a>
  );
}
