import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { RefusalCode } from '../refusal.ts';
import type { Case } from './case.ts';
import { file, text, unicodePath } from './case.ts';
import type { Ends, Forged } from './forge.ts';
import { forge } from './forge.ts';

const hostile = (name: string, entries: Forged[], becomes: RefusalCode, says: RegExp, ends?: Ends): Case => ({
  name,
  make: () => forge(entries, ends),
  becomes,
  says,
});

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
