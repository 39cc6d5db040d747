import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { driveHref, parseDriveUrl, isSameListing } from './driveLocation.ts';

const test = suite('drive addresses');
const parse = (address: string) => parseDriveUrl(new URL(address, 'http://localhost'));

test('a URL is parsed to a location and written back unchanged', () => {
  for (const address of [
    '/dashboard',
    '/dashboard/folder/12',
    '/dashboard/folder/12?client=3&clientName=Sharma+%26+Sons',
    '/dashboard?preview=7',
    '/dashboard/folder/5?highlight=9',
    '/dashboard/folder/5?preview=9&page=3&find=Schedule&find=1%2C20%2C000',
  ]) {
    const place = parse(address);
    assert.ok(place, address);
    assert.is(driveHref(place), address);
  }
});

test('folder names after the id in a URL are for readers, and are ignored', () => {
  assert.is(parse('/dashboard/folder/12/GSTR-3B/April')?.folderId, 12);
});

test('a URL outside the drive gives null, so that the router handles it', () => {
  assert.is(parse('/clients'), null);
  assert.is(parse('/dashboards'), null);
  assert.is(parse('/dashboard/folder/abc'), null);
  assert.is(parse('/dashboard/folder/-1'), null);
});

test('a search is part of the location, and is written to the URL', () => {
  const place = parse('/dashboard/folder/7?search=%20GST%20%26%20TDS%20')!;
  assert.is(place.search, 'GST & TDS');
  assert.is(driveHref(place), '/dashboard/folder/7?search=GST+%26+TDS');
  assert.not(isSameListing(place, { ...place, search: '' }));
});

test('a parameter that is not a valid id is ignored', () => {
  assert.equal(parse('/dashboard?client=x&preview=0'), {
    folderId: null,
    client: null,
    search: '',
    previewId: null,
    highlightId: null,
  });
});

test('opening a preview does not change the listing, over which it is shown', () => {
  const folder = parse('/dashboard/folder/2');
  const preview = parse('/dashboard/folder/2?preview=4');
  const filtered = parse('/dashboard/folder/2?client=4');
  assert.ok(folder && preview && filtered);
  assert.ok(isSameListing(folder, preview));
  assert.not(isSameListing(folder, filtered));
});

test.run();
