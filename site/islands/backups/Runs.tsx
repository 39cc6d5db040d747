import type { RunStatus, RunView } from '#server/backups/contract.ts';
import * as t from '#messages/backups.ts';
import type { BadgeTone } from '../../components/Badge.tsx';
import { Badge } from '../../components/Badge.tsx';
import { formatBytes, formatDateTime } from '../../lib/format.ts';

const TONES: Record<RunStatus, BadgeTone> = {
  running: 'neutral',
  done: 'success',
  faulty: 'danger',
  failed: 'danger',
  interrupted: 'neutral',
};
/** Faults shown per run. */
const MAX_FAULTS = 5;

const figures = ({ kind, files, bytes, fresh_bytes }: RunView): string =>
  [
    kind === 'backup' && files > 0 && t.files(files),
    bytes > 0 && formatBytes(bytes),
    kind === 'backup' && bytes > 0 && t.newBytes(formatBytes(fresh_bytes)),
  ]
    .filter(Boolean)
    .join(' · ');

/** Backup or proof runs with their results, newest first. */
export function Runs({ label, runs }: { label: string; runs: readonly RunView[] }) {
  return (
    <ul aria-label={label}>
      {runs.map((run) => (
        <li key={run.id} className="border-t border-line py-2.5 first:border-t-0 first:pt-0">
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="tabular font-medium">{formatDateTime(run.started_at)}</span>
            {run.kind !== 'backup' && <span>{t.kinds[run.kind]}</span>}
            <span className="tabular text-muted">{figures(run)}</span>
            <Badge tone={TONES[run.status]}>{t.states[run.status]}</Badge>
          </p>
          {run.status === 'failed' && <p className="mt-1 text-danger-text">{run.message}</p>}
          {run.status === 'interrupted' && <p className="mt-1 text-muted">{run.message}</p>}
          {run.faults.length > 0 && (
            <ul className="mt-1 break-words text-danger-text">
              {run.faults.slice(0, MAX_FAULTS).map((fault) => (
                <li key={fault}>{fault}</li>
              ))}
              {run.faults.length > MAX_FAULTS && <li>{t.moreFaults(run.faults.length - MAX_FAULTS)}</li>}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}
