import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isInstaller, rootClsidRange, executableKind } from './executables.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { uploadFile } from './testing/upload-file.ts';

const EXE = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), Buffer.alloc(200), Buffer.from('PE\0\0')]);

/** The start of a Windows Installer file, whose directory has the class id of installers. */
function installer(): Buffer {
  const bytes = Buffer.alloc(4096);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(1, 48);
  bytes.write('84100c0000000000c000000000000046', 2 * 512 + 80, 'hex');
  return bytes;
}

/** Uploads files for a user. @returns their items. */
async function uploads(world: World, { token }: { token: string }) {
  const address = await world.serve();
  return (name: string, content: Buffer | string) => uploadFile(address, token, name, content);
}

const test = suite<World>('recognising programs, whatever their names');

test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
});
test.after.each(async (world) => {
  world.services.previews.stop();
  await world.close();
});

test('programs are recognised by their content, and documents that begin alike are not taken for programs', () => {
  const is = (content: string | Buffer) => executableKind(Buffer.from(content as string));
  assert.is(is(EXE), 'a program of Windows');
  assert.is(is('\x7fELF\x02\x01\x01'), 'a program of Linux');
  assert.is(is('#!/bin/sh\nrm -rf ~'), 'a script');
  assert.is(is('\uFEFF<html><hta:application id="a"/>'), 'an HTML application of Windows');
  assert.is(is('@ECHO OFF\r\ndel *.*'), 'a batch file of Windows');
  assert.is(is('Set s = CreateObject("WScript.Shell")'), 'a script of Windows');
  assert.is(is(Buffer.from('cafebabe00000034', 'hex')), 'a program of macOS or Java');
  const msi = installer();
  const place = rootClsidRange(msi)!;
  assert.ok(isInstaller(msi.subarray(place.start, place.end)));
  for (const paper of [
    'MZ Traders,27AAPFU0939F1ZV,12000',
    '%PDF-1.7',
    'PK\x03\x04',
    '# Notes',
    '#!important',
    '<html><script>new ActiveXObject("Microsoft.XMLHTTP")</script>',
    '',
  ])
    assert.is(is(paper), null, paper);
});

test('without a virus scanner an uploaded program is held back, admins are notified, and an admin may release it with a reason', async (world) => {
  const { services, db, deliverMail } = world;
  const asha = await world.build.account();
  const upload = await uploads(world, asha);
  const opens = (id: number) =>
    services.documents.openFile(asha.actor, id).then(
      () => 'opens',
      ({ message }: Error) => message,
    );
  const id = await upload('Form 16.pdf', EXE);
  assert.is(await opens(await upload('note.txt', 'MZ Traders')), 'opens');
  assert.match(await opens(id), 'is a program and not a document, so it is held back');
  const { files, scanning } = await services.scanning.list(asha.actor);
  assert.is(scanning, false);
  assert.equal(
    files.map(({ name, state, found, item }) => [name, state, found, item?.id]),
    [['Form 16.pdf', 'program', 'a program of Windows', id]],
  );
  const marks = async () =>
    (await services.documents.folder(asha.actor, null)).items.map(({ name, held_back }) => [name, held_back]);
  assert.equal(await marks(), [
    ['Form 16.pdf', 'program'],
    ['note.txt', undefined],
  ]);
  assert.is((await services.documents.views(asha.actor, [id]))[0]!.held_back, 'program');
  assert.equal(
    (await deliverMail()).filter(({ kind }) => kind === 'scanning.held').map(({ subject }) => subject),
    ['Form 16.pdf is a program and is held back'],
  );
  assert.is((await db('audit_events').where({ did: 'scanning.program' })).length, 1);
  await services.scanning.release(asha.actor, files[0]!.id, { reason: 'Our own tool' });
  assert.is(await opens(id), 'opens');
  assert.equal(
    (await marks()).map(([, held]) => held),
    [undefined, undefined],
  );
});

test('a Windows installer is recognised by the class id further inside the file', async (world) => {
  const { services, blobs } = world;
  const { actor } = await world.build.account();
  const blob = await blobs.put(Readable.from([installer()]));
  assert.is(await services.scanning.holdProgram(actor.firmId, blob, 'Return.xls', 'office'), true);
  assert.is((await services.scanning.list(actor)).files[0]!.found, 'an installer of Windows');
});

test('admins are notified once of a program whose upload is completed again and again, and their release of it holds', async ({
  services,
  blobs,
  db,
  build,
  deliverMail,
}) => {
  const { actor } = await build.account();
  const blob = await blobs.put(Readable.from([EXE]));
  const receive = () => services.scanning.receive(actor.firmId, blob, 'Form 16.pdf', 'office');
  for (let attempt = 0; attempt < 3; attempt += 1) await receive();
  assert.is((await deliverMail()).filter(({ kind }) => kind === 'scanning.held').length, 1);
  assert.is((await db('audit_events').where({ did: 'scanning.program' })).length, 1);
  const { files } = await services.scanning.list(actor);
  await services.scanning.release(actor, files[0]!.id, { reason: 'Our own tool' });
  await receive();
  const place = { name: 'Form 16.pdf', parent_id: null, client_id: null, conflict: 'keep' } as const;
  const { id } = await services.documents.addFile(actor, { ...place, blob });
  await services.documents.openFile(actor, id);
});

test('a held-back file that a legal hold keeps in Trash stays held back, since it could be restored and opened', async (world) => {
  const { services, db, build } = world;
  const asha = await build.account();
  const client = await build.client(asha.actor, 'Mehta Traders');
  const id = await (await uploads(world, asha))('Form 16.pdf', EXE);
  await services.documents.setClient(asha.actor, id, { client_id: client });
  await services.holds.place(asha.actor, client, { reason: 'Search by the department' });
  const [held] = (await services.scanning.list(asha.actor)).files;
  await services.scanning.remove(asha.actor, held!.id, { reason: 'Unknown program' }).then(
    () => assert.unreachable('it was reported as deleted'),
    ({ code, message }) => {
      assert.is(code, 'must_stay');
      assert.match(message, 'legal hold');
    },
  );
  assert.equal(await db('audit_events').where({ did: 'scanning.delete' }), []);
  assert.is((await services.scanning.list(asha.actor)).files.length, 1);
});

test('without Trash an admin can delete a held-back file too', async () => {
  const world = await freshWorld({ trashDays: 0 });
  const { services } = world;
  const asha = await world.build.account();
  await (
    await uploads(world, asha)
  )('Form 16.pdf', EXE);
  const [held] = (await services.scanning.list(asha.actor)).files;
  await services.scanning.remove(asha.actor, held!.id, { reason: 'Unknown program' });
  assert.equal((await services.scanning.list(asha.actor)).files, []);
  await world.close();
});

test.run();
