import { Inbox, Pencil, QrCode, Unlink, X } from 'lucide-react';
import type { DropView } from '#server/drop-links/contract.ts';
import type { RequestSummary } from '#server/requests/contract.ts';
import * as asked from '#messages/requests.ts';
import * as t from '#messages/sharing.ts';
import { Badge } from '../../components/Badge.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { formatDate, relativeTime } from '../../lib/format.ts';
import type { RowProps } from './EntryRow.tsx';
import { EntryRow } from './EntryRow.tsx';
import { joinFacts, openingFacts } from './facts.ts';

/** A request for documents. */
export function RequestRow({ request, now, ...row }: RowProps & { request: RequestSummary }) {
  const { id, title, client, state, due_on, overdue, rows, made_by } = request;
  const name = t.quoted(title);
  const day = due_on && formatDate(due_on);
  const due = day === null ? asked.noDue : (overdue ? asked.overdue : asked.due)(day);
  return (
    <EntryRow
      entryKey={`request-${id}`}
      icon={<Inbox aria-hidden size={24} strokeWidth={1.5} />}
      canEnd={state === 'open'}
      selectLabel={t.chooseRequest(name)}
      selected={row.selected}
      onSelect={row.onSelect}
      actions={
        <>
          <IconButton label={t.openRequest(name)} onPress={row.onOpen}>
            <Pencil aria-hidden size={16} />
          </IconButton>
          {state === 'open' && (
            <IconButton label={t.closeRequest(name)} onPress={row.onEnd}>
              <X aria-hidden size={16} />
            </IconButton>
          )}
        </>
      }
      heading={
        <>
          {title}
          <Badge tone={state === 'open' ? 'success' : 'neutral'}>{asked.states[state]}</Badge>
        </>
      }
      recipient={client.name}
      lines={[
        <>
          {t.kindOf.request} · <span className={overdue ? 'font-medium text-danger-text' : ''}>{due}</span> ·{' '}
          {t.by(made_by.name)}
        </>,
        joinFacts([
          ...openingFacts(request, now),
          asked.progress(rows.received + rows.accepted, rows.total, rows.unavailable),
        ]),
      ]}
    />
  );
}

/** A client's drop link. */
export function DropRow({ drop, now, ...row }: RowProps & { drop: DropView }) {
  const { id, client, file_mb, made_by, received, max_files, last_received_at } = drop;
  return (
    <EntryRow
      entryKey={`drop-${id}`}
      icon={<QrCode aria-hidden size={24} strokeWidth={1.5} />}
      canEnd
      selectLabel={t.chooseDrop(client.name)}
      selected={row.selected}
      onSelect={row.onSelect}
      actions={
        <>
          <IconButton label={t.changeDrop(client.name)} onPress={row.onOpen}>
            <Pencil aria-hidden size={16} />
          </IconButton>
          <IconButton label={t.revokeDrop(client.name)} onPress={row.onEnd}>
            <Unlink aria-hidden size={16} />
          </IconButton>
        </>
      }
      heading={
        <>
          {t.anything}
          <Badge tone="success">{t.states.open}</Badge>
        </>
      }
      recipient={client.name}
      lines={[
        joinFacts([t.kindOf.drop, t.untilRevoked, t.perFile(file_mb), t.by(made_by.name)]),
        joinFacts([
          ...openingFacts(drop, now),
          t.received(received, max_files),
          last_received_at && t.lastReceived(relativeTime(last_received_at, now)),
        ]),
      ]}
    />
  );
}
