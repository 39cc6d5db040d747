import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/recipient.ts';
import { eachOffice } from './testing/recipient.ts';
import { SHARES_PAGE } from './contract.ts';

const test = suite<Office>('the links of a firm, as it lists them');
eachOffice(test);

/** Makes the link once more, so often, for another item. */
async function again({ db }: Office, id: number, item_id: number, times: number, more: object) {
  const { id: _, ...row } = await db('share_links').where({ id }).first();
  for (let from = 0; from < times; from += 50) {
    const n = Math.min(50, times - from);
    const rows = Array.from({ length: n }, (_, index) => ({
      ...row,
      ...more,
      token_hash: `${item_id} ${from + index}`,
    }));
    const made = await db('share_links').insert(rows).returning('id');
    await db('share_link_items').insert(made.map((one) => ({ link_id: one.id, item_id })));
  }
}

test('an open link is marked and listed however many newer links there are', async (office) => {
  const { asha, build, services } = office;
  const { links } = services.sharing;
  const [old, other] = [
    await build.file(asha.actor, { name: 'old.pdf' }),
    await build.file(asha.actor, { name: 'b.pdf' }),
  ];
  const { id } = await office.share([old.id]);
  await again(office, id, other.id, 1001, { revoked_at: '2026-11-20T10:00:00.000Z' });
  assert.equal(await links.marked(asha.actor), [old.id]);
  assert.is((await links.among(asha.actor, [old.id])).length, 1);
  const open = await links.list(asha.actor, { state: 'open' });
  assert.equal(
    open.map((one) => one.id),
    [id],
  );
  const seen = new Set<number>();
  for (let before: number | undefined; ;) {
    const page = await links.list(asha.actor, before === undefined ? {} : { before });
    for (const one of page) seen.add(one.id);
    if (page.length < SHARES_PAGE) break;
    before = page.at(-1)!.id;
  }
  assert.is(seen.size, 1002, 'page after page brings each of them');
});

test('a page of the list is filled with links that the user sees, so that hidden ones do not shorten it', async (office) => {
  const { asha, build, services } = office;
  const file = await build.file(asha.actor, { name: 'hers.pdf' });
  const mine = await office.share([file.id]);
  const gone = await build.file(asha.actor, { name: 'deleted.pdf' });
  await again(office, mine.id, gone.id, 250, {});
  await services.documents.remove(asha.actor, [gone.id]);
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  const shown = await services.sharing.links.list(ravi.actor);
  assert.equal(
    shown.map(({ id }) => id),
    [mine.id],
  );
  const states = (await services.sharing.links.list(asha.actor, { state: 'gone' })).map(({ state }) => state);
  assert.equal([states.length, [...new Set(states)]], [SHARES_PAGE, ['gone']]);
});

test.run();
