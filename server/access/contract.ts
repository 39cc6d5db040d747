import * as v from 'valibot';
import type { ClientScope, Role } from '#server/permissions.ts';
import { CLIENT_SCOPES } from '#server/permissions.ts';
import { CONTENTS } from '#server/documents/contract.ts';

/** The clients that a user sees. */
export interface AssignmentView {
  client_scope: ClientScope;
  clients: { id: number; name: string }[];
  /** Names of assigned groups; the user also sees clients that join these groups later. */
  groups: string[];
}

/** A group of clients. */
export interface GroupView {
  name: string;
  clients: number;
}

/** A colleague's assignment to one client. */
export interface ClientPerson {
  id: number;
  name: string;
  initials: string;
  role: Role;
  /** A user with `all` sees every client, so there is nothing to choose. */
  client_scope: ClientScope;
  assigned: boolean;
  /** The group of this client to which the user is assigned; null without one. */
  group: string | null;
}

export const ACCESS_REASONS = {
  admin: () => 'Admins see everything',
  all: () => 'Sees all clients',
  unassigned: () => 'May see what belongs to no client',
  client: (name: string) => `Assigned to ${name}`,
  group: (name: string) => `Assigned to the group ${name}`,
};
export type AccessReason = keyof typeof ACCESS_REASONS;

/** A user who sees an item or a client, with the reason. */
export interface AccessPerson {
  id: number;
  name: string;
  initials: string;
  role: Role;
  /** `Assigned to Sharma Traders`. */
  reason: string;
  /** The reason for programs; `by` is the name of the client or the group. */
  why: AccessReason;
  by: string | null;
  is_you: boolean;
}

/** The colleagues who would lose access. */
export interface LosingView {
  names: string[];
}

const CLIENTS = 'Choose clients from the list';
const PEOPLE = 'Choose people from the list';
const ids = (message: string, max: number) =>
  v.pipe(
    v.array(v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message)), message),
    v.maxLength(max, `Choose at most ${max}`),
    v.transform((values) => [...new Set(values)]),
  );

export const assignment = v.object({
  client_scope: v.picklist(CLIENT_SCOPES, 'Choose all clients or assigned clients'),
  client_ids: v.optional(ids(CLIENTS, 5000), []),
  groups: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(CLIENTS), v.maxLength(200, CLIENTS), v.regex(/^\P{Cc}*$/u, CLIENTS)), CLIENTS),
      v.maxLength(500, CLIENTS),
      v.transform((values) => [...new Set(values)]),
    ),
    [],
  ),
});
export type Assignment = v.InferOutput<typeof assignment>;

export const clientPeople = v.object({ user_ids: ids(PEOPLE, 1000) });
export type ClientPeople = v.InferOutput<typeof clientPeople>;

const id = v.pipe(v.number('Choose from the list'), v.safeInteger('Choose from the list'));
/**
 * Items to be moved into the folder `parent_id`, or linked to the client `client_id`. `contents: 'all'` includes
 * everything inside of them, whichever client it belongs to.
 */
export const losing = v.object({
  ids: v.pipe(
    v.array(id, 'Choose items'),
    v.nonEmpty('Choose items'),
    v.maxLength(20_000, 'Choose fewer items'),
  ),
  parent_id: v.optional(v.nullable(id)),
  client_id: v.optional(v.nullable(id)),
  contents: v.optional(v.picklist(CONTENTS, `Choose one of: ${CONTENTS.join(', ')}`)),
});
export type Losing = v.InferOutput<typeof losing>;
