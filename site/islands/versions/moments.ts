import type { VersionList, VersionView } from '#server/documents/versions/contract.ts';
import { formatDateTime } from '../../lib/format.ts';

const exact = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

/** When a version was uploaded, with seconds where another one of the list is of the same minute. */
export function momentIn(
  list: Pick<VersionList, 'current' | 'earlier'> | undefined,
  { id, created_at }: Pick<VersionView, 'id' | 'created_at'>,
): string {
  const minute = formatDateTime(created_at);
  const all = list ? [list.current, ...list.earlier] : [];
  const isShared = all.some((other) => other.id !== id && formatDateTime(other.created_at) === minute);
  return isShared ? exact.format(Date.parse(created_at)) : minute;
}
