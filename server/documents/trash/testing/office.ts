import type { Test } from 'uvu';
import { suite } from 'uvu';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { ItemView } from '../../contract.ts';
import type { RestoreItems } from '../contract.ts';

export interface Office extends World {
  actor: Actor;
  client: number;
  /** A folder of the client's with `a.pdf` and `low/b.pdf` in it. */
  top: ItemView;
  low: ItemView;
  a: ItemView;
  b: ItemView;
}

/** Tests of a vault with a folder of a client, which each get one of their own. */
export function trashSuite(title: string): Test<Office> {
  const test = suite<Office>(title);
  test.before.each(async (office) => {
    const world = await freshWorld({ trashDays: 30 });
    const { build } = world;
    const actor = await build.actor();
    const client = await build.client(actor);
    const top = await build.folder(actor, 'Returns');
    await world.services.documents.setClient(actor, top.id, { client_id: client });
    const low = await build.folder(actor, 'low', top.id);
    const a = await build.file(actor, { name: 'a.pdf', content: 'a', parent_id: top.id });
    const b = await build.file(actor, { name: 'b.pdf', content: 'bb', parent_id: low.id });
    Object.assign(office, world, { actor, client, top, low, a, b });
  });
  test.after.each((office) => office.close());
  return test;
}

export const names = (items: { name: string }[]) => items.map(({ name }) => name);
export const inFolder = async ({ services, actor }: Office, id: number | null) =>
  names((await services.documents.folder(actor, id)).items);
export const inTrash = async ({ services, actor }: Office) => names((await services.trash.list(actor)).items);
export const restore = ({ services, actor }: Office, ids: number[], more: Omit<RestoreItems, 'ids'> = {}) =>
  services.trash.restore(actor, { ids, ...more });
