import type { AccessPerson } from '#server/access/contract.ts';
import * as t from '#messages/access.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';

/** A user, with the reason for their access. */
export const PersonLine = ({ person: { name, initials, why, by, is_you } }: { person: AccessPerson }) => (
  <span className="flex min-w-0 flex-1 items-center gap-3">
    <Avatar initials={initials} />
    <span className="min-w-0 flex-1">
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-medium">{name}</span>
        {is_you && <Badge>{t.you}</Badge>}
      </span>
      <span className="block text-sm break-words text-muted">{t.reasons[why](by ?? '')}</span>
    </span>
  </span>
);
