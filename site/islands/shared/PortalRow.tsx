import { PanelsTopLeft, Pencil, Unlink } from 'lucide-react';
import type { PortalView } from '#server/portal/contract.ts';
import * as t from '#messages/sharing.ts';
import { Badge } from '../../components/Badge.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import type { RowProps } from './EntryRow.tsx';
import { EntryRow } from './EntryRow.tsx';
import { joinFacts, openingFacts } from './facts.ts';

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
      heading={
        <>
          {t.kindOf.page}
          <Badge tone="success">{t.states.open}</Badge>
        </>
      }
      recipient={client.name}
      lines={[
        joinFacts([t.opensFor(emails.length + (client_email ? 1 : 0)), t.untilRevoked, t.by(made_by.name)]),
        joinFacts(openingFacts(portal, now)),
      ]}
    />
  );
}
