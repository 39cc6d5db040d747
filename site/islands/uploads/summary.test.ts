import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { advance, duration, rate, start, timeLeft } from './pace.ts';
import type { Upload } from './record.ts';
import { CANCELLED } from './record.ts';
import { failuresOf, headingOfFailures, rows } from './rows.ts';
import { summarise, titleWith } from './summary.ts';

const test = suite('upload summary');

let lastId = 0;
const upload = (status: Upload['status'], more: Partial<Upload> = {}): Upload => ({
  id: `u${(lastId += 1)}`,
  act: 1,
  name: 'Form 16.pdf',
  size: 100,
  status,
  progress: 0,
  loaded: 0,
  clientId: null,
  parentId: null,
  extractZip: false,
  note: null,
  batch: null,
  path: [],
  folder: false,
  versionOf: null,
  preparing: false,
  startedAt: null,
  speed: null,
  eta: null,
  error: status === 'error' ? 'Network error occurred' : null,
  retryable: true,
  result: null,
  ...more,
});
const batch = { id: 'b1', name: 'GSTR-3B', systemFiles: [] };

test('the heading counts uploads and shows the time left', () => {
  const uploads = [upload('completed'), upload('uploading', { loaded: 50, speed: 1 }), upload('queued')];
  assert.is(summarise(uploads, null).heading, 'Uploading 2 of 3 · 3 min left');
  assert.is(summarise(uploads, null).progress, 50);
});

test('the heading of finished uploads uses singular and plural', () => {
  assert.is(summarise([upload('completed')], null).heading, '1 upload complete');
  assert.is(
    summarise([upload('error'), upload('error'), upload('completed')], null).heading,
    '2 uploads failed',
  );
});

test('a cancelled upload does not count as failed, and is not listed at the top', () => {
  const cancelled = upload('error', { error: CANCELLED });
  assert.is(summarise([cancelled], null).heading, 'Upload cancelled');
  assert.is(summarise([cancelled, upload('completed')], null).heading, '1 upload complete');
  assert.equal(
    rows([cancelled, upload('queued'), upload('error')]).map(({ error }) => error),
    ['Network error occurred', null, CANCELLED],
  );
});

test('the heading of a paused queue says what it waits for', () => {
  assert.is(summarise([upload('queued')], 'offline').heading, 'Waiting for the network');
  assert.is(summarise([upload('queued')], 'unreachable').heading, 'Waiting for the server');
});

test('a folder is one row with a count, and its failed files have rows at the top', () => {
  const lines = rows([
    upload('completed', { batch }),
    upload('uploading', { batch, loaded: 20, speed: 10 }),
    upload('error', { batch, name: 'broken.pdf' }),
    upload('queued', { name: 'other.pdf' }),
  ]);
  assert.equal(
    lines.map(({ name, count, done, status }) => [name, count, done, status]),
    [
      ['broken.pdf', null, 0, 'error'],
      ['GSTR-3B', 3, 1, 'uploading'],
      ['other.pdf', null, 0, 'queued'],
    ],
  );
  assert.is(lines[1]?.progress, 73, 'the failed file counts, or the progress would go back');
  assert.is(lines[1]?.eta, 8);
});

test('uploads that were removed from the panel still count, so that the total never shrinks', () => {
  const removed = { files: 7, completed: 6, alreadyThere: 0, copies: 0, bytes: 700 };
  const uploads = [upload('completed'), upload('uploading', { loaded: 50 }), upload('queued')];
  const { heading, progress, done } = summarise(uploads, null, removed);
  assert.is(heading, 'Uploading 9 of 10');
  assert.is(progress, 85);
  assert.is(done, 7);
});

test('the bytes of a failed file still count, so that the progress never goes back', () => {
  const others = [upload('completed'), upload('uploading', { loaded: 50 })];
  const before = summarise([...others, upload('uploading', { loaded: 90 })], null).progress;
  assert.ok(summarise([...others, upload('error')], null).progress >= before);
});

test('refused files are not in the total, and are shown next to the completed ones', () => {
  const refused = upload('error', { error: 'File type "exe" is not supported', retryable: false });
  assert.is(summarise([upload('uploading'), refused], null).heading, 'Uploading 1 of 1');
  assert.is(summarise([upload('completed'), refused], null).heading, '1 upload complete · 1 refused');
  assert.is(summarise([refused, refused], null).heading, '2 files refused');
});

