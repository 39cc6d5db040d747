import { createServer } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite, test as plain } from 'uvu';
import * as assert from 'uvu/assert';
import { newLink, recipient } from '../sharing/testing/recipient.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { uploadFile } from './testing/upload-file.ts';
import { clamdAddress, createClamd } from './clamd.ts';
import { createQuarantine } from './quarantine.ts';
import type { RunningClamd } from './testing/clamd.ts';
import { VIRUS, isThere, startClamd } from './testing/clamd.ts';

const MINUTE = 60_000;

interface Scanned extends World {
  clamd: RunningClamd;
  address: string;
}

plain('the address of clamd is a port or a socket, and anything else is refused', () => {
  assert.equal(clamdAddress('tcp://127.0.0.1:3310'), { host: '127.0.0.1', port: 3310 });
  assert.equal(clamdAddress('tcp://[::1]:3310'), { host: '::1', port: 3310 });
  assert.equal(clamdAddress('unix:/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' });
  for (const bad of ['http://a:1', 'tcp://a', 'tcp://a:0', 'tcp://a:70000', 'unix:clamd.ctl', ''])
    assert.is(clamdAddress(bad), undefined, bad);
});

plain('a scanner that answers in another protocol, or not at all, gives no verdict', async () => {
  const server = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const scanner = createClamd({ host: '127.0.0.1', port });
  const scan = () =>
    scanner
      .scan(async () => Readable.from([Buffer.alloc(300_000)]))
      .then(
        (is) => is.state,
        () => 'no verdict',
      );
  assert.is(await scan(), 'no verdict');
  await new Promise((resolve) => server.close(resolve));
  assert.is(await scan(), 'no verdict');
});

plain('with several processes one query tells of a thousand files whether they are held back', async () => {
  const world = await freshWorld();
  try {
    const { db } = world;
    const { firmId } = await world.build.actor();
    const steps = Array.from({ length: 2500 }, (_, n) => ({ blob_id: n === 0 ? null : `blob ${n}` }));
    const row = { firm_id: firmId, name: 'a.pdf', bytes: 1, source: 'office', created_at: '2026' };
    const rows = [
      { ...row, blob_id: 'blob 3', state: 'waiting' },
      { ...row, blob_id: 'blob 4', state: 'released' },
      { ...row, blob_id: 'blob 2000', state: 'infected' },
    ];
    await db('quarantined_blobs').insert(rows.map((one) => ({ ...one, next_try_at: '2026' })));
    let queries = 0;
    db.on('query', () => void (queries += 1));
    const marked = await Array.fromAsync(createQuarantine({ db, several: true }).markHeld(steps));
    assert.is(queries, 3);
    assert.equal(
      marked.map(([step]) => step),
      steps,
    );
    assert.equal(
      marked.flatMap(([{ blob_id }, isHeld]) => (isHeld ? blob_id : [])),
      ['blob 3', 'blob 2000'],
    );
  } finally {
    await world.close();
  }
});

plain('a content whose rejection was lost with the connection is sent again, more carefully', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const isFirst = connections === 1;
    socket
      .on('error', () => {})
      .once('data', () => {
        // As clamd on a busy machine: the next piece is under way when it rejects its length.
        if (isFirst) setTimeout(() => socket.resetAndDestroy(), 50);
        else setTimeout(() => socket.end('INSTREAM size limit exceeded. ERROR\0'), 50);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const pieces = Array.from({ length: 40 }, () => Buffer.alloc(256 * 1024));
  const verdict = await createClamd({ host: '127.0.0.1', port }).scan(async () => Readable.from(pieces));
  assert.equal([verdict, connections], [{ state: 'too_large' }, 2]);
  await new Promise((resolve) => server.close(resolve));
});
plain.run();

const test = suite<Scanned>('scanning for viruses with a real clamd');
const scanned: typeof test.skip = isThere() ? test : test.skip;
const refusedTo = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'let through',
    (error: { code?: string }) => error.code ?? String(error),
  );

