import type { ClientOption } from '#server/clients/contract.ts';
import type { AssignmentView, GroupView } from '#server/access/contract.ts';

/** The clients, and groups of clients, that somebody is to see. */
export interface Chosen {
  clients: readonly number[];
  groups: readonly string[];
}
export const NOTHING: Chosen = { clients: [], groups: [] };

export const chosenOf = ({ clients, groups }: Pick<AssignmentView, 'clients' | 'groups'>): Chosen => ({
  clients: clients.map(({ id }) => id),
  groups,
});

/** What there is to choose from. */
export interface Offered {
  clients: readonly ClientOption[];
  groups: readonly GroupView[];
}

/** Without what has been deleted since it was chosen. */
export const stillOffered = (chosen: Chosen, { clients, groups }: Offered): Chosen => {
  const ids = new Set(clients.map(({ value }) => value));
  const names = new Set(groups.map(({ name }) => name));
  return {
    clients: chosen.clients.filter((id) => ids.has(id)),
    groups: chosen.groups.filter((name) => names.has(name)),
  };
};

export interface Found extends Offered {
  /** So many more clients match. */
  more: number;
}

/** What matches the words; what is in `first` comes before the rest, so that nothing moves while it is being chosen. */
export function find({ clients, groups }: Offered, text: string, first: Chosen, most: number): Found {
  const words = text.trim().toLowerCase().split(/\s+/);
  const has = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  const top = new Set(first.clients);
  const ahead = <T>(all: readonly T[], isFirst: (one: T) => boolean) => [
    ...all.filter(isFirst),
    ...all.filter((one) => !isFirst(one)),
  ];
  const matching = ahead(
    clients.filter(({ label }) => has(label)),
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
