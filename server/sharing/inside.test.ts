import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attached, eml } from '#server/previews/testing/mails.ts';
import { zip } from '#server/sheets/testing/workbook.ts';
import type { Office } from './testing/recipient.ts';
import { eachOffice, recipient } from './testing/recipient.ts';

const test = suite<Office>('what lies within a shared file');
eachOffice(test);

test('of a ZIP single files are given, folder by folder, and of an e-mail what is attached', async (office) => {
  const { build, asha, share, address, services } = office;
  const content = zip({ 'Bank/April.txt': 'the statement', 'note.txt': 'a note' });
  const pack = await build.file(asha.actor, { name: 'pack.zip', content });
  const mail = await build.file(asha.actor, {
    name: 'a.eml',
    content: eml(
      ['From: a@b.in', 'Subject: About it'],
      [
        { head: ['Content-Type: text/plain'], body: 'See attached.' },
        attached('challan.txt', 'text/plain', Buffer.from('paid')),
      ],
    ),
  });
  const link = await share([pack.id, mail.id], { max_downloads: 4 });
  const priya = recipient(office, address, link.url);
  const names = async (id: number, path?: string) => {
    const page = await services.sharing.recipients.file(priya.visitor, id, path);
    return page.state === 'file' && page.inside?.entries.map(({ name, key }) => [name, key]);
  };
  assert.equal(await names(pack.id), [
    ['Bank', 'Bank'],
    ['note.txt', 'note.txt'],
  ]);
  assert.equal(await names(pack.id, 'Bank'), [['April.txt', 'Bank/April.txt']]);
  assert.equal(
    (await names(pack.id, '../..')) || [],
    await names(pack.id),
    'what is no folder of it is its top',
  );
  assert.equal(await names(mail.id), [['challan.txt', '1']]);

  const one = await priya.get(await priya.send(`/download/${pack.id}`, { entry: 'Bank/April.txt' }));
  assert.is(await one.text(), 'the statement');
  assert.match(one.headers.get('content-disposition')!, /^attachment; .*April\.txt/);
  const paid = await priya.get(await priya.send(`/download/${mail.id}`, { attachment: '1' }));
  assert.is(await paid.text(), 'paid');
  assert.is(
    await priya.send(`/download/${pack.id}`, { entry: 'no such file' }),
    '',
    'and nothing is counted',
  );
  assert.is((await services.sharing.links.list(asha.actor))[0]!.downloads, 2, 'each is a download');

  const looker = recipient(office, address, (await share([pack.id, mail.id], { mode: 'view' })).url);
  const seen = await looker.file(pack.id);
  assert.is(seen.state === 'file' && seen.inside?.entries.length, 2, 'by name');
  assert.is(await looker.send(`/download/${pack.id}`, { entry: 'note.txt' }), '');
  assert.is(await looker.send(`/download/${mail.id}`, { attachment: '1' }), '');
  const covered = recipient(office, address, (await share([pack.id], { mask_aadhaar: true })).url);
  const closed = await covered.file(pack.id);
  assert.is(closed.state === 'file' && closed.inside, null);
  assert.match(await covered.send(`/download/${pack.id}`, { entry: 'note.txt' }), 'said=withheld');
});

test.run();
