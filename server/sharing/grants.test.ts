import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forge } from '../archive/read/testing/forge.ts';
import type { Office } from './testing/recipient.ts';
import { eachOffice, newLink, recipient } from './testing/recipient.ts';

const test = suite<Office>('what a started download gives');
eachOffice(test);

/** A folder with a file, and a file beside it that can be moved in. */
async function folderAndFile({ build, asha }: Office) {
  const folder = await build.folder(asha.actor, 'For the bank');
  const first = await build.file(asha.actor, { name: 'first.txt', parent_id: folder.id });
  const second = await build.file(asha.actor, { name: 'second.txt' });
  return { folder, first, second };
}

test('a download that was started once gives the same content for twelve hours, and nothing that comes into the folder later', async (office) => {
  const { asha, share, address, services } = office;
  const { folder, second } = await folderAndFile(office);
  const priya = recipient(office, address, (await share([folder.id], { max_downloads: 1 })).url);
  const to = await priya.send('/download/all');
  const whole = await priya.get(to);
  await whole.arrayBuffer();
  await services.documents.move(asha.actor, { ids: [second.id], parent_id: folder.id });
  assert.is((await priya.get(to)).status, 409);
  const inBrowser = await priya.get(to, { accept: 'text/html' });
  assert.is(inBrowser.status, 303, 'the page of the link tells what is there now');
  await services.documents.move(asha.actor, { ids: [second.id], parent_id: null });
  const rest = await priya.get(to, { range: 'bytes=10-', 'if-range': whole.headers.get('etag')! });
  assert.is(rest.status, 206, 'the same content is resumed');
});

test('a file, and a part of a file, that has another content meanwhile needs another download', async (office) => {
  const { build, asha, share, address } = office;
  const put = (name: string, content: string | Buffer) =>
    build.file(asha.actor, { name, content, conflict: 'replace' });
  const zipOf = (text: string) => forge([{ name: 'a.txt', data: Buffer.from(text) }]);
  const [file, zip] = [await put('own.txt', 'one'), await put('papers.zip', zipOf('one'))];
  const priya = recipient(office, address, (await share([file.id, zip.id])).url);
  const grants = [
    await priya.send(`/download/${file.id}`),
    await priya.send(`/download/${zip.id}`, { entry: 'a.txt' }),
  ];
  for (const to of grants) assert.is(await (await priya.get(to)).text(), 'one');
  office.advance(1000);
  await put('own.txt', 'other');
  await put('papers.zip', zipOf('other'));
  for (const to of grants) assert.is((await priya.get(to)).status, 409);
  assert.is(await (await priya.download(file.id))!.text(), 'other');
});

test('the download of somebody with a daily limit gives what was counted when it was started', async (office) => {
  const { build, asha, address, services } = office;
  const { folder, first, second } = await folderAndFile(office);
  const ravi = await build.colleague(asha.actor, { role: 'manager' });
  await services.team.change(asha.actor, ravi.actor.userId, { daily_downloads: 1 });
  const { url } = await services.sharing.links.make(ravi.actor, newLink([folder.id]));
  const priya = recipient(office, address, url);
  const to = await priya.send('/download/all');
  assert.match(to, '/get/');
  await services.documents.move(asha.actor, { ids: [second.id], parent_id: folder.id });
  assert.is((await priya.get(to)).status, 409, 'even before the first byte');
  await services.documents.move(asha.actor, { ids: [second.id], parent_id: null });
  assert.is((await priya.get(to)).status, 200);
  assert.is(await priya.send(`/download/${first.id}`), '?said=tomorrow');
});

test('a download that an earlier release started goes on', async (office) => {
  const { share, address, db } = office;
  const { folder, first } = await folderAndFile(office);
  const priya = recipient(office, address, (await share([folder.id])).url);
  const to = await priya.send(`/download/${first.id}`);
  await db('share_grants').update({ items: JSON.stringify([first.id]) });
  assert.equal([(await priya.get(to)).status, (await priya.get(to)).status], [200, 200]);
});

test.run();
