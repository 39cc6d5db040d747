import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import type { RefusalCode } from '../refusal.ts';
import type { Ends, Forged } from './forge.ts';
import { field, forge } from './forge.ts';

/** An archive and what must become of it. */
export interface Case {
  name: string;
  make: () => Buffer;
  password?: string;
  /** Paths to contents, folders ending in `/` with ''; or the reason for which it is refused. */
  becomes: Record<string, string> | RefusalCode;
  skipped?: string[];
  /** What the message must say. */
  says?: RegExp;
}

const text = 'Tax invoice 2026-27\n'.repeat(40);
const sound = (name: string, entries: Forged[], becomes: Record<string, string>, ends?: Ends): Case => ({
  name,
  make: () => forge(entries, ends),
  becomes,
});
const hostile = (name: string, entries: Forged[], becomes: RefusalCode, says: RegExp, ends?: Ends): Case => ({
  name,
  make: () => forge(entries, ends),
  becomes,
  says,
});

const file = { name: 'a.txt', data: text };
const one = { 'a.txt': text };
const devanagari = 'आयकर विवरणी.pdf';
const tamil = 'வருமான வரி.pdf';

const unicodePath = (raw: Buffer, path: string): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32LE(crc32(raw), 1);
  return field(0x7075, Buffer.concat([head, Buffer.from(path)]));
};

