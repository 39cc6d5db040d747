import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { until } from '#server/testing/until.ts';
import { uniquePaths } from './paths.ts';
import type { ZipEntry } from './zip.ts';
import { createZip } from './zip.ts';

const test = suite<{ scratch: string }>('a folder as a ZIP');
test.before(async (world) => {
  world.scratch = await mkdtemp(join(tmpdir(), 'almirah-zip-'));
});
test.after(({ scratch }) => rm(scratch, { recursive: true }));
const date = new Date('2026-04-01T10:20:30Z');
const file = (path: string, content: string | Buffer = path): ZipEntry => ({
  path: path.split('/'),
  type: 'file',
  size: Buffer.byteLength(content),
  modifiedAt: date,
  open: async ({ start, end } = { start: 0, end: Buffer.byteLength(content) - 1 }) =>
    Readable.from([Buffer.from(content).subarray(start, end + 1)], { objectMode: false }),
});
const folder = (path: string): ZipEntry => ({ ...file(path, ''), type: 'folder' });

/** Path to content, as another program reads it; a folder's content is null. */
async function unpack(archive: Buffer): Promise<Map<string, string | null>> {
  const zip = await yauzl.fromBufferPromise(archive, { lazyEntries: true, validateEntrySizes: true });
  const found = new Map<string, string | null>();
  for await (const entry of zip.eachEntry()) {
    assert.is(entry.getLastModDate().getTime(), date.getTime());
    const isFolder = entry.fileName.endsWith('/');
    found.set(entry.fileName, isFolder ? null : String(await buffer(await zip.openReadStreamPromise(entry))));
  }
  return found;
}

test('names in Hindi and Tamil, empty folders, empty files and contents come out as they went in', async () => {
  const zip = createZip([
    folder('आयकर'),
    folder('आयकर/खाली'),
    file('आयकर/விவரம் २०२६.pdf', 'pdf'),
    file('आयकर/empty.txt', ''),
    file('big.csv', 'x'.repeat(300_000)),
  ]);
  const archive = await buffer(zip.open());
  assert.is(archive.length, zip.size, 'the size was told before the first byte');
  assert.equal(
    [...(await unpack(archive))],
    [
      ['आयकर/', null],
      ['आयकर/खाली/', null],
      ['आयकर/விவரம் २०२६.pdf', 'pdf'],
      ['आयकर/empty.txt', ''],
      ['big.csv', 'x'.repeat(300_000)],
    ],
  );
});

test('the directory of the ZIP has the same entries as one that yazl writes', async () => {
  const names = ['आयकर/विवरण.pdf', 'empty.txt', 'big.csv'];
  const contents = [randomBytes(90_000), Buffer.alloc(0), Buffer.alloc(300_000, 'x')];
  const theirs = new ZipFile();
  for (const [n, name] of names.entries())
    theirs.addBuffer(contents[n]!, name, { mtime: date, compress: false });
  theirs.end();
  const ours = createZip(names.map((name, n) => file(name, contents[n])));
  const [a, b] = await Promise.all(
    [theirs.outputStream as Readable, ours.open()].map(async (archive) => {
      const found = [];
      const zip = await yauzl.fromBufferPromise(await buffer(archive), { lazyEntries: true });
      for await (const entry of zip.eachEntry()) {
        const { fileName, crc32: crc, compressedSize, uncompressedSize, compressionMethod } = entry;
        found.push([fileName, crc, compressedSize, uncompressedSize, compressionMethod]);
        assert.is(entry.getLastModDate().getTime(), date.getTime());
      }
      return found;
    }),
  );
  assert.is(a!.length, names.length);
  assert.equal(b, a);
});

test('every range of the ZIP has the same bytes, whatever was read before and whichever checksums are known', async () => {
  const counted: string[] = [];
  const content = randomBytes(200_000);
  const entries = [
    folder('Top'),
    file('Top/a.txt', 'x'.repeat(1000)),
    file('Top/empty.txt', ''),
    file('Top/b.txt', content),
    file('c.txt', 'last'),
  ];
  const make = () => createZip(entries, ({ path }) => counted.push(path.at(-1)!));
  const whole = await buffer(make().open());
  assert.equal(counted.splice(0), ['a.txt', 'b.txt', 'c.txt'], 'what was counted is told once');
  const known = createZip(
    entries.map((entry) => (entry.path[1] === 'b.txt' ? { ...entry, crc32: crc32(content) } : entry)),
  );
  assert.ok((await buffer(known.open())).equals(whole));
  const kept = make();
  for (const [start, end] of [
    [0, 0],
    [whole.length - 1, whole.length - 1],
    [whole.length - 400, whole.length - 1],
    [20, 1030],
    ...Array.from({ length: 60 }, () => {
      const [a, b] = [randomInt(whole.length), randomInt(whole.length)].toSorted((x, y) => x - y);
      return [a!, b!];
    }),
  ] as [number, number][]) {
    for (const zip of [make(), kept]) {
      const part = await buffer(zip.open({ start, end }));
      assert.ok(part.equals(whole.subarray(start, end + 1)), `bytes ${start} to ${end}`);
    }
  }
});

test('the first bytes are sent after a few files are opened, so that users see a download of thousands begin', async () => {
  let opened = 0;
  const entries = Array.from({ length: 1000 }, (_, n) => {
    const entry = file(`note ${n}.txt`);
    return { ...entry, open: (range) => entry.open(range).finally(() => (opened += 1)) } satisfies ZipEntry;
  });
  for await (const piece of createZip(entries).open()) {
    assert.ok(piece.length > 0 && opened < 100, `${opened} files`);
    break;
  }
});

