import { QueryClientProvider } from '@tanstack/react-query';
import { FolderInput } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Suggestion, Suggestions } from '#server/filing/contract.ts';
import { isUnknown } from '#server/filing/contract.ts';
import * as common from '#messages/common.ts';
import * as shell from '#messages/shell.ts';
import * as t from '#messages/filing.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { queryClientFor } from '../../lib/cache.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { focusNextRow, keepFocus } from './focus.ts';
import { Runs } from './Runs.tsx';
import { SuggestionRow, isFaulty } from './SuggestionRow.tsx';
import { filingKey, useSuggestions } from './useSuggestions.ts';

const NewClientDialog = lazyWithRetry(() => import('./NewClientDialog.tsx'));
const PatternDialog = lazyWithRetry(() => import('./PatternDialog.tsx'));

export interface FilingProps {
  userId: number;
  isAdmin: boolean;
  /** The documents to show; empty for all that can be filed. */
  ids: readonly number[];
  first: Suggestions;
  /** The server's time in milliseconds. */
  now: number;
}

function FilingIsland({ userId, ...props }: FilingProps) {
  const [cache] = useState(() => queryClientFor(userId, [{ key: filingKey(props.ids), data: props.first }]));
  return (
    <QueryClientProvider client={cache}>
      <FilingScreen {...props} />
    </QueryClientProvider>
  );
}
export const Filing = withErrorBoundary(FilingIsland);

const EMPTY_CLIENT = { name: '', pan: '', gstin: '' };

function FilingScreen({ ids, isAdmin, now }: Omit<FilingProps, 'userId' | 'first'>) {
  const filing = useSuggestions(ids);
  const { data, shown, chosen, assigning, failures, busy } = filing;
  const [creatingFor, setCreatingFor] = useState<Suggestion | null>(null);
  const [editingPattern, setEditingPattern] = useState(false);
  const closeDialogs = () => {
    setCreatingFor(null);
    setEditingPattern(false);
  };
  // From the server's data: a row keeps its place when the user chooses its client.
  const unknownIds = new Set((data?.suggestions ?? []).filter(isUnknown).map(({ item }) => item.id));
  const identified = shown.filter(({ item }) => !unknownIds.has(item.id));
  const unknown = shown.filter(({ item }) => unknownIds.has(item.id));
  const row = (suggestion: Suggestion, isUnknownRow = false) => (
    <SuggestionRow
      key={suggestion.item.id}
      suggestion={suggestion}
      unknown={isUnknownRow}
      chosen={filing.isChosen(suggestion)}
      assigning={assigning.get(suggestion.item.id) ?? null}
      onChoose={(on, extend) => filing.choose(suggestion.item.id, on, extend)}
      onEdit={(edit) => filing.edit(suggestion.item.id, edit)}
      onClient={(client, byKey) => {
        void filing.assign(suggestion.item.id, client);
        if (byKey) focusNextRow(suggestion.item.id, 'client');
      }}
      onNewClient={() => setCreatingFor(suggestion)}
      onFile={(byKey) => {
        void filing.file([suggestion]);
        if (byKey) focusNextRow(suggestion.item.id, 'file');
      }}
    />
  );
  const sureCount = shown.filter((suggestion) => suggestion.sure && suggestion.client !== null).length;
  return (
    <>
      <Screen
        page
        title={shell.filing}
        note={data && identified.length > 0 && t.countOf(identified.length, data.total, data.at_least)}
        bar={
          <div className="flex w-full flex-wrap items-center gap-2">
            {(identified.length > 0 || chosen.length > 0) && (
              <Button
                variant="primary"
                busy={busy}
                isDisabled={
                  chosen.length === 0 || chosen.some((one) => assigning.has(one.item.id) || isFaulty(one))
                }
                onPress={() => void filing.file(chosen)}
              >
                {chosen.length === 0 ? t.file : t.fileMany(chosen.length)}
              </Button>
            )}
            {(sureCount > 0 || chosen.length > 0) && (
              <Button onPress={() => filing.chooseAll(chosen.length === 0)}>
                {chosen.length === 0 ? t.selectSure : t.selectNone}
              </Button>
            )}
            {ids.length > 0 && (
              <a href="/filing" className={buttonClass()}>
                {t.showAll}
              </a>
            )}
            {isAdmin && (
              <Button variant="quiet" onPress={() => setEditingPattern(true)}>
                {t.fileNaming}
              </Button>
            )}
            <IconButton label={common.refresh} onPress={filing.retry}>
              <RefreshIcon spinning={filing.fetching} />
            </IconButton>
          </div>
        }
        alerts={
          <>
            {failures.length > 0 && (
              <Alert tone="warning" className="mt-2" onDismiss={filing.forgetFailures}>
                <span className="font-medium">{t.notFiled(failures.length)}</span>
                {failures.slice(0, 5).map(({ id, name, message }) => (
                  <span key={id} className="block">{`${name}: ${message}`}</span>
                ))}
              </Alert>
            )}
            <ScreenAlerts
              alert={null}
              onDismiss={filing.forgetFailures}
              error={filing.error}
              onRetry={filing.retry}
              retrying={filing.fetching}
            />
          </>
        }
      >
        {!data ? (
          <LoadingRows />
        ) : identified.length === 0 ? (
          <EmptyState
            icon={<FolderInput size={26} />}
            title={data.reading > 0 ? t.reading(data.reading) : t.nothing}
            actions={
              <a href="/dashboard" className={buttonClass('primary')}>
                {t.goToDrive}
              </a>
            }
          >
            {data.reading > 0 ? t.readingAbout : t.nothingAbout}
          </EmptyState>
        ) : (
          <ul aria-label={t.suggestions}>{identified.map((suggestion) => row(suggestion))}</ul>
        )}
        {unknown.length > 0 && (
          <details className="mt-4">
            <summary className="w-fit cursor-pointer rounded-xs py-1 text-sm text-muted hover:text-text">
              {t.notIdentified(unknown.length)}
            </summary>
            <p className="mt-1 text-sm text-muted">{t.notIdentifiedAbout}</p>
            <ul aria-label={t.notIdentified(unknown.length)}>
              {unknown.map((suggestion) => row(suggestion, true))}
            </ul>
          </details>
        )}
        {data && data.reading > 0 && identified.length > 0 && (
          <p role="status" className="mt-3 text-sm text-muted">
            {t.reading(data.reading)}
          </p>
        )}
        {data && data.waiting > data.reading && (
          <p className="mt-3 text-sm text-muted">{t.withoutText(data.waiting - data.reading)}</p>
        )}
        {data?.more && shown.length > 0 && <p className="mt-3 text-sm text-muted">{t.firstShown}</p>}
        <Runs now={now} onUndo={(run) => void filing.undo(run)} />
      </Screen>
      <ErrorBoundary fallback={null} resetKey={creatingFor ?? editingPattern} onError={closeDialogs}>
        <Suspense fallback={null}>
          {creatingFor && (
            <NewClientDialog
              start={creatingFor.new_client ?? EMPTY_CLIENT}
              onClose={closeDialogs}
              onMade={async (client) => {
                await filing.assign(creatingFor.item.id, client);
                // Other documents may belong to the new client too.
                await filing.reload();
                // The button that opened the dialog disappears, perhaps those of the next rows too.
                keepFocus(() => focusNextRow(creatingFor.item.id, 'client'));
              }}
            />
          )}
          {editingPattern && data && (
            <PatternDialog pattern={data.pattern} onClose={closeDialogs} onSaved={filing.reload} />
          )}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
