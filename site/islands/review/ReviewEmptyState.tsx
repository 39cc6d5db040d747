import { useQuery } from '@tanstack/react-query';
import { CheckCheck, Coffee, ScanText, Users } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReviewView } from '#server/fields/contract.ts';
import * as t from '#messages/review.ts';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { isOverlayOpen } from '../../lib/overlay.ts';
import { readingCalls } from '../../lib/reading.ts';

const LOOK_MS = 3000;

export interface NothingProps {
  data: ReviewView;
  /** Documents of which something was left for later. */
  left: number;
  /** Leads to the value that was answered last; null when there is none. */
  onBack: (() => void) | null;
  /** Asks again what waits. */
  onLook: () => void;
  onRestart: () => void;
}

/** The end of Review, which says why there is no value to look at. */
export function ReviewEmptyState({ data, left, onBack, onLook, onRestart }: NothingProps) {
  const end = useRef<HTMLDivElement>(null);
  // What had the focus is gone: whoever hears the screen would not be told that this was the last one.
  useEffect(() => end.current?.focus(), []);
  const { data: progress } = useQuery({
    queryKey: ['review', 'reading'],
    queryFn: ({ signal }) => readingCalls.progress(signal),
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? LOOK_MS : false),
    gcTime: 0,
  });
  const waiting = progress?.on && !progress.paused ? progress.waiting : 0;
  const look = useEffectEvent(onLook);
  const read = progress?.read;
  useEffect(() => {
    if (read !== undefined) look();
  }, [read]);
  const none = useRef(data.values === 0);
  const restart = useEffectEvent(onRestart);
  useEffect(() => {
    if (none.current && data.values > 0) restart();
  }, [data.values]);

  // ↑ leads back from here as from every value.
  const goBack = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' || !onBack || isOverlayOpen()) return;
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
  return left > 0 ? (
    <EmptyState icon={<Coffee size={26} />} title={t.skippedAll} actions={actions}>
      {t.skippedAllAbout(data.values)}
    </EmptyState>
  ) : (
    <EmptyState icon={<Users size={26} />} title={t.elsewhere} actions={actions}>
      {t.elsewhereAbout}
    </EmptyState>
  );
}