export const soundCases: Case[] = [
  sound('one deflated file', [file], one),
  sound('stored', [{ ...file, method: 0 }], one),
  sound(
    'made while it was sent, sizes behind the data',
    [
      { ...file, streamed: true },
      { name: 'b.txt', data: 'b', streamed: true },
    ],
    { ...one, 'b.txt': 'b' },
  ),
  sound('an empty file, deflated and stored', [{ name: 'a.txt' }, { name: 'b.txt', method: 0 }], {
    'a.txt': '',
    'b.txt': '',
  }),
  sound('Zip64 although small', [{ ...file, zip64: true }], one, { zip64: true }),
  sound('folders without entries of their own', [{ name: 'GST/2026/a.txt', data: 'x' }], {
    'GST/': '',
    'GST/2026/': '',
    'GST/2026/a.txt': 'x',
  }),
  sound(
    'empty folders',
    [
      { name: 'GST/', method: 0 },
      { name: 'GST/empty/', method: 0, host: 3, mode: 0x41ed },
    ],
    { 'GST/': '', 'GST/empty/': '' },
  ),
  sound(
    'a folder marked by attribute only',
    [
      { name: 'GST', method: 0, mode: 0x10 },
      { name: 'GST/a.txt', data: 'x' },
    ],
    { 'GST/': '', 'GST/a.txt': 'x' },
  ),
  sound('a folder with an empty deflate stream, as Java writes', [{ name: 'GST/', streamed: true }], {
    'GST/': '',
  }),
  sound('backslashes, as old .NET writes', [{ name: String.raw`GST\2026\a.txt`, data: 'x' }], {
    'GST/': '',
    'GST/2026/': '',
    'GST/2026/a.txt': 'x',
  }),
  sound(
    'dots and double slashes that lead nowhere',
    [
      { name: './', method: 0 },
      { name: './GST//./a.txt', data: 'x' },
    ],
    { 'GST/': '', 'GST/a.txt': 'x' },
  ),
  sound(
    'Hindi and Tamil names with the UTF-8 flag',
    [
      { name: devanagari, data: 'h' },
      { name: tamil, data: 't' },
    ],
    { [devanagari]: 'h', [tamil]: 't' },
  ),
  sound(
    'Hindi and Tamil names without the flag',
    [
      { name: devanagari, data: 'h', flags: 0, host: 19 },
      { name: tamil, data: 't', flags: 0, host: 3 },
    ],
    { [devanagari]: 'h', [tamil]: 't' },
  ),
  sound(
    'a name in code page 437',
    [
      {
        name: Buffer.from([0x52, 0x82, 0x73, 0x75, 0x6d, 0x82, 0x2e, 0x74, 0x78, 0x74]),
        data: 'x',
        flags: 0,
      },
    ],
    { 'Résumé.txt': 'x' },
  ),
  sound(
    'a name said again in Unicode',
    [{ name: Buffer.from('_____.pdf'), data: 'x', extra: unicodePath(Buffer.from('_____.pdf'), devanagari) }],
    { [devanagari]: 'x' },
  ),
  sound(
    'a Unicode name that belongs to another one counts for nothing',
    [{ name: 'a.txt', data: 'x', extra: unicodePath(Buffer.from('b.txt'), 'c.txt') }],
    { 'a.txt': 'x' },
  ),
  sound(
    'a name flagged UTF-8 that is not',
    [{ name: Buffer.from([0x82, 0x2e, 0x74, 0x78, 0x74]), data: 'x', flags: 0x0800 }],
    { 'é.txt': 'x' },
  ),
  sound('a decomposed name, as macOS writes', [{ name: 'Re\u0301sume\u0301.txt', data: 'x', host: 19 }], {
    'Résumé.txt': 'x',
  }),
  sound(
    'litter of macOS and Windows is left out without a word',
    [
      file,
      { name: '__MACOSX/._a.txt', data: 'x' },
      { name: 'GST/.DS_Store', data: 'x' },
      { name: 'Thumbs.db', data: 'x' },
      { name: 'GST/Desktop.ini', data: 'x' },
      { name: 'GST/', method: 0 },
    ],
    { ...one, 'GST/': '' },
  ),
  sound(
    'the same name twice, and in another case',
    [file, { name: 'a.txt', data: '2' }, { name: 'A.TXT', data: '3' }],
    { ...one, 'a (2).txt': '2', 'A (3).TXT': '3' },
  ),
  sound(
    'folders that differ in case are one',
    [
      { name: 'GST/a.txt', data: 'x' },
      { name: 'gst/b.txt', data: 'y' },
    ],
    { 'GST/': '', 'GST/a.txt': 'x', 'GST/b.txt': 'y' },
  ),
  sound(
    'a file with the name of a folder',
    [
      { name: 'x.pdf', data: '1' },
      { name: 'x.pdf/y.pdf', data: '2' },
    ],
    { 'x.pdf/': '', 'x.pdf/y.pdf': '2', 'x (2).pdf': '1' },
  ),
  sound(
    'names that Windows cannot have',
    [
      { name: 'a:b?.txt', data: '1' },
      { name: 'CON.txt', data: '2' },
      { name: 'x\u202etxt.pdf', data: '3' },
      { name: 'nul\0.pdf', data: '4' },
    ],
    { 'a_b_.txt': '1', '_CON.txt': '2', 'x_txt.pdf': '3', 'nul_.pdf': '4' },
  ),
  sound('a name of 60,000 characters keeps its type', [{ name: `${'n'.repeat(60_000)}.pdf`, data: 'x' }], {
    [`${'n'.repeat(251)}.pdf`]: 'x',
  }),
  sound('exactly 100 levels', [{ name: `${'d/'.repeat(99)}a.txt`, data: 'x' }], {
    ...Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`${'d/'.repeat(n + 1)}`, ''])),
    [`${'d/'.repeat(99)}a.txt`]: 'x',
  }),
  sound('something in front, as self-extracting archives have', [file], one, {
    prefix: Buffer.alloc(5000, 'x'),
    shift: true,
  }),
  sound('something in front that the offsets count', [file], one, { prefix: Buffer.alloc(5000, 'x') }),
  sound('something behind the end', [file], one, { trailing: Buffer.from('\r\n\r\n') }),
  sound('a comment', [file], one, { comment: Buffer.from('made by a portal') }),
  sound('a comment that looks like an end', [file], one, {
    comment: Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(30)]),
  }),
  sound('a nested archive stays a file', [{ name: 'inner.zip', data: forge([file]), method: 0 }], {
    'inner.zip': forge([file]).toString('latin1'),
  }),
  sound(
    'entries not in the order of their bytes',
    [
      { name: 'b.txt', data: 'b' },
      { name: 'z.txt', like: 0, data: '' },
    ].slice(0, 1),
    { 'b.txt': 'b' },
  ),
  {
    name: 'types that are not allowed are left out and told',
    make: () => forge([file, { name: 'setup.exe', data: 'MZ' }, { name: 'x/readme', data: 'x' }]),
    becomes: one,
    skipped: ['setup.exe', 'x/readme'],
  },
  {
    name: 'the old cipher, with its password',
    make: () =>
      forge([
        { ...file, password: 'sahib123' },
        { name: 'b.txt', data: 'open' },
      ]),
    password: 'sahib123',
    becomes: { ...one, 'b.txt': 'open' },
  },
  {
    name: 'the old cipher, streamed',
    make: () => forge([{ ...file, password: 'sahib123', streamed: true }]),
    password: 'sahib123',
    becomes: one,
  },
  {
    name: 'AES, first version',
    make: () => forge([{ ...file, password: 'पासवर्ड', encryption: 'ae1' }]),
    password: 'पासवर्ड',
    becomes: one,
  },
  {
    name: 'AES, second version, stored',
    make: () =>
      forge([
        { ...file, password: 'p', encryption: 'ae2', method: 0 },
        { name: 'b.txt', password: 'p', encryption: 'ae2', method: 0 },
      ]),
    password: 'p',
    becomes: { ...one, 'b.txt': '' },
  },
];

