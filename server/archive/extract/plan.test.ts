import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameKey } from '#server/text/file-names.ts';
import { checkName } from '#server/text/file-names.ts';
import { MAX_READ_ENTRIES, readDirectory } from '../read/directory.ts';
import { planOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { ArchiveRefused } from '../read/refusal.ts';
import { choose, folderPath } from '../read/selection.ts';
import { bufferSource } from '../read/source.ts';
import type { Forged } from '../read/testing/forge.ts';
import { forge } from '../read/testing/forge.ts';

const plan = async (entries: Forged[]): Promise<Plan> =>
  planOf(await readDirectory(bufferSource(forge(entries))));

const many = (count: number, name: (n: number) => string): Forged[] =>
  Array.from({ length: count }, (_, n) => ({ name: name(n), method: 0 }));

const refusal = (entries: Forged[]): Promise<string> =>
  plan(entries).then(
    () => 'planned',
    (error: unknown) => {
      assert.instance(error, ArchiveRefused);
      return (error as ArchiveRefused).code;
    },
  );

const test = suite('the plan of an archive');

test('an archive may hold at most 65,536 entries, where files and their parent folders both count', async () => {
  assert.is((await plan(many(MAX_READ_ENTRIES, (n) => `${n}.txt`))).files.length, MAX_READ_ENTRIES);
  assert.is(await refusal(many(MAX_READ_ENTRIES + 1, (n) => `${n}.txt`)), 'too_many');
  assert.is(await refusal(many(50_000, (n) => `${n}/${n}/a.txt`)), 'too_many');
});

test('65,536 files of one name are numbered without trying every number for each, which would take minutes', async () => {
  const { files } = await plan(many(MAX_READ_ENTRIES, (n) => (n % 2 ? 'a.txt' : 'A.txt')));
  assert.is(new Set(files.map(({ name }) => nameKey(name))).size, MAX_READ_ENTRIES);
});

test('a hundred thousand folders with long names are refused before they fill the memory', async () => {
  const deep = Array.from({ length: 98 }, (_, level) => level);
  assert.is(
    await refusal(many(2000, (n) => `${deep.map((level) => `${n}.${level}`).join('/')}/a.txt`)),
    'too_many',
  );
});

test('names that are made to be slow to compare are shortened before they are compared', async () => {
  const marks = '\u0301\u0323'.repeat(15_000);
  const { files } = await plan(many(40, (n) => `a${marks}${n}.txt`));
  assert.is(files.length, 40);
  for (const { name } of files) assert.is(checkName(name), null);
});

test('every planned name is valid in the drive, whatever name the archive gives it', async () => {
  const odd = [
    '..',
    ' ',
    '.',
    'a\u0000b',
    'nul',
    'x.',
    '\u202e',
    'a\ud800',
    '\ufeff',
    '*',
    'com1.pdf',
    '\u200b',
  ];
  const { files, folders } = await plan(
    odd.flatMap((part) => (part === '..' ? [] : [{ name: `${part}/${part}.pdf` }])),
  );
  for (const { name } of [...files, ...folders]) assert.is(checkName(name), null, JSON.stringify(name));
});

test('a selection keeps the chosen entries, their contents and their parent folders, and nothing else', async () => {
  const whole = await plan(
    ['a/b/c/1.txt', 'a/b/2.txt', 'a/3.txt', 'd/4.txt', 'e/', 'f/g/'].map((name) => ({ name })),
  );
  const paths = (part: Plan | undefined) => [
    ...part!.folders.map((_, n) => `${folderPath(part!, n)}/`),
    ...part!.files.map(({ folder, name }) => `${folderPath(part!, folder)}/${name}`),
  ];
  assert.equal(paths(choose(whole, ['a/b'])).toSorted(), [
    'a/',
    'a/b/',
    'a/b/2.txt',
    'a/b/c/',
    'a/b/c/1.txt',
  ]);
  assert.equal(paths(choose(whole, ['d/4.txt', 'f'])).toSorted(), ['d/', 'd/4.txt', 'f/', 'f/g/']);
  assert.is(choose(whole, ['a', 'x']), undefined);
});

test.run();
