import { randomInt } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  NAME_MAX,
  aroundNumber,
  checkName,
  createUniqueNames,
  nameKey,
  repairName,
  tidyName,
} from './file-names.ts';

test('usual names in every script are accepted and not changed', () => {
  for (const name of [
    'Form 16.pdf',
    'आयकर विवरणी 2024.pdf',
    'வருமான வரி.pdf',
    'ক্ষ.pdf',
    '.env',
    'a.b.c',
    'É',
    '😀.png',
    'क्‍ष.txt',
  ]) {
    assert.is(checkName(name), null, name);
    assert.is(repairName(name), name);
  }
});

test('a name with a path, with invisible or text direction characters, or invalid on Windows is refused with a reason', () => {
  const bad = [
    '',
    ' ',
    '.',
    '..',
    '../x',
    'a/b',
    String.raw`a\b`,
    'C:x',
    'a*',
    'a?',
    'a"b',
    'a<b',
    'a>b',
    'a|b',
    'a\0b',
    'a\nb',
    'a\u007fb',
    'invoice\u202efdp.exe',
    'a\u2066b',
    'a\u200fb',
    'a\u2028b',
    'a\ud800b',
    '\u200b',
    'a.',
    'a...',
    'con',
    'CON.pdf',
    'nul .txt',
    'Com1.pdf',
    'lpt¹',
    'a'.repeat(NAME_MAX + 1),
  ];
  for (const name of bad) assert.type(checkName(name), 'string', JSON.stringify(name));
  assert.is(checkName('console.pdf'), null, 'a reserved word is one only by itself');
  assert.is(checkName('a'.repeat(NAME_MAX)), null);
});

test('repairing a name replaces only what is not allowed', () => {
  assert.is(repairName('../x.pdf'), '.._x.pdf');
  assert.is(repairName('  a:b?.pdf '), 'a_b_.pdf');
  assert.is(repairName('invoice\u202efdp.pdf'), 'invoice_fdp.pdf');
  assert.is(repairName('nul\0.pdf'), 'nul_.pdf');
  assert.is(repairName('con.pdf'), '_con.pdf');
  assert.is(repairName('..'), '_');
  assert.is(repairName('report...'), 'report_');
  assert.is(repairName(''), 'Untitled');
  assert.is(repairName('Cafe\u0301.pdf'), 'Café.pdf', 'NFD becomes NFC');
});

test('a name that is too long is cut between two whole characters and keeps its extension', () => {
  const long = repairName(`${'a'.repeat(300)}.pdf`);
  assert.is(long, `${'a'.repeat(251)}.pdf`);
  const tamil = repairName(`${'நி'.repeat(200)}.pdf`);
  assert.ok(tamil.length <= NAME_MAX && tamil.endsWith('நி.pdf'));
  const emoji = repairName(`${'👨‍👩‍👧'.repeat(60)}.pdf`);
  assert.ok(emoji.isWellFormed() && emoji.endsWith('👧.pdf'));
  assert.ok(
    repairName(`x${'\u0301'.repeat(600)}.pdf`).length <= NAME_MAX,
    'one endless character is cut all the same',
  );
  assert.is(repairName(`a. ${'very long sentence '.repeat(30)}`).length <= NAME_MAX, true);
});

test('a repaired name is always valid, tried with 20,000 random names', () => {
  const letters = [
    ...'ab .:/\\*?"<>|\0\n\u202e\ud800\udc00éÉ\u0301नि்😀',
    'con',
    '.pdf',
    'x'.repeat(120),
    '\u200b',
    '\ufeff',
    'ﷺ',
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const raw = Array.from({ length: randomInt(9) }, () => letters[randomInt(letters.length)]).join('');
    const name = repairName(raw);
    assert.is(checkName(name), null, JSON.stringify({ raw, name }));
    assert.is(tidyName(name), name, JSON.stringify({ raw, name }));
  }
});

test('the key that names are compared by ignores case and the Unicode form of accents, and nothing else', () => {
  const same = [
    ['Report.PDF', 'report.pdf'],
    ['É', 'E\u0301'],
    ['ΟΔΟΣ', 'οδος'],
    ['STRASSE', 'straße'],
    ['İ', 'i̇'],
  ];
  for (const [a, b] of same) assert.is(nameKey(a!), nameKey(b!), `${a} ${b}`);
  assert.is.not(nameKey('resume'), nameKey('résumé'));
  assert.is.not(nameKey('कि'), nameKey('की'));
});

test('a name that is taken gets a number before its extension, also the last of fifty thousand equal ones', () => {
  const unique = createUniqueNames();
  assert.equal(['report.pdf', 'Report (2).pdf', 'Report.pdf', 'other.pdf', 'report (2).pdf'].map(unique), [
    'report.pdf',
    'Report (2).pdf',
    'Report (3).pdf',
    'other.pdf',
    'report (2) (2).pdf',
  ]);
  assert.equal(['Folder', 'folder'].map(unique), ['Folder', 'folder (2)']);
  const long = `${'a'.repeat(251)}.pdf`;
  assert.is(unique(long), long);
  const second = unique(long);
  assert.ok(second.endsWith(' (2).pdf') && second.length <= NAME_MAX);
  const { head, tail } = aroundNumber(long);
  assert.is(checkName(`${head} (1234567890)${tail}`), null);
  const many = Array.from({ length: 50_000 }, () => unique('Form 16.pdf'));
  assert.is(many.at(-1), 'Form 16 (50000).pdf');
  assert.is(new Set(many).size, many.length);
});

test.run();
