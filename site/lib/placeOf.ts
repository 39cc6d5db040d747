import type { ItemView } from '#server/documents/contract.ts';
import * as common from '#messages/common.ts';

/** Where an item of a search lies: `Sharma Traders · Notices / 2025`, without the client if a name shows it already. */
export function placeOf({
  name,
  path,
  client_name,
}: Pick<ItemView, 'name' | 'path' | 'client_name'>): string {
  const folders = path || common.myDrive;
  const isShown = client_name === null || [name, ...folders.split(' / ')].includes(client_name);
  return isShown ? folders : `${client_name} · ${folders}`;
}
