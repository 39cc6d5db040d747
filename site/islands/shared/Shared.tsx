import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ShareSettings, ShareState, ShareView } from '#server/sharing/contract.ts';
import { SHARE_STATES } from '#server/sharing/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/sharing.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { contained } from '../../components/contained.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { cacheFor } from '../../lib/cache.ts';
import { confirm } from '../../lib/confirm.ts';
import { formatCount } from '../../lib/format.ts';
import { followTraversal, pushAddress } from '../../lib/history.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from '../sharing/calls.ts';
import type { Filters } from './filters.ts';
import { NO_FILTERS, addressOf, answers, clientsOf, filtersAt } from './filters.ts';
import { LinkDialog } from '../sharing/LinkDialog.tsx';
import { ShareRow } from './ShareRow.tsx';

const KEY = ['shares', 'all'] as const;
const ANY = 'any';
/** Milliseconds between two looks: that a link was opened is told by no event. */
const LOOK = 30_000;
const FIELD = 'min-w-[40%] flex-1 sm:w-44 sm:min-w-0 sm:flex-none';

export interface SharedProps {
  userId: number;
  filters: Filters;
  first: ShareView[];
  settings: ShareSettings;
  /** Milliseconds, the server's. */
  now: number;
}

function SharedIsland({ userId, ...props }: SharedProps) {
  const [cache] = useState(() => cacheFor(userId, [{ key: KEY, data: props.first }]));
  return (
    <QueryClientProvider client={cache}>
      <SharedScreen {...props} />
    </QueryClientProvider>
  );
}
export const Shared = contained(SharedIsland);

function SharedScreen({ filters: start, first, settings, now }: Omit<SharedProps, 'userId'>) {
  const cache = useQueryClient();
  const [filters, setFilters] = useState(start);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<ShareView | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  useEffect(
    () =>
      followTraversal((url) => {
        if (url.pathname !== '/shared') return false;
        setFilters(filtersAt(url));
        return true;
      }),
    [],
  );
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => calls.list({}, signal),
    initialData: first,
    refetchInterval: LOOK,
  });
  const shown = data.filter((share) => answers(filters, share));
  const revocable = shown.filter(({ state }) => state !== 'revoked');
  const selected = revocable.filter(({ id }) => chosen.has(id));
  const change = (part: Partial<Filters>) => {
    const next = { ...filters, ...part };
    setFilters(next);
    setChosen(new Set());
    pushAddress(addressOf(next));
  };
  const refresh = () => void cache.invalidateQueries({ queryKey: ['shares'] });
  const filtered = Object.values(filters).some((value) => value !== '');

  async function revoke(links: readonly ShareView[]): Promise<void> {
    const n = links.length;
    const yes = await confirm({
      title: t.revokeQuestion(n),
      body: t.revokeAbout,
      action: t.revokeAction(n),
      danger: true,
    });
    if (!yes) return;
    try {
      const { done } = await calls.revoke(links.map(({ id }) => id));
      toast.success(t.revoked(done.length));
      setChosen(new Set());
    } catch (failure) {
      setAlert(messageOf(failure, t.failed));
    }
    refresh();
  }
  const select = (id: number, on: boolean) =>
    setChosen((old) => new Set(on ? [...old, id] : Array.from(old).filter((other) => other !== id)));

  return (
    <>
      <Screen
        page
        title={t.shared}
        note={data.length > 0 && formatCount(shown.length)}
        bar={
          <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
            <Select
              label={t.state}
              hideLabel
              className={FIELD}
              options={[
                { id: ANY, label: t.allStates },
                ...SHARE_STATES.map((id) => ({ id: id as string, label: t.states[id] })),
              ]}
              value={filters.state || ANY}
              onChange={(key) => change({ state: key === ANY ? '' : (key as ShareState) })}
            />
            {clientsOf(data).length > 0 && (
              <Select
                label={t.client}
                hideLabel
                className={FIELD}
                options={[{ id: ANY, label: t.allClients }, ...clientsOf(data)]}
                value={filters.client || ANY}
                onChange={(key) => change({ client: key === ANY ? '' : String(key) })}
              />
            )}
            {filters.item && <Button onPress={() => change({ item: '' })}>{t.showAll}</Button>}
            {revocable.length > 1 && (
              <Button
                onPress={() =>
                  setChosen(
                    new Set(selected.length === revocable.length ? [] : revocable.map(({ id }) => id)),
                  )
                }
              >
                {selected.length === revocable.length ? t.selectNone : t.selectAll}
              </Button>
            )}
            {selected.length > 0 && (
              <Button variant="danger-quiet" onPress={() => void revoke(selected)}>
                {t.revokeAction(selected.length)}
              </Button>
            )}
            <IconButton label={common.refresh} onPress={() => void refetch()}>
              <RotateCw aria-hidden size={16} className={isFetching ? 'animate-spin' : ''} />
            </IconButton>
          </div>
        }
        alerts={
          <>
            {!settings.enabled && (
              <Alert tone="warning" className="mt-2">
                {t.off}
              </Alert>
            )}
            <ScreenAlerts
              alert={alert}
              onDismiss={() => setAlert(null)}
              error={error ? messageOf(error, t.loadFailed) : null}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </>
        }
      >
        {shown.length === 0 ? (
          <EmptyState
            icon={<Share2 size={26} />}
            title={t.none}
            actions={filtered && <Button onPress={() => change(NO_FILTERS)}>{t.showAll}</Button>}
          >
            {filtered ? t.noMatch : t.noneYet}
          </EmptyState>
        ) : (
          <ul aria-label={t.links}>
            {shown.map((share) => (
              <ShareRow
                key={share.id}
                share={share}
                now={now}
                selected={chosen.has(share.id)}
                onSelect={(on) => select(share.id, on)}
                onChange={() => setOpen(share)}
                onRevoke={() => void revoke([share])}
              />
            ))}
          </ul>
        )}
      </Screen>
      {open && (
        <LinkDialog
          key={open.id}
          share={open}
          maxDays={settings.max_days}
          onClose={() => setOpen(null)}
          onChanged={refresh}
        />
      )}
    </>
  );
}