const noise = randomBytes(4000).toString('hex');
const bomb = deflateRawSync(Buffer.alloc(5_000_000));

export const hostileCases: Case[] = [
  { name: 'nothing at all', make: () => Buffer.alloc(0), becomes: 'damaged', says: /not a whole ZIP/ },
  {
    name: 'not an archive',
    make: () => Buffer.alloc(100_000, 'x'),
    becomes: 'damaged',
    says: /not a whole ZIP/,
  },
  {
    name: 'cut off in the middle',
    make: () => forge([{ ...file, method: 0, data: 'x'.repeat(5000) }]).subarray(0, 3000),
    becomes: 'damaged',
    says: /not a whole ZIP/,
  },
  {
    name: 'one byte changed',
    make: () => {
      const zip = forge([{ ...file, method: 0 }]);
      zip[200]! ^= 1;
      return zip;
    },
    becomes: 'damaged',
    says: /does not have the content it should/,
  },
  {
    name: 'a deflate stream of noise',
    make: () => forge([{ ...file, packed: Buffer.alloc(400, 0xff) }]),
    becomes: 'damaged',
    says: /cannot be read to its end/,
  },
  {
    name: 'a deflate stream that is cut off',
    make: () => forge([{ name: 'a.txt', data: noise, packed: deflateRawSync(noise).subarray(0, 2000) }]),
    becomes: 'damaged',
    says: /read to its end|smaller|size/,
  },
  hostile('a wrong checksum', [{ ...file, crc: 1 }], 'damaged', /content it should/),
  hostile(
    'larger than it says',
    [{ name: 'a.txt', packed: bomb, size: 10_000, crc: 0 }],
    'damaged',
    /larger than it says/,
  ),
  hostile('smaller than it says', [{ ...file, size: text.length + 1 }], 'damaged', /smaller than it says/),
  hostile(
    'a size that deflate cannot reach',
    [{ ...file, size: 4_000_000_000 }],
    'damaged',
    /cannot have the size/,
  ),
  hostile(
    'a stored entry of two sizes',
    [{ ...file, method: 0, size: 10 }],
    'damaged',
    /cannot have the size/,
  ),
  hostile('above itself', [{ name: '../a.txt', data: 'x' }], 'unsafe', /outside/),
  hostile('above itself, deeper', [{ name: 'x/../../a.txt', data: 'x' }], 'unsafe', /outside/),
  hostile(
    'above itself, by backslashes',
    [{ name: String.raw`x\..\..\a.txt`, data: 'x' }],
    'unsafe',
    /outside/,
  ),
  hostile('an absolute path', [{ name: '/etc/passwd.txt', data: 'x' }], 'unsafe', /outside/),
  hostile('a share', [{ name: String.raw`\\server\a.txt`, data: 'x' }], 'unsafe', /outside/),
  hostile('a drive', [{ name: String.raw`C:\a.txt`, data: 'x' }], 'unsafe', /outside/),
  hostile(
    'outside by its Unicode name',
    [{ ...file, extra: unicodePath(Buffer.from('a.txt'), '../a.txt') }],
    'unsafe',
    /outside/,
  ),
  hostile('a link', [{ name: 'a.txt', data: '/etc/passwd', host: 3, mode: 0xa1ff }], 'unsafe', /link/),
  hostile(
    'a link that says it is from DOS',
    [{ name: 'a.txt', data: '/etc/passwd', host: 0, mode: 0xa1ff }],
    'unsafe',
    /link/,
  ),
  hostile('a device', [{ name: 'a.txt', host: 3, mode: 0x21ff }], 'unsafe', /ordinary/),
  hostile('a folder with content', [{ name: 'a/', data: 'x' }], 'damaged', /content of its own/),
  hostile(
    'two entries over the same bytes',
    [
      { ...file, data: 'x'.repeat(100), method: 0 },
      { name: 'b.txt', like: 0 },
    ],
    'unsafe',
    /over each other/,
  ),
  hostile(
    'an entry whose own header reaches into the next',
    [
      { ...file, method: 0, localExtra: Buffer.alloc(0) },
      { name: 'b.txt', data: 'b', offset: 40 },
    ],
    'unsafe',
    /over each other/,
  ),
  {
    name: 'an entry that points to something else',
    make: () => forge([file]).fill(0, 0, 2),
    becomes: 'damaged',
    says: /not where/,
  },
  hostile('an entry behind the directory', [{ ...file, offset: 900_000 }], 'damaged', /outside/),
  hostile('another method in its own header', [{ ...file, localMethod: 0 }], 'damaged', /not where/),
  hostile('Deflate64', [{ ...file, method: 9 }], 'unreadable', /Deflate64/),
  hostile('a method nobody knows', [{ ...file, method: 77 }], 'unreadable', /method 77/),
  hostile('101 levels', [{ name: `${'d/'.repeat(100)}a.txt`, data: 'x' }], 'too_deep', /100 levels/),
  hostile('more entries than it has', [file], 'damaged', /as many/, { count: 2 }),
  hostile('fewer entries than it has', [file, { name: 'b.txt' }], 'damaged', /as many/, { count: 1 }),
  hostile('a directory beyond the end', [file], 'damaged', /not a whole/, { directoryOffset: 4_000_000_000 }),
  hostile('one of several parts', [file], 'unreadable', /several parts/, { disk: 3 }),
  hostile('Zip64 with a directory at 2^53', [file], 'damaged', /cannot be/, { zip64: { offset: 2n ** 53n } }),
  hostile('Zip64 with a directory at 2^64-1', [file], 'damaged', /cannot be/, {
    zip64: { offset: 2n ** 64n - 1n },
  }),
  hostile('Zip64 with its record at 2^63', [file], 'damaged', /cannot be/, { zip64: { at: 2n ** 63n } }),
  hostile(
    'Zip64 with its record nowhere, and the true one in front of its locator',
    [file],
    'damaged',
    /as many/,
    { zip64: { at: 2n ** 40n, count: 7n } },
  ),
  hostile('Zip64 with 2^40 entries', [file], 'too_many', /65,536/, { zip64: { count: 2n ** 40n } }),
  hostile('Zip64 with a directory of 2^52 bytes', [file], 'damaged', /./, { zip64: { size: 2n ** 52n } }),
  hostile(
    'an entry with an offset of 2^53 and more',
    [{ ...file, zip64: true, offset: 2 ** 60 }],
    'damaged',
    /cannot be/,
  ),
  hostile(
    'an entry with a size of 2^53 and more',
    [{ ...file, zip64: true, size: 2 ** 62 }],
    'damaged',
    /cannot be/,
  ),
  hostile(
    'encrypted, without a password',
    [{ ...file, password: 'x' }],
    'password_needed',
    /^This ZIP is password protected/,
  ),
  hostile(
    'AES, without a password',
    [{ ...file, password: 'x', encryption: 'ae2' }],
    'password_needed',
    /^This ZIP is password protected/,
  ),
  {
    ...hostile(
      'the old cipher with a wrong password',
      [{ ...file, password: 'right' }],
      'wrong_password',
      /password/,
    ),
    password: 'wrong',
  },
  {
    ...hostile(
      'AES with a wrong password',
      [{ ...file, password: 'right', encryption: 'ae1' }],
      'wrong_password',
      /password/,
    ),
    password: 'wrong',
  },
  hostile('encrypted as only PKWARE does', [{ ...file, flags: 0x41 }], 'unreadable', /PKWARE/),
  hostile('AES that does not say how', [{ ...file, flags: 0x01, method: 99 }], 'damaged', /encrypted/),
  {
    name: 'AES with one byte changed',
    make: () => {
      const zip = forge([{ ...file, method: 0, password: 'p', encryption: 'ae2' }]);
      zip[200]! ^= 1;
      return zip;
    },
    password: 'p',
    becomes: 'damaged',
    says: /altered/,
  },
];
