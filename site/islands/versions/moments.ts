import type { VersionList, VersionView } from '#server/documents/versions/contract.ts';
import { formatDateTime } from '../../lib/format.ts';

const exact = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Asia/Kolkata',
});

const minuteOf = ({ created_at }: Pick<VersionView, 'created_at'>): string => created_at.slice(0, 16);

/** Says when a version of the list was uploaded, with seconds where another one is of the same minute. */
export function momentsIn(
  list: Pick<VersionList, 'current' | 'earlier'> | undefined,
): (version: Pick<VersionView, 'created_at'>) => string {
  const minutes = Map.groupBy(list ? [list.current, ...list.earlier] : [], minuteOf);
  return (version) =>
    (minutes.get(minuteOf(version))?.length ?? 0) > 1
      ? exact.format(Date.parse(version.created_at))
      : formatDateTime(version.created_at);
}
