import { sentence } from '#server/text/sentence.ts';

/** Sealed items that the text lists. */
const MAX_LISTED = 5;

/** The refusal to delete a client with sealed items: `"Audit 2025-26" (by Asha Rao), …`. */
export function sealedClientText(client: string, sealed: readonly { name: string; by: string }[]): string {
  const listed = sealed.slice(0, MAX_LISTED).map(({ name, by }) => `"${name}" (by ${by})`);
  const more = sealed.length - listed.length;
  const all = more > 0 ? `${listed.join(', ')} and ${more} more` : listed.join(', ');
  return `"${client}" cannot be deleted, since documents of this client are sealed: ${all}. An admin has to break these seals first.`;
}

/** The refusal to delete a client under a legal hold. */
export const legalHoldText = (client: string, { by, reason }: { by: string; reason: string }): string =>
  `${client} cannot be deleted, since there is a legal hold on it, placed by ${by}: ${sentence(reason)} Lift the hold on the client’s page first.`;

/** The refusal to delete a client whose documents a retention rule keeps. */
export const retainedClientText = (client: string, { name }: { name: string }): string =>
  `"${client}" cannot be deleted, since the retention rule "${name}" for clients of this type keeps documents of this client.`;

/** The refusal to change the type of such a client. */
export const retainedTypeText = ({ name }: { name: string }): string =>
  `The retention rule "${name}" for clients of this type keeps documents of this client. Ask an admin or manager to change the type.`;
