import type { Test } from 'uvu';
import { suite } from 'uvu';
import type { Actor } from '#server/actor.ts';
import { Visitor } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

/** A served office with somebody who uploads by a token. */
export interface Office extends World {
  base: string;
  actor: Actor;
  token: string;
  visitor: Visitor;
}

/** A suite whose tests get an office each. */
export function officeSuite(name: string): Test<Office> {
  const test = suite<Office>(name);
  test.before.each(async (office) => {
    Object.assign(office, await freshWorld({ trashDays: 0 }));
    const base = await office.serve();
    const { actor, token } = await office.build.account();
    Object.assign(office, { base, actor, token, visitor: new Visitor(base) });
  });
  test.after.each((office) => office.close());
  return test;
}

/** `Upload-Metadata` of tus. */
export const metadata = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([key, value]) => (value === '' ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',');
