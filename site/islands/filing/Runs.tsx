import { useQuery } from '@tanstack/react-query';
import * as common from '#messages/common.ts';
import * as t from '#messages/filing.ts';
import { Button } from '../../components/Button.tsx';
import { relativeTime } from '../../lib/format.ts';
import { filingCalls } from '../../lib/filing.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { useClock } from '../../lib/useClock.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { RUNS_KEY } from './useSuggestions.ts';

/** The last filing runs, which can be undone, and the inbox folders. */
export function Runs({ now: start, onUndo }: { now: number; onUndo: (run: number) => void }) {
  const now = useClock(start);
  const inBrowser = useHydrated();
  const { data: runs = [] } = useQuery({
    queryKey: RUNS_KEY,
    queryFn: ({ signal }) => filingCalls.runs(signal),
  });
  const { data: inboxes = [] } = useQuery({
    queryKey: ['filing', 'inboxes'],
    queryFn: ({ signal }) => filingCalls.inboxes(signal),
  });
  if (!inBrowser) return null;
  return (
    <>
      {runs.length > 0 && (
        <section aria-labelledby="filed-before" className="mt-8">
          <h2 id="filed-before" className="text-sm font-semibold">
            {t.filedBefore}
          </h2>
          <ul className="mt-1">
            {runs.map(({ id, at, files, name, by_itself, undone }) => (
              <li key={id} className="flex min-h-10 items-center gap-3 border-b border-line py-1 text-sm">
                <span className="min-w-0 flex-1">
                  {name !== null && (
                    <span className="block wrap-anywhere">{t.filedRun(name, files - 1)}</span>
                  )}
                  <span className={name === null ? '' : 'text-muted'}>
                    {[t.filedAt(files, relativeTime(at, now)), by_itself && t.automatically]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                {undone ? (
                  <span className="text-muted">{t.wasUndone}</span>
                ) : (
                  <Button
                    size="sm"
                    aria-label={t.undoRun(
                      name === null ? t.filedAt(files, relativeTime(at, now)) : t.filedRun(name, files - 1),
                    )}
                    onPress={() => onUndo(id)}
                  >
                    {common.undo}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {inboxes.length > 0 && (
        <section aria-labelledby="inboxes" className="mt-8">
          <h2 id="inboxes" className="text-sm font-semibold">
            {t.inboxes}
          </h2>
          <ul className="mt-1">
            {inboxes.map(({ folder_id, name, by_itself }) => (
              <li key={folder_id} className="flex min-h-10 items-center gap-2 border-b border-line text-sm">
                <a href={driveHref({ folderId: folder_id })} className="rounded-xs text-accent-text">
                  {name}
                </a>
                {by_itself && <span className="text-muted">{t.fileAutomatically}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
