import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import type { ZipEntry } from './zip.ts';
import { createZip } from './zip.ts';

const test = suite('a folder as a ZIP');
const at = new Date('2026-04-01T10:20:30Z');
const file = (path: string, content: string | Buffer = path): ZipEntry => ({
  path: path.split('/'),
  type: 'file',
  size: Buffer.byteLength(content),
  modifiedAt: at,
  open: async () => Readable.from([Buffer.from(content)], { objectMode: false }),
});
const folder = (path: string): ZipEntry => ({ ...file(path, ''), type: 'folder' });

/** Path to content, as another program reads it; a folder's content is null. */
async function unpack(archive: Buffer): Promise<Map<string, string | null>> {
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true, validateEntrySizes: true });
  const found = new Map<string, string | null>();
  for await (const entry of zip.eachEntry()) {
    assert.is(entry.getLastModDate().getTime(), at.getTime());
    const isFolder = entry.fileName.endsWith('/');
    found.set(entry.fileName, isFolder ? null : String(await buffer(await zip.openReadStreamPromise(entry))));
  }
  return found;
}

test('names in Hindi, empty folders, empty files and contents come out as they went in', async () => {
  const zip = createZip([
    folder('आयकर'),
    folder('आयकर/खाली'),
    file('आयकर/विवरण २०२६.pdf', 'pdf'),
    file('आयकर/empty.txt', ''),
    file('big.csv', 'x'.repeat(300_000)),
  ]);
  const archive = await buffer(zip.stream);
  assert.is(archive.length, zip.size, 'the size was told before the first byte');
  assert.equal(
    [...(await unpack(archive))],
    [
      ['आयकर/', null],
      ['आयकर/खाली/', null],
      ['आयकर/विवरण २०२६.pdf', 'pdf'],
      ['आयकर/empty.txt', ''],
      ['big.csv', 'x'.repeat(300_000)],
    ],
  );
});

test('nothing at all is a ZIP too', async () => {
  const zip = createZip([]);
  const archive = await buffer(zip.stream);
  assert.is(archive.length, zip.size);
  assert.is((await unpack(archive)).size, 0);
});

test('paths that Windows would take for one are kept apart', async () => {
  const zip = createZip([file('a/X.pdf', '1'), file('a/x.pdf', '2'), folder('note'), file('Note', '3')]);
  assert.equal([...(await unpack(await buffer(zip.stream)))].toSorted(), [
    ['Note (2)', '3'],
    ['a/X.pdf', '1'],
    ['a/x (2).pdf', '2'],
    ['note/', null],
  ]);
});

test('the told size holds where the directory passes 64 KB and where entries pass 65,535', async () => {
  for (const count of [700, 2000, 65_540]) {
    const zip = createZip(
      Array.from({ length: count }, (_, n) => file(`folder with a long name/${n}.txt`, 'x')),
    );
    let length = 0;
    for await (const chunk of zip.stream) length += (chunk as Buffer).length;
    assert.is(length, zip.size, `${count} entries`);
  }
});

test('thousands of folders behind a file do not exhaust the stack', async () => {
  const entries = [
    file('a.txt'),
    ...Array.from({ length: 20_000 }, (_, n) => folder(`f${n}`)),
    file('z.txt'),
  ];
  const zip = createZip(entries);
  assert.is((await buffer(zip.stream)).length, zip.size);
});

test('files are opened one at a time, when their turn comes', async () => {
  let open = 0;
  let most = 0;
  let opened = 0;
  const entries = Array.from({ length: 50 }, (_, n) => ({
    ...file(`${n}.txt`, 'x'.repeat(100_000)),
    open: async () => {
      opened += 1;
      most = Math.max(most, (open += 1));
      return Readable.from([Buffer.alloc(100_000, 'x')], { objectMode: false }).once(
        'close',
        () => (open -= 1),
      );
    },
  }));
  const zip = createZip(entries);
  await wait(20);
  assert.ok(opened <= 2, 'nobody reads, so nothing more is opened');
  await buffer(zip.stream);
  assert.is(opened, 50);
  assert.ok(most <= 2);
});

test('a file that fails cuts the archive off, and never lets it end as a valid one', async () => {
  const broken = (open: ZipEntry['open']) =>
    createZip([file('a.txt'), { ...file('b.txt'), open }, file('c.txt')]);
  const failing = [
    async () => {
      throw new Error('missing');
    },
    async () =>
      new Readable({
        read() {
          this.destroy(new Error('damaged'));
        },
      }),
    async () => Readable.from([Buffer.from('less')], { objectMode: false }),
    async () =>
      new Readable({
        read() {
          this.push('x');
          this.destroy();
        },
      }),
  ];
  for (const [n, open] of failing.entries()) {
    const outcome = await buffer(broken(open as ZipEntry['open']).stream).then(
      () => 'ended',
      () => 'cut',
    );
    assert.is(outcome, 'cut', `failure ${n}`);
  }
});

test('a reader that goes away closes the file being read', async () => {
  const source = new Readable({
    read() {
      setImmediate(() => this.push(Buffer.alloc(65_536)));
    },
  });
  const zip = createZip([{ ...file('a.bin'), size: 1e9, open: async () => source }]);
  zip.stream.on('error', () => {});
  await new Promise((resolve) => zip.stream.once('data', resolve));
  zip.stream.destroy();
  await wait(10);
  assert.ok(source.destroyed);
});

test.run();
