import { useQuery } from '@tanstack/react-query';
import { CheckCheck, Coffee, ScanText, Users } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReviewView } from '#server/fields/contract.ts';
import * as t from '#messages/review.ts';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { isOverlayOpen } from '../../lib/overlay.ts';
import { readingCalls } from '../../lib/reading.ts';

const POLL_MS = 3000;

export interface ReviewEmptyStateProps {
  data: ReviewView;
  /** The number of documents with skipped values. */
  skippedDocuments: number;
  /** Goes back to the last answered value; null when there is none. */
  onBack: (() => void) | null;
  /** Loads again what is to be reviewed. */
  onRefetch: () => void;
  onRestart: () => void;
}

/** The end of a review: explains why there is no value to show. */
export function ReviewEmptyState({
  data,
  skippedDocuments,
  onBack,
  onRefetch,
  onRestart,
}: ReviewEmptyStateProps) {
  const end = useRef<HTMLDivElement>(null);
  // The focused element has disappeared: the focus makes screen readers announce the end.
  useEffect(() => end.current?.focus(), []);
  const { data: progress } = useQuery({
    queryKey: ['review', 'reading'],
    queryFn: ({ signal }) => readingCalls.progress(signal),
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? POLL_MS : false),
    gcTime: 0,
  });
  const waiting = progress?.on && !progress.paused ? progress.waiting : 0;
  const refetch = useEffectEvent(onRefetch);
  const read = progress?.read;
  useEffect(() => {
    if (read !== undefined) refetch();
  }, [read]);
  const startedEmpty = useRef(data.values === 0);
  const restart = useEffectEvent(onRestart);
  useEffect(() => {
    if (startedEmpty.current && data.values > 0) restart();
  }, [data.values]);

  // These go back, as on every value.
  const goBack = useEffectEvent((event: KeyboardEvent) => {
    if (!['ArrowUp', 'PageUp'].includes(event.key) || !onBack || isOverlayOpen()) return;
    event.preventDefault();
    onBack();
  });
  useEffect(() => {
    document.addEventListener('keydown', goBack);
    return () => document.removeEventListener('keydown', goBack);
  }, []);

  const back = onBack && <Button onPress={onBack}>{t.backToLast}</Button>;
  if (data.values === 0)
    return (
      <div ref={end} tabIndex={-1} role="status" className="outline-none">
        {waiting > 0 ? (
          <EmptyState icon={<ScanText size={26} />} title={t.reading(waiting)} actions={back}>
            {t.readingAbout}
          </EmptyState>
        ) : (
          <EmptyState icon={<CheckCheck size={26} />} title={t.allDone} actions={back}>
            {t.allDoneAbout}
          </EmptyState>
        )}
      </div>
    );
  const actions = (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- this screen is gone through by keyboard, to its end */}
      <Button variant="primary" onPress={onRestart} autoFocus>
        {t.startAgain}
      </Button>
      {back}
    </>
  );
  return skippedDocuments > 0 ? (
    <EmptyState icon={<Coffee size={26} />} title={t.skippedAll} actions={actions}>
      {t.skippedAllAbout(data.values)}
    </EmptyState>
  ) : (
    <EmptyState icon={<Users size={26} />} title={t.othersReviewing} actions={actions}>
      {t.othersReviewingAbout}
    </EmptyState>
  );
}
