import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FolderTree } from '../documents/contract.ts';
import { BUILT_IN } from './builtin.ts';
import { appliedText, isFinancialYear } from './contract.ts';
import { MAX_FOLDERS, expand, parseOutline, formatOutline } from './outline.ts';

const test = suite('outlines of folder templates');

const errors = (text: string) => parseOutline(text).errors.map(({ line, message }) => `${line}: ${message}`);
const folder = (name: string, ...folders: FolderTree[]): FolderTree => ({ name, folders });
const leaf = (name: string): FolderTree => folder(name);

test('a line of an outline is a folder inside the nearest less indented one above; indents are two spaces or a tab, empty lines are skipped', () => {
  const { folders, count, errors } = parseOutline(
    '\ufeff{fy}\r\n  GST\r\n\tTDS\n\n\t\tQ1\n    Q2  \nNotes\n',
  );
  assert.equal(errors, []);
  assert.is(count, 6);
  assert.equal(folders, [folder('{fy}', leaf('GST'), folder('TDS', leaf('Q1'), leaf('Q2'))), leaf('Notes')]);
  assert.is(formatOutline(folders), '{fy}\n  GST\n  TDS\n    Q1\n    Q2\nNotes');
});

test('each error in an outline is reported once with its line, and folders inside a faulty folder are not reported as well', () => {
  assert.equal(errors('GST: all\n  Returns\n    x\n'), [
    String.raw`1: A name cannot contain any of these: / \ : * ? " < > |`,
  ]);
  assert.equal(errors('A\n   B'), ['2: Indent with two spaces, or a tab, for each level.']);
  assert.equal(errors('A\n    B\nC'), ['2: This is indented more than one level below the folder above it.']);
  assert.equal(errors('  A'), ['1: The first folder cannot be indented.']);
  assert.equal(errors('{FY}\n  {year}\n  CON\n  end.'), [
    '2: {year} is not known. Use {fy} or {client}.',
    '3: "CON" is a name that Windows keeps for itself. Choose another name.',
    '4: A name cannot end with a dot.',
  ]);
  assert.equal(errors('A\n  itr\n  ITR\nB\n  ITR'), ['3: "ITR" is here twice in the same folder.']);
});

test('more than 8 levels or 200 folders are reported once, not for each line', () => {
  const deep = Array.from({ length: 9 }, (_, level) => `${'  '.repeat(level)}L${level}`).join('\n');
  assert.equal(errors(deep), ['9: Folders can be at most 8 levels deep.']);
  const many = (n: number) => Array.from({ length: n }, (_, index) => `F${index}`).join('\n');
  assert.equal(errors(many(MAX_FOLDERS)), []);
  assert.equal(errors(many(1200)), ['201: A template can have at most 200 folders.']);
});

test('{fy} and {client} are replaced, and the client name is repaired so that it is a valid folder name', () => {
  const { folders } = parseOutline('{fy}\n  {Client} - ITR');
  assert.equal(expand(folders, { fy: '2026-27', client: 'M/s A*B: Co.' }), [
    folder('2026-27', leaf('M_s A_B_ Co. - ITR')),
  ]);
  const long = expand(parseOutline('{client}').folders, { fy: '', client: 'x'.repeat(300) });
  assert.is(long[0]!.name.length, 255);
});

test('folders whose names become equal after replacement are merged, with the contents of both', () => {
  const { folders, errors } = parseOutline('{fy}\n  ITR\n    a\n2026-27\n  itr\n    b\n  GST');
  assert.equal(errors, []);
  assert.equal(expand(folders, { fy: '2026-27', client: 'A' }), [
    folder('2026-27', folder('ITR', leaf('a'), leaf('b')), leaf('GST')),
  ]);
});

test('an outline that repeats a name in thousands of lines takes a few steps per line, since others wait while it is read', () => {
  const distinct = Array.from({ length: 199 }, (_, index) => `F${index}`);
  const lines = [...distinct, ...Array.from({ length: 1000 }, () => 'F198')];
  const { normalize } = String.prototype;
  let normalized = 0;
  Object.assign(String.prototype, {
    normalize(this: string, form?: string) {
      normalized += 1;
      return normalize.call(this, form);
    },
  });
  try {
    assert.is(parseOutline(lines.join('\n')).errors.length, 1000);
  } finally {
    Object.assign(String.prototype, { normalize });
  }
  assert.ok(normalized < 10 * lines.length, `${normalized} names were compared`);
});

test('the built-in templates are valid outlines with unique ids', () => {
  for (const { outline } of BUILT_IN) {
    const { errors, folders } = parseOutline(outline);
    assert.equal(errors, []);
    assert.is(formatOutline(folders), outline);
  }
  assert.is(new Set(BUILT_IN.map(({ id }) => id)).size, BUILT_IN.length);
});

test('a financial year is written as two consecutive years', () => {
  assert.ok(isFinancialYear('1999-00'));
  for (const bad of ['2026-28', '2026', '26-27', '2026-2027', '2026/27']) assert.not.ok(isFinancialYear(bad));
});

test('the message after applying a template mentions only counts that are not zero', () => {
  const none = { clients: 1, created: 0, existing: 0, taken: 0, left_out: 0 };
  assert.is(
    appliedText({ ...none, clients: 38, created: 412, existing: 14 }),
    'Created 412 folders for 38 clients; 14 were there already.',
  );
  assert.is(appliedText({ ...none, created: 1 }), 'Created 1 folder for 1 client.');
  assert.is(
    appliedText({ ...none, existing: 6, taken: 2, left_out: 1 }),
    'No folders were created: 6 were there already. 2 folders could not be created: a file has the name, or the folder is sealed. ' +
      '1 client was deleted in the meantime and left out.',
  );
});

test.run();
