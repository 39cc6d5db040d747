import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultName, moved, pageOf, turned, withMore } from './pages.ts';

const picture = (name: string, type = 'image/jpeg') => new File(['x'], name, { type });
const names = (pages: readonly { file: File }[]) => pages.map(({ file }) => file.name);

const test = suite('pages of a PDF');

test('pages keep the order in which they were added, and files that are not pictures are left out with a message', () => {
  const first = withMore([], [picture('1.jpg'), picture('2.jpg')]);
  assert.is(first.message, '');
  const { pages, message } = withMore(first.pages, [
    picture('a.pdf', 'application/pdf'),
    picture('3.heic', ''),
  ]);
  assert.equal(names(pages), ['1.jpg', '2.jpg', '3.heic']);
  assert.is(message, '1 file is no picture and was left out.');
});

test('with more than fifty pictures a message says so, and the first fifty are kept', () => {
  const { pages, message } = withMore(
    [],
    Array.from({ length: 51 }, (_, index) => picture(`${index}.jpg`)),
  );
  assert.is(pages.length, 50);
  assert.match(message, '50 pictures at most');
});

test('pages can be moved, except the first one up, and four quarter turns restore a page', () => {
  const pages = ['1', '2', '3'].map((name) => pageOf(picture(name)));
  assert.equal(names(moved(pages, 2, 1)), ['1', '3', '2']);
  assert.equal(names(moved(pages, 0, -1)), ['1', '2', '3'], 'the first page cannot be moved up');
  assert.equal(
    turned(turned(turned(turned(pages, 1), 1), 1), 1).map(({ turn }) => turn),
    [0, 0, 0],
  );
});

test('the suggested name is valid on every operating system', () => {
  assert.is(defaultName(new Date(2026, 10, 3, 9, 5)), 'Scan 2026-11-03 09.05');
});

test.run();
