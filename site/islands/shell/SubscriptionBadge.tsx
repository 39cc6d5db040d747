import { Crown } from 'lucide-react';
import type { Badge } from '#server/subscription/contract.ts';
import { badgeClass } from '../../components/Badge.tsx';
import { LINKS } from '../../lib/addresses.ts';

/** The state of the firm's plan, linked to the plans; on a phone only an icon in the state's colour. */
export function SubscriptionBadge({ badge: { message, action, color } }: { badge: Badge }) {
  const look = badgeClass(
    color,
    'h-6 px-2 max-sm:size-8 max-sm:justify-center max-sm:px-0 max-sm:pointer-coarse:size-11',
  );
  return (
    <a
      href={LINKS.plans}
      title={[message, action].filter(Boolean).join(' · ')}
      className={`${look} no-underline hover:bg-hover`}
    >
      <Crown aria-hidden size={16} className="sm:hidden" />
      <span className="max-sm:sr-only">{message}</span>{' '}
      {action && <span className="font-semibold underline underline-offset-2 max-sm:sr-only">{action}</span>}
    </a>
  );
}