test('the row of a file whose content is already in the vault names the existing copy; of several such files the number is shown', () => {
  const copy = { id: 7, name: 'ledger.csv', parent_id: 3, path: 'Sharma Traders / FY 2024-25' };
  const inVault = (more: Partial<Upload> = {}) =>
    upload('completed', { result: { id: 8, name: 'copy.csv', same_content: copy }, ...more });
  assert.equal(rows([inVault()])[0]?.copy, copy);
  assert.is(
    summarise([inVault()], null).heading,
    '1 upload complete',
    'the row of a single file says so itself',
  );
  const many = [inVault({ batch }), inVault({ batch }), upload('completed', { batch })];
  const [line] = rows(many);
  assert.equal(
    [line?.copy, line?.copies, line?.alreadyThere],
    [null, 2, 0],
    'the row of a folder counts them and links to none',
  );
  assert.is(summarise(many, null).heading, '3 uploads complete · 2 are also stored elsewhere');
  const removed = { files: 10, completed: 10, alreadyThere: 10, copies: 0, bytes: 1000 };
  assert.is(
    summarise(many, null, removed).heading,
    '13 uploads complete · 10 already there, not uploaded again · 2 are also stored elsewhere',
    'what was not stored is told apart from what was',
  );
});

test('empty folders are no uploads in the heading, unless there is nothing else', () => {
  const folder = (status: Upload['status']) => upload(status, { batch, folder: true, size: 0 });
  const files = [upload('completed', { batch }), upload('uploading', { batch })];
  assert.is(summarise([folder('completed'), folder('queued'), ...files], null).heading, 'Uploading 2 of 2');
  const complete = [upload('completed', { batch }), folder('completed')];
  assert.is(summarise(complete, null).heading, '1 upload complete');
  assert.is(summarise([folder('completed')], null).heading, '1 upload complete');
  const last = summarise([upload('completed'), folder('uploading')], null);
  assert.equal(
    [last.busy, last.heading],
    [1, 'Uploading 1 of 1'],
    'a tab with it is not left without a question',
  );
});

test('several files refused for the same reason are one line, and a single file refused for a reason has its own row', () => {
  const refused = (name: string, error: string) => upload('error', { name, error, retryable: false });
  const uploads = [
    refused('a.exe', 'File type "exe" is not supported'),
    refused('b.dll', 'File type "dll" is not supported'),
    refused('film.mp4', 'File size cannot exceed 5GB'),
  ];
  assert.equal(failuresOf(uploads).map(headingOfFailures), ['2 files refused: type not supported']);
  assert.equal(
    rows(uploads).map(({ name }) => name),
    ['film.mp4'],
  );
});

test('until an upload starts, the heading says that the files are being prepared', () => {
  const preparing = [upload('queued', { preparing: true }), upload('queued', { preparing: true })];
  assert.is(summarise(preparing, null).heading, 'Preparing 2 files...');
  assert.is(summarise([...preparing, upload('uploading')], null).heading, 'Uploading 1 of 3');
});

test('the title of the browser tab shows the progress until the uploads end', () => {
  assert.is(titleWith('My Drive', { busy: 1, progress: 4 }), '(4%) My Drive');
  assert.is(titleWith('(4%) My Drive', { busy: 1, progress: 5 }), '(5%) My Drive');
  assert.is(titleWith('(99%) My Drive', { busy: 0, progress: 100 }), 'My Drive');
});

test('the speed is smoothed, and the time left is unknown without a speed or once all bytes are sent', () => {
  const first = advance(start(0), 1000, 100);
  assert.is(first.speed, null);
  const second = advance(first, 1000, 1000);
  assert.is(second.speed, 1000);
  assert.is(advance(second, 1000, 2000).speed, 600);
  assert.is(timeLeft(10, null), null);
  assert.is(timeLeft(1500, 1000), 2);
  assert.is(timeLeft(0, 1000), null, 'all bytes are sent and the server has not answered');
});

test('a speed has few digits, so that it does not flicker', () => {
  assert.equal([1, 105_431, 2_202_009].map(rate), ['1 KB/s', '103 KB/s', '2.1 MB/s']);
});

test('durations are formatted briefly', () => {
  assert.equal([0.2, 59, 61, 3600, 7500].map(duration), ['1 s', '59 s', '2 min', '1 h', '2 h 5 min']);
});

test.run();
