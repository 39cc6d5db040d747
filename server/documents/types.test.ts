import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALLOWED_EXTENSIONS, FILE_GROUPS, previewKind } from './contract.ts';

const test = suite('types of files');

const SPECIFIED =
  'pdf doc docx xls xlsx ppt pptx txt rtf jpg jpeg png gif bmp webp svg tiff mp4 avi mkv mov wmv flv webm m4v 3gp mp3 ' +
  'wav flac aac ogg wma m4a zip rar 7z tar gz bz2 csv json xml sql dwg dxf eps ai psd';
const BESIDES = 'tif heic heif eml msg xlsm xlsb ods odt odp htm html fvu pfx p12 p7s key tax ret xbrl zipx';
const grouped = Object.values(FILE_GROUPS).flatMap((types) => types.split(' '));

test('the specified types and those that an office in India receives besides are accepted, and no others', () => {
  assert.equal(Array.from(ALLOWED_EXTENSIONS), `${SPECIFIED} ${BESIDES}`.split(' '));
  for (const never of ['exe', 'js', 'bat', 'mht', 'xhtml', 'shtml', 'hta', 'lnk', ''])
    assert.not(ALLOWED_EXTENSIONS.has(never), never);
});

test('every type belongs to one group, so that filters and figures count it once', () => {
  assert.equal(grouped.toSorted(), Array.from(ALLOWED_EXTENSIONS).toSorted());
});

test('types with a specified preview are shown in the specified way', () => {
  for (const image of 'jpg jpeg png gif webp bmp svg'.split(' ')) assert.is(previewKind(image), 'image');
  for (const video of 'mp4 webm ogg mov avi mkv'.split(' ')) assert.is(previewKind(video), 'video');
  assert.is(previewKind('pdf'), 'pdf');
});

test('one kind of file is shown in one way, whichever of its endings it has', () => {
  for (const [one, other] of [
    ['tif', 'tiff'],
    ['heif', 'heic'],
    ['htm', 'html'],
    ['xlsm', 'xlsx'],
  ] as const)
    assert.is(previewKind(one), previewKind(other));
});

test('keys, certificates and what only its own program reads are not previewed', () => {
  for (const type of ['pfx', 'p12', 'p7s', 'key', 'tax', 'ret', 'zipx', 'doc', 'odt', 'odp'])
    assert.is(previewKind(type), null, type);
});

test.run();
