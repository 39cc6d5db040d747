import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { advance, duration, rate, start, timeLeft } from './pace.ts';
import type { Upload } from './queue.ts';
import { CANCELLED } from './queue.ts';
import { rows, summarise, titleWith } from './summary.ts';

const test = suite('uploads summary');

let lastId = 0;
const upload = (status: Upload['status'], more: Partial<Upload> = {}): Upload => ({
  id: `u${(lastId += 1)}`,
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
  startedAt: null,
  speed: null,
  eta: null,
  error: status === 'error' ? 'Network error occurred' : null,
  retryable: true,
  result: null,
  ...more,
});
const batch = { id: 'b1', name: 'GSTR-3B' };

test('the heading counts, and says how long it will take', () => {
  const uploads = [upload('completed'), upload('uploading', { loaded: 50, speed: 1 }), upload('queued')];
  assert.is(summarise(uploads, null).heading, 'Uploading 2 of 3 · 3 min left');
  assert.is(summarise(uploads, null).progress, 50);
});

test('what is over is told in the singular and the plural', () => {
  assert.is(summarise([upload('completed')], null).heading, '1 upload complete');
  assert.is(
    summarise([upload('error'), upload('error'), upload('completed')], null).heading,
    '2 uploads failed',
  );
});

test('what was called off has not failed: it does not stand on top and nobody is told of a failure', () => {
  const cancelled = upload('error', { error: CANCELLED });
  assert.is(summarise([cancelled], null).heading, 'Upload cancelled');
  assert.is(summarise([cancelled, upload('completed')], null).heading, '1 upload complete');
  assert.equal(
    rows([cancelled, upload('queued'), upload('error')]).map(({ error }) => error),
    ['Network error occurred', null, CANCELLED],
  );
});

test('a hold says what it is waiting for', () => {
  assert.is(summarise([upload('queued')], 'offline').heading, 'Waiting for the network');
  assert.is(summarise([upload('queued')], 'unreachable').heading, 'Waiting for the server');
});

test('a folder is one row with a count, and its failed files stand alone on top', () => {
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
      ['GSTR-3B', 2, 1, 'uploading'],
      ['other.pdf', null, 0, 'queued'],
    ],
  );
  assert.is(lines[1]?.progress, 60);
  assert.is(lines[1]?.eta, 8);
});

test('the title carries the progress and gets rid of it', () => {
  assert.is(titleWith('My Drive', { busy: 1, progress: 4 }), '(4%) My Drive');
  assert.is(titleWith('(4%) My Drive', { busy: 1, progress: 5 }), '(5%) My Drive');
  assert.is(titleWith('(99%) My Drive', { busy: 0, progress: 100 }), 'My Drive');
});

test('speed is smoothed over half seconds, and time left is unknown without one', () => {
  const first = advance(start(0), 1000, 100);
  assert.is(first.speed, null);
  const second = advance(first, 1000, 1000);
  assert.is(second.speed, 1000);
  assert.is(advance(second, 1000, 2000).speed, 600);
  assert.is(timeLeft(10, null), null);
  assert.is(timeLeft(1500, 1000), 2);
  assert.is(timeLeft(0, 1000), null, 'what is all sent waits for the server');
});

test('a speed is told in few digits, so that it does not flicker', () => {
  assert.equal([1, 105_431, 2_202_009].map(rate), ['1 KB/s', '103 KB/s', '2.1 MB/s']);
});

test('durations are short words', () => {
  assert.equal([0.2, 59, 61, 3600, 7500].map(duration), ['1 s', '59 s', '2 min', '1 h', '2 h 5 min']);
});

test.run();
