import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, Plus } from 'lucide-react';
import { useState } from 'react';
import type {
  DestructionPage,
  KeptPage,
  KeptState,
  RetentionOverview,
  RuleView,
} from '#server/documents/retention/contract.ts';
import * as common from '#messages/common.ts';
import * as shell from '#messages/shell.ts';
import * as t from '#messages/retention.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { queryClientFor, firstPage, refresh } from '../../lib/cache.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { retentionCalls } from '../../lib/retention.ts';
import { CERTIFICATES, Certificates } from './Certificates.tsx';
import { KeptList, keptKey } from './KeptList.tsx';
import { Rules } from './Rules.tsx';

const RuleDialog = lazyWithRetry(() => import('./RuleDialog.tsx'));
const RemoveRuleDialog = lazyWithRetry(() => import('./RemoveRuleDialog.tsx'));

const OVERVIEW = ['retention', 'overview'] as const;

export interface RetentionProps {
  userId: number;
  overview: RetentionOverview;
  /** The initial state filter of the list, with its first page. */
  state: KeptState;
  files: KeptPage;
  destructions: DestructionPage;
  /** Whether the user sees all clients, which changing the rules requires. */
  seesAll: boolean;
}

function RetentionIsland({ userId, overview, state, files, destructions, seesAll }: RetentionProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [
      { key: OVERVIEW, data: overview },
      { key: keptKey(state), data: firstPage(files) },
      { key: CERTIFICATES, data: firstPage(destructions) },
    ]),
  );
  return (
    <QueryClientProvider client={cache}>
      <RetentionScreen overview={overview} state={state} seesAll={seesAll} />
    </QueryClientProvider>
  );
}
export const Retention = withErrorBoundary(RetentionIsland);

type Asking = { dialog: 'rule'; rule: RuleView | null } | { dialog: 'remove'; rule: RuleView };

function RetentionScreen({
  overview,
  state,
  seesAll,
}: Pick<RetentionProps, 'overview' | 'state' | 'seesAll'>) {
  const cache = useQueryClient();
  const [asking, ask] = useState<Asking | null>(null);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: OVERVIEW,
    queryFn: ({ signal }) => retentionCalls.overview(signal),
    initialData: overview,
  });
  const { rules } = data;
  const { area, remember, restore } = useKeptFocus();
  const open = (dialog: Asking) => {
    remember();
    ask(dialog);
  };
  const close = () => {
    ask(null);
    // The pressed button may be gone, with the rule or with the sentence that there are none.
    restore();
  };
  const reload = () => cache.invalidateQueries({ queryKey: ['retention'] });
  // Every list may show a document that is to be destroyed.
  const changed = () => refresh(cache);
  const add = seesAll && (
    <Button
      variant="primary"
      icon={<Plus aria-hidden size={16} />}
      onPress={() => open({ dialog: 'rule', rule: null })}
    >
      {t.newRule}
    </Button>
  );
  return (
    <>
      <Screen
        page
        title={shell.retention}
        note={data.total.files > 0 && t.files(data.total.files)}
        bar={
          <>
            {rules.length > 0 && add}
            <IconButton label={common.refresh} onPress={() => void reload()}>
              <RefreshIcon spinning={isFetching} />
            </IconButton>
          </>
        }
        alerts={
          <ScreenAlerts
            alert={null}
            onDismiss={() => {}}
            error={error ? messageOf(error, t.loadFailed) : null}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        }
      >
        <div className="flex flex-col gap-4 py-3">
          <div ref={area} className="outline-none">
            {rules.length === 0 ? (
              <EmptyState icon={<Archive size={26} />} title={t.noRules} actions={add}>
                {t.noRulesYet}
              </EmptyState>
            ) : (
              <Card title={t.rules}>
                <Rules
                  rules={rules}
                  editable={seesAll}
                  onEdit={(rule) => open({ dialog: 'rule', rule })}
                  onRemove={(rule) => open({ dialog: 'remove', rule })}
                />
                {!seesAll && <p className="text-sm text-muted">{t.onlyWhoSeesAll}</p>}
              </Card>
            )}
          </div>
          {rules.length > 0 && <KeptList first={state} rules={rules} onChanged={changed} />}
          <Certificates />
        </div>
      </Screen>
      {asking?.dialog === 'rule' && <RuleDialog rule={asking.rule} onDone={changed} onClose={close} />}
      {asking?.dialog === 'remove' && (
        <RemoveRuleDialog rule={asking.rule} onDone={changed} onClose={close} />
      )}
    </>
  );
}