test('old programs show dates in the time zone of India, and others read the exact time', async () => {
  const archive = await buffer(createZip([file('a.txt')]).open());
  const day = ((2026 - 1980) << 9) | (4 << 5) | 1;
  const time = (15 << 11) | (50 << 5) | (30 >> 1);
  assert.is(archive.readUInt32LE(10), day * 2 ** 16 + time, '10:20:30 in London is 15:50:30 in India');
  assert.is(archive.readInt32LE(30 + 'a.txt'.length + 5), date.getTime() / 1000);
  for (const odd of ['1970-01-01T00:00:00Z', '2200-01-01T00:00:00Z', 'nonsense']) {
    await buffer(createZip([{ ...file('a.txt'), modifiedAt: new Date(odd) }]).open());
  }
});

/** What other programs say of an archive, where they are installed. */
function opensEverywhere(path: string, programs: readonly (readonly [string, ...string[]])[]): void {
  for (const [program, ...args] of programs) {
    try {
      const said = execFileSync(program, [...args, path], { encoding: 'utf8', stdio: 'pipe' });
      assert.not.match(said, /warning|error|corrupt/i, program);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

test('other programs open the ZIP without warnings', async ({ scratch }) => {
  const path = join(scratch, 'a.zip');
  const entries = [folder('आयकर'), folder('आयकर/खाली'), file('आयकर/விவரம்.pdf', 'pdf'), file('empty.txt', '')];
  await writeFile(path, createZip(entries).open());
  const python = ['python3', '-m', 'zipfile', '-t'] as const;
  opensEverywhere(path, [['unzip', '-tqq'], ['zipinfo'], ['7z', 't'], python]);
});

test('sizes and offsets above 4 GB are written in 64 bits', async ({ scratch }) => {
  const size = 5 * 1024 ** 3;
  const open: ZipEntry['open'] = async (range) =>
    Readable.from([Buffer.alloc(range!.end - range!.start + 1)]);
  const zip = createZip([{ ...file('large.mp4'), size, crc32: 7, open }, file('behind.txt', 'small')]);
  const path = join(scratch, 'large.zip');
  await writeFile(path, zip.open({ start: 0, end: 99 }));
  await truncate(path, size);
  await writeFile(path, zip.open({ start: size, end: zip.size - 1 }), { flag: 'a' });
  const read = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false });
  const found = [];
  for await (const entry of read.eachEntry()) found.push(entry);
  assert.equal(
    found.map(({ fileName, uncompressedSize }) => [fileName, uncompressedSize]),
    [
      ['large.mp4', size],
      ['behind.txt', 5],
    ],
  );
  assert.is(String(await buffer(await read.openReadStreamPromise(found[1]!))), 'small');
  read.close();
  const python = ['python3', '-m', 'zipfile', '-l'] as const;
  opensEverywhere(path, [['unzip', '-l'], ['zipinfo'], ['7z', 'l'], python]);
});

test('a ZIP without entries is valid', async () => {
  const zip = createZip([]);
  const archive = await buffer(zip.open());
  assert.is(archive.length, zip.size);
  assert.is((await unpack(archive)).size, 0);
});

test('paths that are the same on Windows get different names', async () => {
  const zip = createZip([file('a/X.pdf', '1'), file('a/x.pdf', '2'), folder('note'), file('Note', '3')]);
  assert.equal([...(await unpack(await buffer(zip.open())))].toSorted(), [
    ['Note (2)', '3'],
    ['a/X.pdf', '1'],
    ['a/x (2).pdf', '2'],
    ['note/', null],
  ]);
});

test('fifty thousand files of one name get numbers, and no other request waits for minutes', () => {
  const names = uniquePaths(Array.from({ length: 50_000 }, () => file('Form 16.pdf')));
  assert.equal(names.slice(0, 3), ['Form 16.pdf', 'Form 16 (2).pdf', 'Form 16 (3).pdf']);
  assert.is(new Set(names).size, names.length);
});

test('the announced size is correct with a directory above 64 KB and with more than 65,535 entries', async () => {
  for (const count of [700, 2000, 65_540]) {
    const zip = createZip(
      Array.from({ length: count }, (_, n) => file(`folder with a long name/${n}.txt`, 'x')),
    );
    let length = 0;
    for await (const chunk of zip.open()) length += (chunk as Buffer).length;
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
  assert.is((await buffer(zip.open())).length, zip.size);
});

test('each file is opened shortly before it is written, so that few are open at once', async () => {
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
  assert.ok(opened <= 4, 'nobody reads, so nothing more is opened');
  await buffer(zip.open());
  assert.is(opened, 50);
  assert.ok(most <= 5, 'one that is sent, three that come next, and one that is being closed');
});

test('the ZIP is cut off if a file cannot be read, so that it never looks complete', async () => {
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
    const outcome = await buffer(broken(open as ZipEntry['open']).open()).then(
      () => 'ended',
      () => 'cut',
    );
    assert.is(outcome, 'cut', `failure ${n}`);
  }
});

test('the file being read is closed when the client disconnects', async () => {
  const source = new Readable({
    read() {
      setImmediate(() => this.push(Buffer.alloc(65_536)));
    },
  });
  const stream = createZip([{ ...file('a.bin'), size: 1e9, open: async () => source }]).open();
  stream.on('error', () => {});
  await new Promise((resolve) => stream.once('data', resolve));
  stream.destroy();
  await until(() => source.destroyed);
});

test.run();