if (isThere()) {
  test.before(async (world) => {
    world.clamd = await startClamd();
  });
  test.before.each(async (world) => {
    const address = clamdAddress(`unix:${world.clamd.path}`)!;
    Object.assign(world, await freshWorld({ clamd: { address, all: true } }));
    world.address = await world.serve();
  });
  test.after.each(async (world) => {
    world.services.previews.stop();
    await world.close();
  });
  test.after(({ clamd }) => clamd.stop());
} else console.log('SKIPPED: clamav-daemon is not installed, so nothing was scanned by a real clamd.');

const upload = ({ address }: Scanned, token: string, name: string, content: string | Buffer) =>
  uploadFile(address, token, name, content);

const clean = async (world: Scanned) => {
  const asha = await world.build.account();
  const id = await upload(world, asha.token, 'clean.txt', 'Form 16');
  return { asha, id };
};

scanned(
  'a file with a virus is held back at once: nobody can open, read or download it, not even in a ZIP, and admins are notified',
  async (world) => {
    const { services, db, deliverMail } = world;
    const { asha, id: good } = await clean(world);
    const { actor } = asha;
    const id = await upload(world, asha.token, 'bad.txt', `Dear client, ${VIRUS}`);
    const { documents, previews, reading, sharing, archive } = services;
    assert.is(await refusedTo(documents.openFile(actor, id)), 'quarantined');
    assert.is(await refusedTo(previews.thumbnail(actor, id)), 'quarantined');
    assert.is(await refusedTo(previews.pages(actor, id)), 'quarantined');
    assert.is(await refusedTo(reading.text(actor, id)), 'quarantined');
    assert.is(await refusedTo(documents.openFile(actor, good)), 'let through');
    const { blob_id } = await db('items').where({ id }).first('blob_id');
    const saved = await documents.downloadUrl(actor, id);
    assert.is((await fetch(world.address + saved)).status, 409);

    const zip = await archive.zip(documents.walk(actor, [id, good]));
    const inside = (await buffer(zip.open())).toString('latin1');
    assert.not.match(inside, VIRUS);
    assert.match(inside, 'HELD BACK.txt');
    assert.match(inside, 'Form 16');

    const link = await sharing.links.make(actor, newLink([id, good]));
    const priya = recipient(world, world.address, link.url);
    assert.is((await priya.download(id))!.status, 409);
    const all = await (await priya.download('all'))!.text();
    assert.not.match(all, VIRUS);

    const { files } = await services.scanning.list(actor);
    assert.equal(
      files.map(({ name, state, found, item }) => [name, state, found, item?.id]),
      [['bad.txt', 'infected', 'Almirah.Test.UNOFFICIAL', id]],
    );
    const told = (await deliverMail()).filter(({ kind }) => kind === 'scanning.held');
    assert.equal(
      told.map(({ subject }) => subject),
      ['A virus was found in bad.txt'],
    );
    const [entry] = await db('audit_events').where({ did: 'scanning.infected' });
    assert.match(entry.detail, 'Almirah.Test');

    await services.scanning.release(actor, blob_id, { reason: 'A test file' });
    assert.is(await refusedTo(documents.openFile(actor, id)), 'let through');
  },
);

scanned('an admin can permanently delete a held-back file, with a recorded reason', async (world) => {
  const { services, db } = world;
  const { asha } = await clean(world);
  const id = await upload(world, asha.token, 'bad.txt', VIRUS);
  const [held] = (await services.scanning.list(asha.actor)).files;
  await services.scanning.remove(asha.actor, held!.id, { reason: 'From an unknown sender' });
  assert.is(await db('items').where({ id }).first(), undefined);
  assert.equal((await services.scanning.list(asha.actor)).files, []);
  assert.equal((await services.trash.list(asha.actor)).items, []);
  const [entry] = await db('audit_events').where({ did: 'scanning.delete' });
  assert.match(entry.detail, 'From an unknown sender');
});

