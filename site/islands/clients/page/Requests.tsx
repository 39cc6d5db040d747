import { useQuery } from '@tanstack/react-query';
import type { RequestSummary } from '#server/requests/contract.ts';
import * as shell from '#messages/shell.ts';
import * as t from '#messages/requests.ts';
import { Badge } from '../../../components/Badge.tsx';
import { Card } from '../../../components/Card.tsx';
import { formatDate } from '../../../lib/format.ts';
import { requestHref } from '../../../lib/requestAddress.ts';
import { calls } from '../../request-dialogs/calls.ts';

interface RequestsProps {
  clientId: number;
  first: RequestSummary[];
}

const dueOf = ({ due_on, overdue }: RequestSummary): string =>
  due_on === null ? t.noDue : (overdue ? t.overdue : t.due)(formatDate(due_on));

/** The client's open requests: what is new and what is missing. */
export function Requests({ clientId, first }: RequestsProps) {
  const { data } = useQuery({
    queryKey: ['requests', 'list', 'client', clientId],
    queryFn: ({ signal }) => calls.list({ client: clientId }, signal),
    initialData: first,
  });
  if (data.length === 0) return null;
  return (
    <Card
      title={shell.requests}
      aside={
        <a href={`/requests?client=${clientId}`} className="link text-sm">
          {t.allOfClient}
        </a>
      }
    >
      <ul aria-label={shell.requests} className="divide-y divide-line">
        {data.map((request) => (
          <li key={request.id}>
            <a
              href={requestHref(request.id)}
              className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-sm px-1 py-1.5 no-underline hover:bg-hover"
            >
              <span className="min-w-0 flex-1 basis-48 break-words text-text">{request.title}</span>
              {request.fresh > 0 && <Badge tone="accent">{t.newCount(request.fresh)}</Badge>}
              <span className="tabular text-sm text-muted">{t.missingCount(request.rows.wanted)}</span>
              <span
                className={`tabular text-sm ${request.overdue ? 'font-medium text-danger-text' : 'text-muted'}`}
              >
                {dueOf(request)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
