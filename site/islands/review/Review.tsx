import './review.css';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import type { FieldChange, ReviewView } from '#server/fields/contract.ts';
import { loadFailed } from '#messages/fields.ts';
import * as t from '#messages/review.ts';
import { Alert } from '../../components/Alert.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { fieldCalls } from '../../lib/fields.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { fieldError } from '../fields/fieldError.ts';
import type { Entry } from './entries.ts';
import { entriesOf, keyOf, START, walk, writtenOf } from './entries.ts';
import { ReviewEmptyState } from './ReviewEmptyState.tsx';
import { openAhead } from './pictures.ts';
import { ReviewValue } from './ReviewValue.tsx';

const ANY = 'any';
/** As many as the server takes. */
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
  const [now, send] = useReducer(walk, START);
  /** Counts the batches: each is asked for once, and what colleagues do changes the figures alone. */
  const [batch, setBatch] = useState(0);
  const [fault, setFault] = useState<{ key: string; message: string; typed: string } | null>(null);
  const saving = useRef(new Set<Promise<void>>());
  /** By key, what was said of those that were answered: one may come back to it. */
  const said = useRef(new Map<string, string>());
  const skip = useRef<readonly number[]>([]);

  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['review', client, batch],
    queryFn: async ({ signal }) => {
      await Promise.all(saving.current);
      const query = new URLSearchParams({ skip: skip.current.slice(-SKIP_MAX).join() });
      if (client !== ANY) query.set('client', client);
      return fieldCalls.review(query, signal);
    },
    enabled: inBrowser,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const taken = useRef('');
  const mark = `${client} ${batch}`;
  useEffect(() => {
    if (!data || isFetching || taken.current === mark) return;
    taken.current = mark;
    send({ type: 'given', entries: entriesOf(data.documents) });
  }, [data, isFetching, mark]);

  const entry = now.entries[now.at];
  const ended = taken.current === mark && now.entries.length > now.past && entry === undefined;
  useEffect(() => {
    if (!ended) return;
    skip.current = walk(now, { type: 'given', entries: [] }).skip;
    setBatch((before) => before + 1);
    // Only that the end was reached asks for more.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [ended]);
  const next = now.entries.slice(now.at).find(({ document }) => document !== entry?.document)?.document.item;
  useEffect(() => {
    if (next) openAhead(next);
  }, [next]);

  /** @param typed null for what is right as it was read, '' for what is none. */
  function answer(of: Entry, typed: string | null): void {
    const { document, field } = of;
    const key = keyOf(of);
    const change: FieldChange =
      typed === null
        ? { id: field.id, answer: 'confirmed' }
        : typed === ''
          ? { id: field.id, answer: 'cleared' }
          : { id: field.id, answer: 'corrected', value: typed };
    said.current.set(key, typed ?? writtenOf(of));
    setFault(null);
    send({ type: 'answered', key });
    const kept = fieldCalls
      .answer(document.item.id, [change])
      .then(() => void refetch())
      .catch((failed: unknown) => {
        setFault({ key, message: fieldError(failed, field.id), typed: typed ?? '' });
        send({ type: 'failed', key });
      });
    saving.current.add(kept);
    void kept.finally(() => saving.current.delete(kept));
  }
  function restart(to = client): void {
    setFault(null);
    skip.current = [];
    send({ type: 'restart' });
    setClient(to);
    setBatch((before) => before + 1);
  }

  return (
    <Screen
      page
      title={t.review}
      note={data && data.values > 0 && t.left(t.valuesLeft(data.values), t.filesLeft(data.files))}
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
          key={`${keyOf(entry)} ${fault?.key === keyOf(entry)}`}
          entry={entry}
          fault={fault?.key === keyOf(entry) ? fault : null}
          said={now.answered.has(keyOf(entry)) ? (said.current.get(keyOf(entry)) ?? null) : null}
          onRight={() => answer(entry, null)}
          onCorrect={(typed) => answer(entry, typed)}
          onClear={() => answer(entry, '')}
          onLater={() => send({ type: 'later' })}
          onBack={() => send({ type: 'back' })}
        />
      ) : !data || taken.current !== mark ? (
        !error && <LoadingRows />
      ) : (
        <ReviewEmptyState
          data={data}
          left={skip.current.length}
          onBack={now.at > 0 ? () => send({ type: 'back' }) : null}
          onLook={() => void refetch()}
          onRestart={() => restart()}
        />
      )}
    </Screen>
  );
}

const clientsOf = (data: ReviewView | undefined) =>
  (data?.clients ?? []).map(({ id, name }) => ({ id: String(id ?? 0), label: name ?? t.noClient }));
