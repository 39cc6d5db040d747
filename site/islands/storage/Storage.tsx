import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RotateCw } from 'lucide-react';
import type { Stats, TypeStat } from '#server/dashboard/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { SubscriptionStatus } from '#server/subscription/contract.ts';
import { displayOf, fullnessOf } from '#server/subscription/contract.ts';
import * as t from '#messages/storage.ts';
import * as common from '#messages/common.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Rich } from '../../components/Rich.tsx';
import { Screen } from '../../components/Screen.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { toast } from '../../lib/toast.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { queryClientFor, refresh } from '../../lib/cache.ts';
import { Cleanup } from './Cleanup.tsx';
import { Duplicates } from './Duplicates.tsx';
import { ReadingCard } from './ReadingCard.tsx';
import { PlanCard } from './PlanCard.tsx';
import { TypesCard } from './TypesCard.tsx';
import { UpgradeCard } from './UpgradeCard.tsx';
import { UsageCard } from './UsageCard.tsx';

interface StorageData {
  status: SubscriptionStatus | null;
  stats: Stats;
  types: TypeStat[];
  largest: ItemView[];
  untouched: ItemView[];
}

export interface StorageProps {
  userId: number;
  isAdmin: boolean;
  first: StorageData;
  hasBilling: boolean;
  /** The server's clock, in milliseconds. */
  now: number;
}

function StorageIsland({ userId, ...props }: StorageProps) {
  const [cache] = useState(() => queryClientFor(userId, [{ key: STORAGE_KEY, data: props.first }]));
  return (
    <QueryClientProvider client={cache}>
      <StorageScreen {...props} />
    </QueryClientProvider>
  );
}

export const Storage = withErrorBoundary(StorageIsland);

const STORAGE_KEY = ['storage'];

/** Loads all figures together, so that the cards do not contradict each other. */
async function load(): Promise<StorageData> {
  const [status, stats, types, largest, untouched] = await Promise.all([
    api.get<SubscriptionStatus>('/api/subscription/current'),
    api.get<Stats>('/api/dashboard/stats'),
    api.get<TypeStat[]>('/api/dashboard/storage-breakdown'),
    api.get<ItemView[]>('/api/dashboard/largest-files'),
    api.get<ItemView[]>('/api/dashboard/untouched-files'),
  ]);
  return { status, stats, types, largest, untouched };
}

function StorageScreen({ first, hasBilling, now, isAdmin }: Omit<StorageProps, 'userId'>) {
  const cache = useQueryClient();
  const inBrowser = useHydrated();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: STORAGE_KEY,
    queryFn: load,
    initialData: first,
  });
  const { status, stats, types, largest, untouched } = data;
  const plan = displayOf(status, new Date(now));

  const reload = async () => {
    const { isError } = await refetch();
    if (!isError) toast.success(t.refreshed);
  };

  return (
    <Screen
      page
      title={t.title}
      bar={
        <Button
          icon={<RotateCw aria-hidden size={16} />}
          busy={inBrowser && isFetching}
          busyLabel={common.refresh}
          onPress={() => void reload()}
        >
          {common.refresh}
        </Button>
      }
      alerts={
        error && (
          <Alert onRetry={() => void refetch()} retrying={isFetching} className="mb-3">
            {messageOf(error, t.loadFailed)}
          </Alert>
        )
      }
    >
      <Fullness stats={stats} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <PlanCard plan={plan} hasBilling={hasBilling} />
        <UsageCard stats={stats} plan={plan} />
      </div>
      <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-4">
        <UpgradeCard status={status} plan={plan} />
        <TypesCard types={types} />
        <Cleanup largest={largest} untouched={untouched} onDeleted={() => refresh(cache)} />
        <Duplicates onDeleted={() => refresh(cache)} />
        <ReadingCard isAdmin={isAdmin} />
      </div>
    </Screen>
  );
}

/** Warns when storage is nearly full. */
function Fullness({ stats }: { stats: Stats }) {
  const { used_bytes, limit_bytes, trash_bytes, trash_formatted } = stats;
  const fullness = fullnessOf(used_bytes, limit_bytes);
  if (fullness === null) return null;
  const full = fullness === 'full';
  return (
    <Alert {...(!full && { tone: 'warning' as const })} className="mb-3">
      {full ? t.almostFull : t.gettingFull}
      {trash_bytes > 0 && (
        <>
          {' '}
          <Rich text={t.emptyTrashFirst(trash_formatted)} links={{ trash: '/trash' }} />
        </>
      )}
    </Alert>
  );
}
