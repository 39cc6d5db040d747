import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Entry } from './collect.ts';
import { collectChosen, collectEntries } from './collect.ts';

const test = suite('collecting the files of an upload');

const file = (name: string) => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (resolve: (file: File) => void) => resolve(new File(['x'], name)),
});
/** A folder as browsers give it: a few entries with each call, then none. */
const folder = (name: string, children: Entry[]) => ({
  isFile: false,
  isDirectory: true,
  name,
  createReader() {
    const unread = [...children];
    return { readEntries: (resolve: (entries: Entry[]) => void) => resolve(unread.splice(0, 100)) };
  },
});
const pathsOf = ({ files }: { files: { path: readonly string[]; file: File }[] }) =>
  files.map(({ path, file }) => [...path, file.name].join('/'));

test('a dropped folder gives all files below it, with their paths', async () => {
  const dropped = folder('GST', [folder('April', [file('3B.pdf')]), file('रिटर्न.pdf')]);
  const collected = await collectEntries([dropped, file('loose.pdf')]);
  assert.equal(pathsOf(collected), ['GST/April/3B.pdf', 'GST/रिटर्न.pdf', 'loose.pdf']);
});

test('all entries of a folder are read, although one call returns at most a hundred', async () => {
  const many = Array.from({ length: 250 }, (_, index) => file(`${index}.pdf`));
  assert.is((await collectEntries([folder('Scans', many)])).files.length, 250);
});

test('empty folders are kept, system files are listed apart and not uploaded', async () => {
  const collected = await collectEntries([folder('Client', [folder('2027', []), file('Thumbs.db')])]);
  assert.equal(collected.emptyFolders, [['Client', '2027']]);
  assert.equal(pathsOf(collected), []);
  assert.equal(collected.systemFiles, [['Client', 'Thumbs.db']], 'so that the user is told of them');
});

test('a folder with only a lock file of Office counts as empty', async () => {
  const collected = await collectEntries([folder('Client', [file('~$Notes.docx')])]);
  assert.equal(collected.emptyFolders, [['Client']]);
  assert.equal(collected.systemFiles, [['Client', '~$Notes.docx']]);
});

test('a folder that cannot be read is an error, instead of being skipped', async () => {
  const broken = {
    ...folder('x', []),
    createReader: () => ({
      readEntries: (_resolve: unknown, reject: (error: unknown) => void) => reject(new Error('not allowed')),
    }),
  };
  try {
    await collectEntries([broken]);
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), 'not allowed');
  }
});

test('files chosen with a folder input have their paths', () => {
  const chosen = new File(['x'], '3B.pdf');
  Object.defineProperty(chosen, 'webkitRelativePath', { value: 'GST/April/3B.pdf' });
  assert.equal(pathsOf(collectChosen([chosen, new File(['x'], 'a.pdf')])), ['GST/April/3B.pdf', 'a.pdf']);
});

test.run();
