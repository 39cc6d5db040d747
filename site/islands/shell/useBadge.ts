import { useEffect, useState } from 'react';
import type { Badge, SubscriptionStatus } from '#server/subscription/contract.ts';
import { api } from '../../lib/api.ts';
import { subscribeToChanges } from '../../lib/liveUpdates.ts';

/** What the firm pays for: as the page came, and as it is since a colleague, a payment or an end has changed it. */
export function useBadge(came: Badge): Badge {
  const [newer, setNewer] = useState<{ than: Badge; badge: Badge } | null>(null);
  useEffect(
    () =>
      subscribeToChanges((pieces) => {
        if (!pieces.some(({ kind }) => kind === 'plan')) return;
        api.get<SubscriptionStatus>('/api/subscription/current').then(
          ({ badge }) => setNewer({ than: came, badge }),
          () => undefined,
        );
      }),
    [came],
  );
  return newer?.than === came ? newer.badge : came;
}
