import './review.css';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import type { ReviewView } from '#server/fields/contract.ts';
import { loadFailed } from '#messages/fields.ts';
import * as shell from '#messages/shell.ts';
import * as t from '#messages/review.ts';
import { Alert } from '../../components/Alert.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { fieldCalls } from '../../lib/fields.ts';
import { isOverlayOpen } from '../../lib/overlay.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { useUndoKey } from '../../lib/useUndoKey.ts';
import { entriesOf, keyOf, START, reduceReview } from './entries.ts';
import { ReviewEmptyState } from './ReviewEmptyState.tsx';
import { ReviewValue } from './ReviewValue.tsx';
import { useAnswers } from './useAnswers.ts';

const ANY = 'any';
/** The server's limit. */
const SKIP_MAX = 200;

function ReviewIsland({ userId }: { userId: number }) {
  const [cache] = useState(() => queryClientFor(userId, []));
  return (
    <QueryClientProvider client={cache}>
      <ReviewScreen />
    </QueryClientProvider>
  );
}
export const Review = withErrorBoundary(ReviewIsland);

function ReviewScreen() {
  const inBrowser = useHydrated();
  const [client, setClient] = useState(ANY);
  const [progress, dispatch] = useReducer(reduceReview, START);
  /** The number of the batch, part of the query key: refetching a batch only updates the counts. */
  const [batch, setBatch] = useState(0);
  const { faults, inFlight, checking, givenAnswer, settled, clearFaults, takeBack, answer } =
    useAnswers(dispatch);
  const skip = useRef<readonly number[]>([]);

  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['review', client, batch],
    queryFn: async ({ signal }) => {
      await settled();
      const query = new URLSearchParams({ skip: skip.current.slice(-SKIP_MAX).join() });
      if (client !== ANY) query.set('client', client);
      return fieldCalls.review(query, signal);
    },
    enabled: inBrowser,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const loadedBatch = useRef('');
  const batchKey = `${client} ${batch}`;
  useEffect(() => {
    if (!data || isFetching || loadedBatch.current === batchKey) return;
    loadedBatch.current = batchKey;
    dispatch({ type: 'loaded', entries: entriesOf(data.documents) });
  }, [data, isFetching, batchKey]);

  const entry = progress.entries[progress.at];
  const ended =
    loadedBatch.current === batchKey && progress.entries.length > progress.past && entry === undefined;
  // The next batch waits for the last answers: one that is refused is shown again before.
  const batchDone = ended && inFlight === 0;
  useEffect(() => {
    if (!batchDone) return;
    skip.current = reduceReview(progress, { type: 'loaded', entries: [] }).skip;
    setBatch((before) => before + 1);
    // Only reaching the end loads the next batch.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [batchDone]);
  function restart(newClient = client): void {
    clearFaults();
    skip.current = [];
    dispatch({ type: 'restart' });
    setClient(newClient);
    setBatch((before) => before + 1);
  }

  useUndoKey(() => void takeBack(), isOverlayOpen);

  const left = data && data.values > 0 && t.remaining(t.valuesLeft(data.values), t.filesLeft(data.files));
  const refused = progress.refused.size - (entry && progress.refused.has(keyOf(entry)) ? 1 : 0);
  return (
    <Screen
      page
      title={shell.review}
      note={[left, refused > 0 && t.refused(refused)].filter(Boolean).join(' · ')}
      bar={
        <Select
          label={t.client}
          hideLabel
          className="w-56"
          options={[{ id: ANY, label: t.allClients }, ...clientsOf(data)]}
          value={client}
          onChange={(key) => restart(String(key))}
        />
      }
    >
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching}>
          {messageOf(error, loadFailed)}
        </Alert>
      )}
      {entry ? (
        <ReviewValue
          key={`${keyOf(entry)} ${progress.takenBack}`}
          entry={entry}
          fault={faults.get(keyOf(entry)) ?? null}
          busy={checking === keyOf(entry)}
          previousAnswer={progress.answered.has(keyOf(entry)) ? givenAnswer(entry) : null}
          onConfirm={() => answer(entry, null)}
          onCorrect={(typed) => answer(entry, typed)}
          onClear={() => answer(entry, '')}
          onLater={() => dispatch({ type: 'later' })}
          onBack={() => dispatch({ type: 'back' })}
          onUndo={() => void takeBack()}
        />
      ) : !data || ended || loadedBatch.current !== batchKey ? (
        !error && <LoadingRows />
      ) : (
        <ReviewEmptyState
          data={data}
          skippedDocuments={skip.current.length}
          onBack={progress.at > 0 ? () => dispatch({ type: 'back' }) : null}
          onRefetch={() => void refetch()}
          onRestart={() => restart()}
        />
      )}
    </Screen>
  );
}

const clientsOf = (data: ReviewView | undefined) =>
  (data?.clients ?? []).map(({ id, name }) => ({ id: String(id ?? 0), label: name ?? t.noClient }));
