import type { RequestSummary } from '#server/requests/contract.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../components/Badge.tsx';
import { formatDate, relativeTime } from '../../lib/format.ts';
import { useSendsEmail } from '../../lib/useSendsEmail.ts';
import { StateBadge } from '../request-dialogs/StateBadge.tsx';

/** A request in the list: its client, due date, progress and who acts next. */
export function RequestLine({
  request,
  now,
  onOpen,
}: {
  request: RequestSummary;
  /** The current time in milliseconds. */
  now: number;
  onOpen: () => void;
}) {
  // Where no e-mail is sent, an address would not help.
  const canSend = useSendsEmail();
  const { client, title, rows, due_on, overdue, fresh } = request;
  const due = due_on === null ? t.noDue : (overdue ? t.overdue : t.due)(formatDate(due_on));
  const facts = [
    t.askedBy(request.made_by.name),
    request.last_opened_at ? t.opened(relativeTime(request.last_opened_at, now)) : t.neverOpened,
    request.reminded_at && t.reminded(relativeTime(request.reminded_at, now)),
    canSend && !request.has_email && t.noEmail,
  ];
  return (
    <li data-id={request.id} className="border-b border-line">
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full flex-wrap items-start gap-x-4 gap-y-1 rounded-sm py-3 text-left hover:bg-hover sm:px-2"
      >
        <span className="min-w-0 flex-1 basis-64">
          <span className="block font-medium break-words">
            {client.name} <span className="font-normal text-muted">· {title}</span>
          </span>
          <span className="block text-sm text-muted">{facts.filter(Boolean).join(' · ')}</span>
          {request.done ? (
            <span className="block text-sm font-medium">
              {t.finished(formatDate(request.done.at), request.done.receipt)}
            </span>
          ) : (
            request.receipt && (
              <span className="block text-sm text-muted">{t.lastReceipt(request.receipt)}</span>
            )
          )}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm max-lg:w-full">
          {fresh > 0 && <Badge tone="accent">{t.newCount(fresh)}</Badge>}
          <span className={overdue ? 'font-medium text-danger-text' : due_on === null ? 'text-muted' : ''}>
            {due}
          </span>
          <span className="tabular text-muted">
            {t.progress(rows.received + rows.accepted, rows.total, rows.unavailable)}
          </span>
          <StateBadge request={request} />
        </span>
      </button>
    </li>
  );
}
