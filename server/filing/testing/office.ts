import { suite } from 'uvu';
import type { Actor } from '#server/actor.ts';
import { FORM_16, field, recognise } from '#server/fields/testing/recognised.ts';
import type { Recognised } from '#server/recognition/contract.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { Suggestion } from '../contract.ts';

export interface Office extends World {
  actor: Actor;
  sharma: number;
  count: number;
}

/** Tests on an office with one client, Sharma Traders, whose PAN Form 16 of `FORM_16` contains. */
export function filingSuite(name: string) {
  const test = suite<Office>(name);
  test.before(async (office) => {
    Object.assign(office, await freshWorld({ reading: true }), { count: 0 });
    office.actor = await office.build.actor();
    office.sharma = await office.build.client(office.actor, 'Sharma Traders', { pan: 'AAAPZ0000A' });
  });
  test.after((office) => office.close());
  return test;
}

/** Adds a file in which these values were recognised. @returns its id. */
export async function scan(
  office: Office,
  recognised: Recognised = FORM_16,
  more: object = {},
): Promise<number> {
  office.count += 1;
  const name = `scan${office.count}.pdf`;
  const { id } = await office.build.file(office.actor, { name, content: `page ${office.count}`, ...more });
  await recognise(office, id, recognised);
  return id;
}
/** The suggestion for one document. */
export const suggested = async (
  { services, actor }: Office,
  id: number,
  user = actor,
  client?: number,
): Promise<Suggestion> =>
  (await services.filing.suggestions(user, { ids: [id], folder: undefined, client })).suggestions[0]!;
/** The request that files it as suggested. */
export const asFiled = ({ item, client, folder, name }: Suggestion) => ({
  id: item.id,
  client_id: client!.id,
  folder,
  name,
  seen: { name: item.name, parent_id: item.parent_id },
});
export const withFields = (...fields: Recognised['fields']): Recognised => ({ ...FORM_16, fields });
export const pan = (key: string, value: string, sure = 0.99) =>
  field(key, value, { kind: 'identifier', sure });
