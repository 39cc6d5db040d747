import type { SystemJob, SystemView } from '#server/system/contract.ts';
import * as t from '#messages/system.ts';
import { Badge } from '../../components/Badge.tsx';
import { Card, Fact } from '../../components/Card.tsx';
import { formatCount, formatDateTime } from '../../lib/format.ts';

/** Those that fail first, then by what they do. */
const inOrder = (jobs: SystemView['jobs']['recurring']) =>
  jobs.toSorted(
    (a, b) =>
      Number(b.failing) - Number(a.failing) || t.jobName(a.kind).localeCompare(t.jobName(b.kind), 'en'),
  );

const when = ({ at }: SystemJob): string => (at ? formatDateTime(at) : t.never);

/** The background jobs: failed and recurring ones. */
export function JobsCard({ jobs: { running, waiting, failed, recurring } }: Pick<SystemView, 'jobs'>) {
  return (
    <Card title={t.jobs}>
      <dl>
        <Fact term={t.running}>{formatCount(running.length)}</Fact>
        <Fact term={t.waiting}>{formatCount(waiting)}</Fact>
      </dl>
      <h3 className="mt-3 font-semibold">{t.failedJobs}</h3>
      {failed.length === 0 ? (
        <p className="text-muted">{t.noFailedJobs}</p>
      ) : (
        <ul>
          {failed.map((job) => (
            <li key={job.id} className="border-b border-line py-2 last:border-b-0">
              <p className="break-words font-medium">{t.jobName(job.kind)}</p>
              <p className="break-words text-sm">{job.message}</p>
              <p className="text-sm text-muted">
                {[job.firm ?? t.ofServer, t.tries(job.attempts), when(job)].join(' · ')}
              </p>
            </li>
          ))}
        </ul>
      )}
      <details className="mt-3" open={recurring.some(({ failing }) => failing)}>
        <summary className="cursor-pointer rounded-xs font-semibold">{t.recurring(recurring.length)}</summary>
        <ul className="mt-1">
          {inOrder(recurring).map((job) => (
            <li key={job.id} className="border-b border-line py-1.5 last:border-b-0">
              <p className="flex flex-wrap items-baseline gap-2">
                {t.jobName(job.kind)}
                {job.failing && <Badge tone="danger">{t.failing}</Badge>}
              </p>
              <p className="break-words text-sm text-muted">
                {job.at ? t.last(job.message, formatDateTime(job.at)) : job.message}
              </p>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
