import type { ClientFigures, ClientView } from '#server/clients/contract.ts';
import type { Activity as Act } from '#server/documents/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { FileGlyph } from '../../../components/FileGlyph.tsx';
import { MiddleCut } from '../../../components/MiddleCut.tsx';
import { formatCount, formatDate, formatDateTime, relativeTime } from '../../../lib/format.ts';
import { driveHref } from '../../../lib/driveLocation.ts';
import { clientFilesHref, highlightHref } from '../../../lib/search.ts';
import { Card } from '../../../components/Card.tsx';
import { SentBackMark } from '../../items/SentBackMark.tsx';

interface FactsProps {
  figures: ClientFigures;
  /** The time of the last activity, ISO 8601. */
  last: string | undefined;
  now: number;
}

export function Facts({ figures, last, now }: FactsProps) {
  const facts = [
    { term: t.files, value: formatCount(figures.files) },
    { term: t.storageUsed, value: figures.formatted_bytes },
    {
      term: t.lastActivity,
      value: last ? relativeTime(last, now) : t.noneSoFar,
      title: formatDateTime(last),
    },
  ];
  return (
    <dl className="grid max-w-2xl grid-cols-3 divide-x divide-line overflow-hidden rounded-lg border border-line">
      {facts.map(({ term, value, title }) => (
        <div key={term} className="flex flex-col-reverse px-3 py-2 sm:px-4">
          <dt className="text-sm text-muted">{term}</dt>
          <dd className="tabular truncate text-lg font-semibold" title={title}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const LINE = 'flex min-h-11 items-center gap-3 rounded-sm px-1 py-1.5 no-underline hover:bg-hover';

interface NewestProps {
  client: ClientView;
  items: readonly ItemView[];
  /** The number of linked folders. */
  folders: number;
}

export function Newest({ client, items, folders }: NewestProps) {
  return (
    <Card
      title={t.newestFiles}
      aside={
        items.length + folders > 0 && (
          <a href={clientFilesHref(client)} className="link text-sm">
            {t.allFiles}
          </a>
        )
      }
    >
      {items.length === 0 ? (
        <p className="text-muted">{folders > 0 ? t.foldersWithoutFiles(folders) : t.noFilesLinked}</p>
      ) : (
        <ul aria-label={t.newestFiles} className="divide-y divide-line">
          {items.map((item) => (
            <li key={item.id}>
              <a href={driveHref({ folderId: item.parent_id, previewId: item.id })} className={LINE}>
                <FileGlyph fileType={item.file_type} size={20} />
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="flex min-w-0 items-center gap-2 text-text">
                    <MiddleCut text={item.name} />
                    <SentBackMark item={item} />
                  </span>
                  <span className="truncate text-sm text-muted">{item.path || common.myDrive}</span>
                </span>
                <span className="tabular shrink-0 text-sm text-muted max-sm:hidden">{item.size}</span>
                <span className="tabular shrink-0 text-sm text-muted">{formatDate(item.modified_at)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function Activity({ activity, now }: { activity: readonly Act[]; now: number }) {
  if (activity.length === 0) return null;
  return (
    <Card title={t.lastActivity}>
      <ul aria-label={t.lastActivity} className="divide-y divide-line">
        {activity.map((entry) => (
          <li key={`${entry.item_id}/${entry.user_name}/${entry.at}`}>
            <a href={highlightHref({ id: entry.item_id, parent_id: entry.parent_id })} className={LINE}>
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="flex min-w-0 text-text">
                  <MiddleCut text={entry.name} />
                </span>
                <span className="truncate text-sm text-muted">{t.openedBy(entry.user_name)}</span>
              </span>
              <span className="tabular shrink-0 text-sm text-muted" title={formatDateTime(entry.at)}>
                {relativeTime(entry.at, now)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function Years({ years }: Pick<ClientFigures, 'years'>) {
  if (years.length === 0) return null;
  return (
    <Card title={t.byYear}>
      <table className="tabular w-full text-right">
        <thead className="text-sm text-muted">
          <tr>
            <th scope="col" className="py-1 text-left font-medium">
              {t.year}
            </th>
            <th scope="col" className="py-1 font-medium">
              {t.files}
            </th>
            <th scope="col" className="py-1 font-medium">
              {t.size}
            </th>
          </tr>
        </thead>
        <tbody>
          {years.map(({ year, files, formatted_bytes }) => (
            <tr key={year} className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                {t.financialYear(year)}
              </th>
              <td>{formatCount(files)}</td>
              <td>{formatted_bytes}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-sm text-muted">{t.yearNote}</p>
    </Card>
  );
}
