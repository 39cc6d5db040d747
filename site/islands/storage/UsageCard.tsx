import type { Stats } from '#server/dashboard/contract.ts';
import type { PlanDisplay } from '#server/subscription/contract.ts';
import * as t from '#messages/storage.ts';
import { Rich } from '../../components/Rich.tsx';
import { ProgressBar } from '../../components/ProgressBar.tsx';
import { formatCount } from '../../lib/format.ts';
import { storageTone } from '../../lib/storageTone.ts';
import { Card } from '../../components/Card.tsx';

export function UsageCard({ stats, plan }: { stats: Stats; plan: PlanDisplay }) {
  const { percentage, used_formatted, limit_formatted, total_files, total_clients } = stats;
  const { trash_bytes, versions_bytes, versions_formatted, trash_formatted } = stats;
  const figures = [
    [t.files, total_files],
    [t.clients, total_clients],
    [t.userLimit, plan.users],
  ] as const;
  return (
    <Card title={t.usage} className="flex flex-col">
      <div className="flex items-baseline justify-between gap-3">
        <p className="tabular text-xl font-semibold">
          {used_formatted}{' '}
          <span className="text-base font-normal text-muted">{t.ofLimit(limit_formatted)}</span>
        </p>
        <p className="tabular font-medium">{percentage.toFixed(1)}%</p>
      </div>
      <ProgressBar
        value={percentage}
        label={t.used}
        valueLabel={t.usedPercent(percentage.toFixed(1))}
        tone={storageTone(stats)}
        size="md"
        className="mt-2"
      />
      {trash_bytes > 0 && (
        <p className="mt-2 text-sm text-muted">
          <Rich text={t.inTrash(trash_formatted)} links={{ trash: '/trash' }} />
        </p>
      )}
      {versions_bytes > 0 && <p className="mt-2 text-sm text-muted">{t.inVersions(versions_formatted)}</p>}
      <dl className="mt-auto grid grid-cols-3 divide-x divide-line pt-5">
        {figures.map(([term, count]) => (
          <div key={term} className="flex flex-col-reverse px-4 first:pl-0">
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="tabular text-xl font-semibold">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
