import { useEffect, useState } from 'react';
import type { Badge, SubscriptionStatus } from '#server/subscription/contract.ts';
import { api } from '../../lib/api.ts';
import { subscribeToChanges } from '../../lib/liveUpdates.ts';

/** The badge of the firm's plan: the one of the page, updated on events. */
export function useBadge(initial: Badge): Badge {
  const [newer, setNewer] = useState<{ than: Badge; badge: Badge } | null>(null);
  useEffect(
    () =>
      subscribeToChanges((pieces) => {
        if (!pieces.some(({ kind }) => kind === 'plan')) return;
        api.get<SubscriptionStatus>('/api/subscription/current').then(
          ({ badge }) => setNewer({ than: initial, badge }),
          () => undefined,
        );
      }),
    [initial],
  );
  return newer?.than === initial ? newer.badge : initial;
}
