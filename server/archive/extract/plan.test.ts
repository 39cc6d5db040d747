import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameKey } from '#server/text/names.ts';
import { checkName } from '#server/text/names.ts';
import { MAX_ENTRIES, readDirectory } from '../read/directory.ts';
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

test('holds 65,536 entries and not one more, whether files or folders that files lie in', async () => {
  assert.is((await plan(many(MAX_ENTRIES, (n) => `${n}.txt`))).files.length, MAX_ENTRIES);
  assert.is(await refusal(many(MAX_ENTRIES + 1, (n) => `${n}.txt`)), 'too_many');
  assert.is(await refusal(many(50_000, (n) => `${n}/${n}/a.txt`)), 'too_many');
});

test('65,536 files of one name are told apart without trying every number for each', async () => {
  const { files } = await plan(many(MAX_ENTRIES, (n) => (n % 2 ? 'a.txt' : 'A.txt')));
  assert.is(new Set(files.map(({ name }) => nameKey(name))).size, MAX_ENTRIES);
});

test('a hundred thousand folders out of long names are refused before they fill the memory', async () => {
  const deep = Array.from({ length: 98 }, (_, level) => level);
  assert.is(
    await refusal(many(2000, (n) => `${deep.map((level) => `${n}.${level}`).join('/')}/a.txt`)),
    'too_many',
  );
});

test('names made to be slow to compare are cut before they are looked at', async () => {
  const marks = '\u0301\u0323'.repeat(15_000);
  const { files } = await plan(many(40, (n) => `a${marks}${n}.txt`));
  assert.is(files.length, 40);
  for (const { name } of files) assert.is(checkName(name), null);
});

test('every name in it passes the drive’s own check, whatever the archive calls it', async () => {
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

test('a choice keeps what was chosen, all below it and the way to it, and nothing else', async () => {
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
