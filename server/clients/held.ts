/** So many are named. */
const NAMED = 5;

/** Why a client cannot be deleted that has something sealed: `"Audit 2025-26", sealed by Asha Rao, …`. */
export function heldBySeals(client: string, sealed: readonly { name: string; by: string }[]): string {
  const named = sealed.slice(0, NAMED).map(({ name, by }) => `"${name}" (by ${by})`);
  const more = sealed.length - named.length;
  const all = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
  return `"${client}" cannot be deleted, since documents of this client are sealed: ${all}. An admin has to break these seals first.`;
}

/** Why a client cannot be deleted that is under a legal hold. */
export const heldByLaw = (client: string, { by, reason }: { by: string; reason: string }): string =>
  `"${client}" cannot be deleted, since there is a legal hold on it, placed by ${by}: ${reason}. Lift the hold on the client’s page first.`;

/** Why a client cannot be deleted whose documents a retention rule for the client's type keeps. */
export const heldByRule = (client: string, { name }: { name: string }): string =>
  `"${client}" cannot be deleted, since the retention rule "${name}" for clients of this type keeps documents of this client.`;

/** Why the type of such a client is not for everybody to change. */
export const keptByRule = ({ name }: { name: string }): string =>
  `The retention rule "${name}" for clients of this type keeps documents of this client. Ask an admin or manager to change the type.`;
