import { distinctive } from '#server/text/distinctive.ts';
import { fold } from '#server/text/fold.ts';
import { plain } from '#server/text/plain-name.ts';

/** The name as people compare it: without its case, accents and apostrophes, repeated spaces, or whether "and" is written "&". */
export const comparableName = (name: string): string => plain(fold(name).replace(/\s+/g, ' '));

/** The clients whose name others of these have, by id, each with what tells it from them. */
export function tellApart<
  Key extends string,
  Client extends Readonly<{ id: number; name: string } & Record<Key, string | null>>,
>(clients: readonly Client[], keys: readonly Key[]): Map<number, Key | undefined> {
  const groups = [...Map.groupBy(clients, ({ name }) => comparableName(name)).values()];
  return new Map(
    groups
      .filter((same) => same.length > 1)
      .flatMap((same) => same.map((client) => [client.id, distinctive(client, same, keys)] as const)),
  );
}
