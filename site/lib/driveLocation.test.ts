import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { driveHref, parseDriveUrl, isSameListing } from './driveLocation.ts';

const test = suite('drive addresses');
const at = (address: string) => parseDriveUrl(new URL(address, 'http://localhost'));

test('an address goes to a place and back without a change', () => {
  for (const address of [
    '/dashboard',
    '/dashboard/folder/12',
    '/dashboard/folder/12?client=3&clientName=Sharma+%26+Sons',
    '/dashboard?preview=7',
    '/dashboard/folder/5?highlight=9',
    '/dashboard/folder/5?preview=9&page=3&find=Schedule&find=1%2C20%2C000',
  ]) {
    const place = at(address);
    assert.ok(place, address);
    assert.is(driveHref(place), address);
  }
});

test('names after the folder id are for the reader and mean nothing', () => {
  assert.is(at('/dashboard/folder/12/GSTR-3B/April')?.folderId, 12);
});

test('what is not in the drive is left to the router', () => {
  assert.is(at('/clients'), null);
  assert.is(at('/dashboards'), null);
  assert.is(at('/dashboard/folder/abc'), null);
  assert.is(at('/dashboard/folder/-1'), null);
});

test('a search is part of the listing, and comes back from its address as it was', () => {
  const place = at('/dashboard/folder/7?search=%20GST%20%26%20TDS%20')!;
  assert.is(place.search, 'GST & TDS');
  assert.is(driveHref(place), '/dashboard/folder/7?search=GST+%26+TDS');
  assert.not(isSameListing(place, { ...place, search: '' }));
});

test('a parameter that is no id is ignored', () => {
  assert.equal(at('/dashboard?client=x&preview=0'), {
    folderId: null,
    client: null,
    search: '',
    previewId: null,
    highlightId: null,
  });
});

test('a preview is shown over its listing, so the listing stays the same', () => {
  const folder = at('/dashboard/folder/2');
  const preview = at('/dashboard/folder/2?preview=4');
  const filtered = at('/dashboard/folder/2?client=4');
  assert.ok(folder && preview && filtered);
  assert.ok(isSameListing(folder, preview));
  assert.not(isSameListing(folder, filtered));
});

test.run();
