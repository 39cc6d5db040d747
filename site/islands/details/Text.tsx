import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TextStateView } from '#server/reading/contract.ts';
import * as t from '#messages/reading.ts';
import { Button } from '../../components/Button.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { readingCalls } from '../../lib/reading.ts';
import { toast } from '../../lib/toast.ts';
import { useMay } from '../../lib/useMay.ts';
import { Section } from './Section.tsx';
import type { PartProps } from './sections.ts';

const POLL_INTERVAL_MS = 4000;
const textKey = (id: number) => ['text-state', id] as const;

/** Whether pages are still waiting for OCR. */
const isScanning = ({ state, scan }: TextStateView): boolean =>
  state !== 'refused' && scan !== null && scan.read < scan.pages;
const isOpen = (view: TextStateView | undefined): boolean =>
  view !== undefined && (view.state === 'waiting' || isScanning(view));

/** Describes the state of a file's reading. */
function describeState(view: TextStateView): string[] {
  const { state, reason, pages, pages_without_text: without, cut, paused, scan } = view;
  if (isScanning(view) && scan) {
    if (paused) return [t.waitingPaused];
    return [scan.read === 0 ? t.scanWaits(scan.pages) : t.scanReading(scan.read, scan.pages)];
  }
  if (state === 'waiting') return [paused ? t.waitingPaused : t.waiting];
  if (state === 'refused') return [reason ? t.reasons[reason] : ''];
  if (state === 'no_text') return [t.noTextFound];
  return [
    typeof scan?.sure === 'number' ? t.scanRead(scan.sure) : t.textFound,
    scan && scan.failed > 0 ? t.scanFailed(scan.failed) : without && pages ? t.somePages(without, pages) : '',
    cut ? t.partlyRead[cut] : '',
  ].filter(Boolean);
}

/** Whether a file can be found by its text, or why not. Renders nothing for types without text. */
export function TextSection({ item }: PartProps) {
  const cache = useQueryClient();
  const may = useMay();
  const [busy, setBusy] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: textKey(item.id),
    queryFn: ({ signal }) => readingCalls.state(item.id, signal),
    refetchInterval: ({ state }) => (isOpen(state.data) && !state.data?.paused ? POLL_INTERVAL_MS : false),
  });
  if (data?.state === 'unread') return null;

  async function readAgain() {
    setBusy(true);
    try {
      cache.setQueryData(textKey(item.id), await readingCalls.readAgain(item.id));
    } catch (failed) {
      toast.error(messageOf(failed, t.notChanged));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section
      title={t.text}
      loading={data === undefined}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
      {...(data &&
        data.state !== 'waiting' &&
        may('documents.write') && {
          aside: (
            <Button
              variant="quiet"
              size="sm"
              busy={busy}
              className="-mr-2.5"
              onPress={() => void readAgain()}
            >
              {t.readAgain}
            </Button>
          ),
        })}
    >
      <div role="status">
        {data &&
          describeState(data).map((line) => (
            <p key={line} className="py-0.5 text-muted">
              {line}
            </p>
          ))}
      </div>
    </Section>
  );
}
