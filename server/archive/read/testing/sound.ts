import type { Case } from './case.ts';
import { file, text, unicodePath } from './case.ts';
import type { Ends, Forged } from './forge.ts';
import { forge } from './forge.ts';

const sound = (name: string, entries: Forged[], becomes: Record<string, string>, ends?: Ends): Case => ({
  name,
  make: () => forge(entries, ends),
  becomes,
});
const one = { 'a.txt': text };
const devanagari = 'आयकर विवरणी.pdf';
const tamil = 'வருமான வரி.pdf';

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
