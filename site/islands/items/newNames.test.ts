import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemView } from '#server/documents/contract.ts';
import type { NameRule } from './newNames.ts';
import { newNames } from './newNames.ts';

const test = suite('new names of several items');

let made = 0;
const item = (name: string, more: Partial<ItemView> = {}) =>
  ({ id: (made += 1), name, type: 'file', parent_id: null, ...more }) as ItemView;
const RULE: NameRule = { find: '', replacement: '', before: '', after: '', numbering: 'none' };
const after = (names: readonly string[], rule: Partial<NameRule>, there: readonly string[] = []) =>
  newNames(
    names.map((name) => item(name)),
    { ...RULE, ...rule },
    there.map((name) => item(name)),
  ).map(({ name, error }) => (error === null ? name : `${name}: ${error}`));

test('a text is replaced in whatever case and as it is typed, and what stands around it does not keep its spaces', () => {
  assert.equal(after(['Copy of Form.pdf', 'copy OF a copy of b.pdf'], { find: 'copy of' }), [
    'Form.pdf',
    'a  b.pdf',
  ]);
  assert.equal(after(['a(1).pdf', 'a1.pdf'], { find: '(1)', replacement: '$&' }), ['a$&.pdf', 'a1.pdf']);
});

test('an extension is no part of what is changed, and a folder has none', () => {
  assert.equal(after(['pdf.pdf'], { find: 'pdf', replacement: 'Scan' }), ['Scan.pdf']);
  const folder = item('v1.2', { type: 'folder' });
  assert.is(newNames([folder], { ...RULE, after: ' final' }, [])[0]!.name, 'v1.2 final');
});

test('names are numbered in the order of the list with as many digits as the last number has', () => {
  const ten = Array.from({ length: 10 }, (_, index) => `${'x'.repeat(index + 1)}.pdf`);
  assert.equal(after(ten, { numbering: 'front', before: 'GST ' }).slice(8), [
    '09 GST xxxxxxxxx.pdf',
    '10 GST xxxxxxxxxx.pdf',
  ]);
  assert.equal(after(['b.pdf', 'a.pdf'], { numbering: 'end' }), ['b 1.pdf', 'a 2.pdf']);
});

test('a name that is taken, empty, too long or not allowed is told, and names that pass from one to the next are free', () => {
  assert.equal(after(['A.pdf', 'AA.pdf'], { before: 'a' }), ['aA.pdf', 'aAA.pdf']);
  assert.equal(after(['a.pdf', 'b.pdf', 'c.pdf'], { before: 'x' }, ['XB.pdf']), [
    'xa.pdf',
    'xb.pdf: There is already one of this name.',
    'xc.pdf',
  ]);
  assert.equal(after(['a.pdf', 'ab.pdf'], { find: 'b' }), [
    'a.pdf',
    'a.pdf: There is already one of this name.',
  ]);
  assert.equal(after(['a.pdf'], { find: 'A' }), ['.pdf: Nothing is left of the name.']);
  assert.match(after(['a.pdf'], { after: 'x'.repeat(255) })[0]!, 'at most 255 characters');
  assert.match(after(['a.pdf'], { after: '/' })[0]!, 'cannot contain');
});

test.run();
