import type { AuditView } from '#server/audit/contract.ts';
import * as t from '#messages/history.ts';
import { WholeYears } from '../../components/WholeYears.tsx';
import { formatDateTime, formatTime } from '../../lib/format.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { clientHref, highlightHref } from '../../lib/search.ts';
import { groupByDay } from './days.ts';

export interface EntriesProps {
  entries: readonly AuditView[];
  /** The current time in milliseconds. */
  now: number;
}

/** The history entries grouped by day, newest first. */
export const Entries = ({ entries, now }: EntriesProps) => (
  <div data-history>
    {groupByDay(entries, now).map(({ id, label, entries: ofDay }) => (
      <section key={id} aria-labelledby={`day-${id}`} className="mb-4">
        <h2
          id={`day-${id}`}
          className="sticky top-0 z-1 border-b border-line bg-surface py-1.5 text-sm font-semibold text-muted"
        >
          {label}
        </h2>
        <ol aria-labelledby={`day-${id}`} className="divide-y divide-line">
          {ofDay.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      </section>
    ))}
  </div>
);

const LINK =
  'rounded-xs text-text no-underline underline-offset-2 hover:underline pointer-coarse:underline pointer-coarse:decoration-line-strong';

function Entry({ entry }: { entry: AuditView }) {
  const { id, at, what, who, about, ip, place, browser, client } = entry;
  const where = [browser, place].filter(Boolean).join(' · ');
  return (
    <li
      data-id={id}
      className="history-entry gap-x-4 gap-y-0.5 py-2 text-base break-words hover:bg-hover sm:px-2"
    >
      <time dateTime={at} title={formatDateTime(at)} className="tabular text-sm text-muted">
        {formatTime(at)}
      </time>
      <span className="history-who min-w-0 font-medium">
        {who ?? (ip === null ? t.theServer : t.nobodySignedIn)}
      </span>
      <p className="history-what min-w-0">
        {what}
        {about && (
          <>
            {': '}
            <About entry={entry} />
          </>
        )}
      </p>
      <div className="history-under text-sm text-muted">
        <span className="min-w-0">
          {client && client.name !== about && (
            <a href={clientHref(client.id)} className={LINK}>
              {client.name}
            </a>
          )}
        </span>
        <span className="min-w-0">{where}</span>
      </div>
    </li>
  );
}

/** The object of an entry; a link if it still exists. */
function About({ entry: { about, item, client } }: { entry: AuditView }) {
  const href = item
    ? item.type === 'folder'
      ? driveHref({ folderId: item.id })
      : highlightHref(item)
    : client && client.name === about
      ? clientHref(client.id)
      : null;
  const text = <WholeYears text={about ?? ''} />;
  return href === null ? (
    <span>{text}</span>
  ) : (
    <a href={href} className={LINK}>
      {text}
    </a>
  );
}
