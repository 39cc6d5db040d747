import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadingProgress } from '#server/reading/contract.ts';
import * as t from '#messages/reading.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Card } from '../../components/Card.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { formatCount } from '../../lib/format.ts';
import { readingCalls } from '../../lib/reading.ts';
import { toast } from '../../lib/toast.ts';
import { useHydrated } from '../../lib/useHydrated.ts';

const KEY = ['reading'];
const POLL_INTERVAL_MS = 5000;

/** The progress of reading all documents, with a pause button for admins. */
export function ReadingCard({ isAdmin }: { isAdmin: boolean }) {
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const inBrowser = useHydrated();
  const {
    data: known,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => readingCalls.progress(signal),
    refetchInterval: ({ state }) =>
      state.data && state.data.waiting > 0 && !state.data.paused ? POLL_INTERVAL_MS : false,
  });

  const data = inBrowser ? known : undefined;

  async function turn(paused: boolean) {
    setBusy(true);
    try {
      cache.setQueryData(KEY, await readingCalls.pause(paused));
    } catch (failed) {
      toast.error(messageOf(failed, t.notChanged));
    } finally {
      setBusy(false);
    }
  }

  const canTurn = isAdmin && data?.on && (data.paused || data.waiting > 0);
  return (
    <Card
      title={t.card}
      {...(canTurn && {
        aside: (
          <Button size="sm" busy={busy} onPress={() => void turn(!data.paused)}>
            {data.paused ? t.resume : t.pause}
          </Button>
        ),
      })}
    >
      {error ? (
        <Alert onRetry={() => void refetch()} retrying={isFetching}>
          {messageOf(error, t.loadFailed)}
        </Alert>
      ) : (
        <div className="min-h-16">{data && <Progress data={data} />}</div>
      )}
    </Card>
  );
}

function Progress({ data }: { data: ReadingProgress }) {
  const { files, read, no_text, refused, paused, on } = data;
  if (!on) return <p className="text-muted">{t.off}</p>;
  if (files === 0) return <p className="text-muted">{t.none}</p>;
  const progress = t.readOf(formatCount(read), formatCount(files));
  const notes = [
    paused ? t.paused : '',
    no_text > 0 ? t.noText(no_text) : '',
    refused > 0 ? t.refused(refused) : '',
  ].filter(Boolean);
  return (
    <>
      <p className="tabular font-medium">{progress}</p>
      <ProgressBar
        value={(read / files) * 100}
        label={t.progress}
        valueLabel={progress}
        tone={paused ? 'warning' : 'accent'}
        size="md"
        className="mt-2"
      />
      <p className="mt-2 text-sm text-muted">{notes.length > 0 ? notes.join(' · ') : t.about}</p>
    </>
  );
}
