import type { ClientScope, Role } from '#server/permissions.ts';
import * as t from '#messages/team.ts';
import { Select } from '../../components/Select.tsx';
import { ClientChoice } from './ClientChoice.tsx';
import type { Chosen } from './clientChoice.ts';

const SCOPES = [
  { id: 'all', label: t.allClients },
  { id: 'assigned', label: t.assignedClients },
];

export interface ScopeFieldsProps {
  role: Role;
  scope: ClientScope;
  chosen: Chosen;
  onScope: (scope: ClientScope) => void;
  onChoose: (chosen: Chosen) => void;
}

/** Chooses between all clients and assigned ones. */
export function ScopeFields({ role, scope, chosen, onScope, onChoose }: ScopeFieldsProps) {
  if (role === 'admin') return <p className="text-muted">{t.adminSeesAll}</p>;
  const none = scope === 'assigned' && chosen.clients.length + chosen.groups.length === 0;
  return (
    <>
      <Select
        label={t.whichClients}
        options={SCOPES}
        value={scope}
        onChange={(key) => onScope(key as ClientScope)}
        description={none ? t.seesNone : scope === 'all' ? t.allAbout : t.assignedAbout}
      />
      {scope === 'assigned' && <ClientChoice chosen={chosen} onChange={onChoose} />}
    </>
  );
}
