import { isOver } from '#server/jobs/contract.ts';
import { useEffect, useState } from 'react';
import { useStore } from '@nanostores/react';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import * as t from '#messages/uploadPanel.ts';
import * as common from '#messages/common.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { Button } from '../../components/Button.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { confirm, withdraw } from '../../lib/confirm.ts';
import { ExtractionRow } from '../archive/ExtractionRow.tsx';
import { extractions } from '../archive/extractions.ts';
import { announcementOf, headingOf } from '../archive/heading.ts';
import { FailuresRow } from './FailuresRow.tsx';
import { $interrupted } from './interrupted.ts';
import { InterruptedRow, headingOfInterrupted } from './InterruptedRow.tsx';
import { failuresOf, rows } from './rows.ts';
import { UploadRow } from './UploadRow.tsx';
import type { Summary } from './summary.ts';
import { hasFailed, summarise } from './summary.ts';
import { queue } from './uploads.ts';
import { useThrottledStore } from '../../lib/useThrottledStore.ts';

/** Milliseconds. */
const RENDER_INTERVAL_MS = 120;
/** The maximum number of rows; the last line counts the rest. */
const MAX_ROWS = 60;

/**
 * The panel of this tab's uploads, at the bottom of every screen.
 * @param announce called with what screen readers shall say.
 */
export function UploadPanel({ announce }: { announce: (text: string) => void }) {
  const uploads = useThrottledStore(queue.$uploads, RENDER_INTERVAL_MS);
  const hold = useStore(queue.$hold, { ssr: 'initial' });
  const removed = useStore(queue.$removedTotals, { ssr: 'initial' });
  const unpacking = useStore(extractions.$extractions, { ssr: 'initial' });
  const [open, setOpen] = useState(true);
  const interrupted = useStore($interrupted, { ssr: 'initial' }).length;
  const summary = summarise(uploads, hold, removed);
  const failures = failuresOf(uploads);
  const lines = rows(uploads);
  const shown = uploads.length + unpacking.length + interrupted > 0;
  const uploading = summary.busy > 0;
  const extracting = unpacking.some(({ status }) => !isOver(status));
  // The heading is about what still runs, and about uploads before extractions.
  const aboutUploads = uploading || (!extracting && summary.failed > 0) || unpacking.length === 0;
  const heading =
    uploads.length + unpacking.length === 0
      ? headingOfInterrupted(interrupted)
      : aboutUploads
        ? summary.heading
        : headingOf(unpacking);
  const announcement =
    uploads.length + unpacking.length === 0
      ? shown
        ? heading
        : ''
      : aboutUploads
        ? milestone(summary)
        : announcementOf(unpacking);

  useEffect(() => announce(announcement), [announce, announcement]);

  useEffect(() => {
    if (!uploading) withdraw(t.cancelQuestion);
  }, [uploading]);

  async function close() {
    if (uploading) {
      const yes = await confirm({
        title: t.cancelQuestion,
        body: t.cancelAbout,
        action: t.cancelUploads,
        cancel: t.keepUploading,
        danger: true,
      });
      if (!yes) return;
      queue.cancel(uploads.map((upload) => upload.id));
    }
    queue.clear();
    $interrupted.set([]);
    for (const { id } of unpacking) extractions.dismiss(id);
  }

  const failed = uploads.filter((upload) => hasFailed(upload) && upload.retryable);
  if (!shown) return null;
  return (
    <section
      aria-label={t.uploads}
      data-uploads
      className="fixed right-6 bottom-6 z-40 flex w-96 animate-rise flex-col overflow-hidden rounded-lg bg-raised shadow-dialog max-md:right-3 max-md:bottom-[calc(var(--bottombar-height)+env(safe-area-inset-bottom)+0.75rem)] max-md:w-[min(24rem,calc(100vw-1.5rem))]"
    >
      <header className="flex items-center gap-1 py-1.5 pr-2 pl-4">
        <h2 className="tabular min-w-0 flex-1 truncate font-semibold">{heading}</h2>
        {failed.length > 1 && (
          <Button variant="quiet" size="sm" onPress={() => queue.retry(failed.map((upload) => upload.id))}>
            {t.retryAll}
          </Button>
        )}
        <IconButton
          label={open ? t.collapse : t.expand}
          size="sm"
          aria-expanded={open}
          onPress={() => setOpen(!open)}
          className="aria-expanded:bg-transparent!"
        >
          {open ? <ChevronDown aria-hidden size={16} /> : <ChevronUp aria-hidden size={16} />}
        </IconButton>
        <IconButton label={common.close} size="sm" onPress={() => void close()}>
          <X aria-hidden size={16} />
        </IconButton>
      </header>
      {uploading && (
        <ProgressBar value={summary.progress} label={t.allUploads} className="h-0.5! rounded-none!" />
      )}
      {open && (
        <ul className="relative max-h-72 overflow-y-auto border-t border-line" aria-label={t.files}>
          <InterruptedRow />
          {unpacking.map((one) => (
            <ExtractionRow key={one.id} one={one} />
          ))}
          {failures.map((group) => (
            <FailuresRow key={`${group.refused} ${group.id}`} failures={group} />
          ))}
          {lines.slice(0, MAX_ROWS).map((row) => (
            <UploadRow key={row.id} row={row} />
          ))}
          {lines.length > MAX_ROWS && (
            <li className="px-4 py-2 text-sm text-muted">{common.andMore(lines.length - MAX_ROWS)}</li>
          )}
        </ul>
      )}
    </section>
  );
}

/** The announcement for screen readers, at each quarter only. */
function milestone({ busy, progress, heading }: Summary): string {
  if (busy === 0) return heading;
  return t.milestone(busy, Math.floor(progress / 25) * 25);
}
