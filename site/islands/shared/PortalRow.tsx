import { PanelsTopLeft, Pencil, Unlink } from 'lucide-react';
import type { PortalView } from '#server/portal/contract.ts';
import * as t from '#messages/sharing.ts';
import { Badge } from '../../components/Badge.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import type { RowProps } from './RequestAndDropRows.tsx';
import { joinFacts, openingFacts } from './RequestAndDropRows.tsx';
import { EntryRow } from './EntryRow.tsx';

/** A client's page. */
export function PortalRow({ portal, now, ...row }: RowProps & { portal: PortalView }) {
  const { id, client, client_email, emails, made_by } = portal;
  return (
    <EntryRow
      entryKey={`page-${id}`}
      icon={<PanelsTopLeft aria-hidden size={24} strokeWidth={1.5} />}
      canEnd
      selectLabel={t.choosePage(client.name)}
      selected={row.selected}
      onSelect={row.onSelect}
      actions={
        <>
          <IconButton label={t.changePage(client.name)} onPress={row.onOpen}>
            <Pencil aria-hidden size={16} />
          </IconButton>
          <IconButton label={t.endPage(client.name)} onPress={row.onEnd}>
            <Unlink aria-hidden size={16} />
          </IconButton>
        </>
      }
    >
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 font-medium">
        {t.kindOf.page}
        <Badge tone="success">{t.states.open}</Badge>
      </p>
      <p className="mt-0.5 break-words">{client.name}</p>
      <p className="mt-0.5 text-sm text-muted">
        {joinFacts([t.opensFor(emails.length + (client_email ? 1 : 0)), t.untilRevoked, t.by(made_by.name)])}
      </p>
      <p className="mt-0.5 text-sm text-muted">{joinFacts(openingFacts(portal, now))}</p>
    </EntryRow>
  );
}
