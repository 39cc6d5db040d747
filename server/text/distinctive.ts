/**
 * What tells a client from the others of its name: the first of these of its values that none of them has, since branches share a PAN and
 * families a phone; else the first that it has; undefined for none.
 * @param namesakes also the client itself.
 */
export function distinctive<Key extends string, Client extends Readonly<Record<Key, string | null>>>(
  client: Client,
  namesakes: readonly Client[],
  keys: readonly Key[],
): Key | undefined {
  const own = keys.filter((key) => client[key]);
  const isShared = (key: Key) => namesakes.some((other) => other !== client && other[key] === client[key]);
  return own.find((key) => !isShared(key)) ?? own[0];
}
