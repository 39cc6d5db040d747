import type { ClientOption } from '#server/clients/contract.ts';
import type { AssignmentView, GroupView } from '#server/access/contract.ts';
import { fold } from '#server/text/fold.ts';
import { plain } from '#server/text/plain-name.ts';

/** The clients and client groups that a person sees. */
export interface Chosen {
  clients: readonly number[];
  groups: readonly string[];
}
export const NOTHING: Chosen = { clients: [], groups: [] };

export const chosenOf = ({ clients, groups }: Pick<AssignmentView, 'clients' | 'groups'>): Chosen => ({
  clients: clients.map(({ id }) => id),
  groups,
});

/** The clients and groups to choose from. */
export interface AvailableClients {
  clients: readonly ClientOption[];
  groups: readonly GroupView[];
}

/** The choice without clients and groups that were deleted meanwhile. */
export const withoutDeleted = (chosen: Chosen, { clients, groups }: AvailableClients): Chosen => {
  const ids = new Set(clients.map(({ value }) => value));
  const names = new Set(groups.map(({ name }) => name));
  return {
    clients: chosen.clients.filter((id) => ids.has(id)),
    groups: chosen.groups.filter((name) => names.has(name)),
  };
};

interface SearchResult extends AvailableClients {
  /** The number of further matching clients. */
  more: number;
}

/** Finds clients and groups by words. Those in `first` are at the top, so that rows do not move while they are toggled. */
export function searchAvailable(
  { clients, groups }: AvailableClients,
  text: string,
  first: Chosen,
  most: number,
): SearchResult {
  const words = plain(fold(` ${text} `)).split(/\s+/);
  const has = (name: string) => {
    const folded = plain(fold(name));
    return words.every((word) => folded.includes(word));
  };
  const top = new Set(first.clients);
  const ahead = <T>(all: readonly T[], isFirst: (entry: T) => boolean) => [
    ...all.filter(isFirst),
    ...all.filter((entry) => !isFirst(entry)),
  ];
  const matching = ahead(
    clients.filter(({ label, note = '' }) => has(`${label} ${note}`)),
    ({ value }) => top.has(value),
  );
  const shown = matching.slice(0, Math.max(most, matching.filter(({ value }) => top.has(value)).length));
  return {
    clients: shown,
    groups: ahead(
      groups.filter(({ name }) => has(name)),
      ({ name }) => first.groups.includes(name),
    ),
    more: matching.length - shown.length,
  };
}