scanned(
  'while clamd is not reachable uploads are held back, and they are scanned when it is back, also after a restart',
  async (world) => {
    const { services, build, deliverMail } = world;
    const asha = await build.account();
    await world.clamd.stop();
    const good = await upload(world, asha.token, 'good.txt', 'Form 16');
    const bad = await upload(world, asha.token, 'bad.txt', VIRUS);
    const both = () =>
      Promise.all([good, bad].map((id) => refusedTo(services.documents.openFile(asha.actor, id))));
    assert.equal(await both(), ['quarantined', 'quarantined']);
    world.advance(11 * MINUTE);
    assert.is(await services.scanning.work(), 0);
    const told = (await deliverMail()).filter(({ kind }) => kind === 'scanning.held');
    assert.equal(
      told.map(({ subject }) => subject),
      ['Files are held back: the virus scanner does not answer'],
    );
    await services.scanning.work();
    assert.is((await deliverMail()).filter(({ kind }) => kind === 'scanning.held').length, 1, 'once');

    const again = await startClamd();
    Object.assign(world.clamd, again);
    const { createScanning } = await import('./service.ts');
    const quarantine = createQuarantine(world);
    const restarted = createScanning({
      ...services,
      ...world,
      clock: world.now,
      log: { warn: () => {} },
      quarantine,
      collecting: () => services.collecting,
      readAgain: async () => {},
      changed: () => {},
      scanner: createClamd({ path: again.path }),
      all: true,
      baseUrl: '',
    });
    const { db } = world;
    const blobs: string[] = await db('items').whereIn('id', [good, bad]).orderBy('id').pluck('blob_id');
    const held = async () => {
      const marked = await Array.fromAsync(quarantine.markHeld(blobs.map((blob_id) => ({ blob_id }))));
      return marked.map(([, isHeld]) => isHeld);
    };
    assert.equal(await held(), [true, true], 'known after a restart');
    world.advance(20 * MINUTE);
    assert.is(await restarted.waiting(), true);
    assert.is(await restarted.work(), 2);
    assert.equal(await held(), [false, true]);
    assert.is(await restarted.waiting(), false);
  },
);

scanned(
  'a file from outside is accepted only if it is clean, or after an admin has released it',
  async (world) => {
    const { services, blobs, build, deliverMail } = world;
    const { actor } = await build.account();
    const ask = async (content: string | Buffer) => {
      const blob = await blobs.put(Readable.from([Buffer.from(content)]));
      return { blob, inspect: () => services.scanning.inspect(actor.firmId, blob, 'sent.txt') };
    };
    assert.is(await (await ask('Form 16')).inspect(), 'clean');
    assert.equal(await (await ask(VIRUS)).inspect(), { infected: 'Almirah.Test.UNOFFICIAL' });
    assert.is((await deliverMail()).filter(({ kind }) => kind === 'scanning.held').length, 1);
    const large = await ask(Buffer.alloc(3 * 1024 * 1024, 'x'));
    assert.is(await large.inspect(), 'away');
    const { files } = await services.scanning.list(actor);
    assert.equal(
      files.map(({ source, state }) => [source, state]),
      [['outside', 'too_large']],
      'the first time, although the scanner ends the connection early',
    );
    await services.scanning.release(actor, large.blob.id, { reason: 'Known film' });
    assert.is(await large.inspect(), 'clean');
    assert.equal((await services.scanning.list(actor)).files, []);
  },
);

scanned(
  'a file larger than the scanner accepts is held back with that reason, and admins are notified',
  async (world) => {
    const { services, build } = world;
    const asha = await build.account();
    const id = await upload(world, asha.token, 'large.txt', Buffer.alloc(3 * 1024 * 1024, 'x'));
    assert.is(await refusedTo(services.documents.openFile(asha.actor, id)), 'quarantined');
    await services.scanning.work();
    const [file] = (await services.scanning.list(asha.actor)).files;
    assert.equal([file!.state, file!.is_arriving], ['too_large', false]);
    const told = (await world.deliverMail()).filter(({ kind }) => kind === 'scanning.held');
    assert.equal(
      told.map(({ subject }) => subject),
      ['large.txt is too large for the virus scanner and is held back'],
    );
  },
);

test.run();
