import { useEffect, useState } from 'react';
import { badgeClass } from '../components/Badge.tsx';
import { api } from '../lib/api.ts';
import { LINKS } from '../lib/nav.ts';
import type { SubscriptionStatus } from '../lib/subscription.ts';
import { TONES, subscriptionLabel } from '../lib/subscription.ts';

/** What the firm pays for, in two words. Nothing until it is known. */
export function SubscriptionBadge() {
  const [status, setStatus] = useState<SubscriptionStatus | null>();
  useEffect(() => {
    api.get<SubscriptionStatus | null>('/api/subscription/current').then(setStatus, () => undefined);
  }, []);
  if (status === undefined) return null;
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
