import { buffer } from 'node:stream/consumers';
import type { Actor } from '#server/actor.ts';
import type { World } from '#server/testing/world.ts';

/** The present content of a file and its earlier ones, last replaced first, as text. */
export async function textsOf({ services, blobs }: World, actor: Actor, item: number): Promise<string[]> {
  const { earlier } = await services.versions.list(actor, item);
  const refs = [item, ...earlier.map(({ id }) => ({ item, version: id! }))];
  const read = async (ref: (typeof refs)[number]) =>
    String(await buffer(await blobs.get((await services.documents.openFile(actor, ref)).blob_id)));
  return Promise.all(refs.map(read));
}
