import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockedPdf } from '#server/reading/testing/locked.ts';
import { readAll } from '#server/reading/testing/office.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { Office } from './testing/recipient.ts';
import { change, eachOffice, recipient, untilMasked } from './testing/recipient.ts';

const test = suite<Office>('a locked PDF that is shared');
eachOffice(test, { reading: true });

const PASSWORD = 'HDFC@4410';

test('a locked PDF stays locked for recipients of a link although the office knows its password, unless the link says otherwise', async (office) => {
  const { build, asha, share, address, services } = office;
  const content = lockedPdf(PASSWORD, ['Statement of April']);
  const { id } = await build.file(asha.actor, { name: 'april.pdf', content });
  await services.unlocking.unlock(asha.actor, id, { password: PASSWORD, remember: false });
  await readAll(office);
  const why = async (more: object) => {
    const priya = recipient(office, address, (await share([id], more)).url);
    const page = await priya.file(id);
    const shown = await priya.get(`/pages/${id}/1`);
    const small = await priya.get(`/thumbnails/${id}`);
    await Promise.all([shown.arrayBuffer(), small.arrayBuffer()]);
    return [
      page.state === 'file' && page.why,
      page.state === 'file' && page.pages,
      shown.status,
      small.status,
    ];
  };
  assert.equal(await why({}), ['locked', 0, 409, 204]);
  assert.equal(await why({ mode: 'view' }), ['locked', 0, 409, 404]);
  assert.equal((await why({ open_locked: true })).slice(0, 3), [null, 1, 200]);

  const priya = recipient(office, address, (await share([id], { open_locked: true })).url);
  const bytes = Buffer.from(await (await priya.download(id))!.arrayBuffer());
  assert.equal(bytes, content, 'what is downloaded is as it was, and locked');
  // Its pages with the numbers covered are pages all the same.
  assert.equal((await why({ mask_aadhaar: true })).slice(0, 2), ['withheld', 0]);
  await untilMasked(office, [id]);
  assert.equal((await why({ mask_aadhaar: true, open_locked: true })).slice(0, 2), [null, 1]);
  const { links } = services.sharing;
  assert.is(
    (await links.check(asha.actor, { ids: [id], open_locked: false, prepare: false })).names[0]?.why,
    'locked',
  );
  assert.is((await links.check(asha.actor, { ids: [id], open_locked: true, prepare: false })).locked, 1);
});

test('a link that opens a locked PDF is not taken over by a user for whom the PDF stays locked, since the pages would be read by its new address', async (office) => {
  const { build, asha, share, services } = office;
  const { links } = services.sharing;
  const [meera, anil] = [await build.client(asha.actor, 'Meera'), await build.client(asha.actor, 'Anil')];
  const content = lockedPdf(PASSWORD, ['Statement of April']);
  const hers = await build.file(asha.actor, { name: 'hers.pdf', content, client_id: meera });
  const his = await build.file(asha.actor, { name: 'his.pdf', content, client_id: anil });
  await services.unlocking.unlock(asha.actor, hers.id, { password: PASSWORD, remember: false });
  const { userId } = (await build.colleague(asha.actor, { role: 'manager', client_scope: 'assigned' })).actor;
  const assign = (...client_ids: number[]) =>
    services.access.assign(asha.actor, userId, { client_scope: 'assigned', client_ids, groups: [] });
  await assign(anil);
  const ravi = (await services.auth.actorOfUser(userId))!;
  const view = { mode: 'view' as const };
  const { id: shut } = await share([his.id], view);
  const { id: open } = await share([his.id], { ...view, open_locked: true });

  await rejects(links.change(ravi, shut, change({ ...view, open_locked: true })), 403);
  await rejects(links.change(ravi, open, change(view)), 403);
  await rejects(links.renew(ravi, open), 403);
  assert.ok((await links.renew(ravi, shut)).url, 'a link that keeps it locked');
  assert.not((await links.change(ravi, open, change({ ...view, open_locked: false }))).open_locked);
  await links.change(asha.actor, open, change({ ...view, open_locked: true }));
  await assign(anil, meera);
  assert.ok((await links.renew(ravi, open)).url, 'nor is it locked for who sees both clients');
});

test.run();
