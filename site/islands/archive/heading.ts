import type { ExtractionView } from '#server/archive/contract.ts';
import { isOver } from '#server/jobs/contract.ts';
import * as t from '#messages/archive.ts';

/** A short summary of the extractions for the panel's heading. */
export function headingOf(all: readonly ExtractionView[]): string {
  const count = (is: (extraction: ExtractionView) => boolean) => all.filter(is).length;
  const busy = count(({ status }) => !isOver(status));
  if (busy > 0) return t.extractingZips(busy);
  const locked = count(({ code }) => code === 'password_needed');
  const failed = count(({ status }) => status === 'failed') - locked;
  if (failed > 0) return t.failed(failed);
  if (locked > 0) return t.passwordNeeded;
  return all.every(({ status }) => status === 'cancelled') ? t.cancelled : t.complete;
}

/** The text for screen readers: how the last ended extraction ended. */
export function announcementOf(all: readonly ExtractionView[]): string {
  const [last] = all
    .filter(({ status }) => isOver(status))
    .toSorted((a, b) => (b.finished_at ?? '').localeCompare(a.finished_at ?? ''));
  return last ? `${last.file_name}: ${last.message}` : headingOf(all);
}
