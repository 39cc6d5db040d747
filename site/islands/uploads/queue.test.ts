import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ItemView } from '#server/documents/contract.ts';
import type { NewUpload, Sending, Upload, Verdict } from './record.ts';
import { createQueue, MAX_CONCURRENT } from './queue.ts';
import { CANCELLED, UploadError } from './record.ts';

interface Sent extends Sending {
  done: () => void;
  fail: (error: Error) => void;
}

/** A queue whose uploads end when the test calls `done` or `fail`, and whose clock stands still. */
function createTestQueue({ isPointedAt = (): boolean => false, forget = (_: NewUpload): void => {} } = {}) {
  const sent: Sent[] = [];
  const timers: (() => void)[] = [];
  const queue = createQueue({
    isPointedAt,
    forget,
    now: () => 0,
    later: (run) => void timers.push(run),
    send: (sending) =>
      new Promise<ItemView>((resolve, reject) => {
        sending.signal.addEventListener('abort', () => reject(new UploadError(CANCELLED)));
        sent.push({ ...sending, done: () => resolve({ id: sent.length } as ItemView), fail: reject });
      }),
  });
  const states = () => queue.$uploads.get().map((upload) => upload.status);
  const ids = () => queue.$uploads.get().map((upload) => upload.id);
  return { queue, sent, timers, states, ids };
}

const files = (count: number, more: Partial<NewUpload> = {}): NewUpload[] =>
  Array.from({ length: count }, (_, index) => ({
    file: new File(['0123456789'], `bill ${index + 1}.pdf`),
    clientId: null,
    parentId: 7,
    ...more,
  }));
const settled = () => new Promise((resolve) => setImmediate(resolve));

const test = suite('upload queue');

test('at most three uploads run at the same time', async () => {
  const { queue, sent, states } = createTestQueue();
  queue.add(files(5));
  await settled();
  assert.is(sent.length, MAX_CONCURRENT);
  assert.equal(states(), ['uploading', 'uploading', 'uploading', 'queued', 'queued']);
  sent[1]?.done();
  await settled();
  assert.is(sent.length, 4);
  assert.is(states().filter((status) => status === 'uploading').length, 3);
});

test('an upload shows progress, then completion, and is removed after a while', async () => {
  const { queue, sent, timers, states } = createTestQueue();
  const completed: Upload[] = [];
  queue.onCompleted((upload) => completed.push(upload));
  queue.add(files(1));
  await settled();
  sent[0]?.onProgress(5);
  assert.is(queue.$uploads.get()[0]?.progress, 50);
  sent[0]?.onProgress(500);
  assert.is(queue.$uploads.get()[0]?.progress, 99, '100 only once the server says that it is saved');
  sent[0]?.done();
  await settled();
  assert.equal(states(), ['completed']);
  assert.is(completed[0]?.parentId, 7);
  timers.forEach((run) => run());
  assert.equal(states(), []);
});

test('a completed row is not removed while the user points at it', async () => {
  let isPointedAt = true;
  const { queue, sent, timers, states } = createTestQueue({ isPointedAt: () => isPointedAt });
  queue.add(files(1));
  await settled();
  sent[0]?.done();
  await settled();
  timers.splice(0).forEach((run) => run());
  assert.equal(states(), ['completed']);
  isPointedAt = false;
  timers.splice(0).forEach((run) => run());
  assert.equal(states(), []);
  queue.add(files(1));
  await settled();
  sent[1]?.done();
  await settled();
  queue.clear();
  isPointedAt = true;
  timers.splice(0).forEach((run) => run());
  assert.equal(timers, [], 'no timer is set for a row that was removed meanwhile');
});

test('queued and running uploads can be cancelled, completed ones cannot', async () => {
  const { queue, sent, states, ids } = createTestQueue();
  queue.add(files(5));
  await settled();
  sent[0]?.done();
  await settled();
  queue.cancel(ids());
  await settled();
  assert.equal(states(), ['completed', 'error', 'error', 'error', 'error']);
  assert.ok(sent.slice(1).every((sending) => sending.signal.aborted));
  assert.is(queue.$uploads.get()[4]?.error, CANCELLED);
});

test('what was sent of a failed upload is forgotten only with its row, so that Retry does not send it again', async () => {
  const forgotten: string[] = [];
  const { queue, sent, ids } = createTestQueue({ forget: ({ file }) => void forgotten.push(file.name) });
  queue.add(files(2));
  sent[0]!.fail(new UploadError('The folder was deleted'));
  await settled();
  assert.equal(forgotten, []);
  queue.clear(ids());
  assert.equal(forgotten, ['bill 1.pdf'], 'the other is still being sent');
});

test('a cancelled upload is removed from the panel, unless it is retried', async () => {
  const { queue, timers, states, ids } = createTestQueue();
  queue.add(files(2));
  await settled();
  queue.cancel(ids());
  await settled();
  queue.retry(ids().slice(0, 1));
  timers.forEach((run) => run());
  assert.equal(states(), ['uploading']);
});

test('a failed upload stays with its reason until it is retried', async () => {
  const { queue, sent, timers, states, ids } = createTestQueue();
  queue.add(files(1));
  await settled();
  sent[0]?.fail(new UploadError('Network error occurred'));
  await settled();
  timers.forEach((run) => run());
  assert.is(queue.$uploads.get()[0]?.error, 'Network error occurred');
  queue.retry(ids());
  assert.equal(states(), ['uploading']);
  await settled();
  sent[1]?.done();
  await settled();
  assert.equal(states(), ['completed']);
});

test('a refused file is shown, never sent, and cannot be retried', async () => {
  const { queue, sent, states, ids } = createTestQueue();
  queue.add(files(1, { refused: 'File type "exe" is not supported' }));
  queue.retry(ids());
  await settled();
  assert.is(sent.length, 0);
  assert.equal(states(), ['error']);
});

test('when the session ends the queue pauses instead of failing', async () => {
  const { queue, sent, states } = createTestQueue();
  queue.add(files(4));
  await settled();
  sent[0]?.fail(new UploadError('Please sign in again', { hold: 'signed-out' }));
  await settled();
  assert.is(queue.$hold.get(), 'signed-out');
  assert.equal(states(), ['queued', 'uploading', 'uploading', 'queued']);
  assert.is(sent.length, 3, 'no further upload starts');
  queue.resume();
  await settled();
  assert.is(sent.length, 4);
  assert.is(states().filter((status) => status === 'uploading').length, 3);
});

test('an upload without an answer leaves the queue paused for a sign-in, or nothing would ever resume it', async () => {
  const { queue, sent, timers, states } = createTestQueue();
  queue.add(files(3));
  await settled();
  sent[0]?.fail(new UploadError('Please sign in again', { hold: 'signed-out' }));
  sent[1]?.fail(new UploadError('Network error occurred', { hold: 'unreachable' }));
  await settled();
  assert.is(queue.$hold.get(), 'signed-out');
  assert.is(timers.length, 0);
  assert.equal(states(), ['queued', 'queued', 'uploading']);
});

test('a queue that waits for the server waits for a sign-in once the session has ended', async () => {
  const { queue, sent, timers } = createTestQueue();
  queue.add(files(2));
  await settled();
  sent[0]?.fail(new UploadError('Network error occurred', { hold: 'unreachable' }));
  sent[1]?.fail(new UploadError('Please sign in again', { hold: 'signed-out' }));
  await settled();
  assert.is(queue.$hold.get(), 'signed-out');
  timers.shift()?.();
  assert.is(queue.$hold.get(), 'signed-out', 'the timer of the former wait ends nothing');
});

test('without a network running uploads return to the queue and continue later', async () => {
  const { queue, sent, states } = createTestQueue();
  queue.add(files(2));
  await settled();
  queue.hold('offline');
  await settled();
  assert.equal(states(), ['queued', 'queued']);
  queue.resume();
  await settled();
  assert.equal(states(), ['uploading', 'uploading']);
  assert.is(sent.length, 4);
});

test('while the server is unreachable no upload starts, and interrupted ones are retried automatically', async () => {
  const { queue, sent, timers, states } = createTestQueue();
  const unreachable = () => new UploadError('Network error occurred', { hold: 'unreachable' });
  queue.add(files(4));
  await settled();
  for (const sending of sent) sending.fail(unreachable());
  await settled();
  assert.equal(states(), ['queued', 'queued', 'queued', 'queued']);
  assert.is(timers.length, 1, 'one timer for all of them');
  timers.shift()?.();
  await settled();
  assert.equal(states(), ['uploading', 'uploading', 'uploading', 'queued']);
  assert.equal(
    sent.slice(3).map(({ again }) => again),
    [true, true, true],
  );
});

test('an upload fails after all retries without a server, unless it made progress meanwhile', async () => {
  const { queue, sent, timers, states, ids } = createTestQueue();
  const failUnreachable = async () => {
    sent.at(-1)?.fail(new UploadError('Network error occurred', { hold: 'unreachable' }));
    await settled();
    timers.shift()?.();
    await settled();
  };
  queue.add(files(1));
  await settled();
  for (let n = 0; n < 6; n += 1) await failUnreachable();
  sent.at(-1)?.onResumed(4);
  assert.is(queue.$uploads.get()[0]?.loaded, 4);
  for (let n = 0; n < 6; n += 1) await failUnreachable();
  assert.equal(states(), ['uploading']);
  await failUnreachable();
  assert.equal(states(), ['error']);
  assert.is(queue.$uploads.get()[0]?.error, 'Network error occurred');
  queue.retry(ids());
  await settled();
  await failUnreachable();
  assert.equal(states(), ['uploading'], 'a retry by the user has all automatic retries again');
});

test('the folder of a file is created before the file is sent, and the file fails if its folder cannot be created', async () => {
  const { queue, sent, states } = createTestQueue();
  queue.add(files(1, { place: () => Promise.resolve(42) }));
  queue.add(files(1, { place: () => Promise.reject(new UploadError('Failed to create folder')) }));
  await settled();
  assert.is(sent[0]?.parentId, 42);
  assert.equal(states(), ['uploading', 'error']);
});

test('uploads in preparation are counted and not sent, until they are released with the answers of the user', async () => {
  const { queue, sent, states } = createTestQueue();
  const ids = queue.add(files(4), { preparing: true });
  await settled();
  assert.is(sent.length, 0);
  assert.equal(states(), ['queued', 'queued', 'queued', 'queued']);
  queue.cancel(ids.slice(3));
  queue.release(
    ids,
    new Map<string, Verdict>([
      [ids[0]!, 'skip'],
      [ids[1]!, { alreadyThere: true }],
      [ids[2]!, { conflict: 'replace' }],
    ]),
  );
  await settled();
  assert.equal(states(), ['completed', 'uploading', 'error']);
  assert.is(sent[0]?.conflict, 'replace');
  assert.is(sent.length, 1);
});

test('an uploaded folder stays in the panel until all its files are finished, and its files count in the totals after it is removed', async () => {
  const { queue, sent, timers, states } = createTestQueue();
  const batch = { id: 'b', name: 'GST', systemFiles: [] };
  queue.add(files(2, { batch }));
  await settled();
  sent[0]?.done();
  await settled();
  for (const run of timers.splice(0)) run();
  assert.equal(states(), ['completed', 'uploading']);
  sent[1]?.done();
  await settled();
  for (const run of timers.splice(0)) run();
  assert.equal(states(), []);
  assert.equal(queue.$removedTotals.get(), { files: 2, completed: 2, alreadyThere: 0, copies: 0, bytes: 20 });
  queue.add(files(1));
  assert.is(queue.$removedTotals.get().files, 0, 'the totals start at 0 with the next upload');
});

test('an empty folder is created without sending a file, and can be retried if this fails', async () => {
  const { queue, sent, states, ids } = createTestQueue();
  let tries = 0;
  const place = (): Promise<number> =>
    (tries += 1) === 1 ? Promise.reject(new UploadError('Folder limit reached')) : Promise.resolve(9);
  queue.add(files(1, { folder: true, place }));
  await settled();
  assert.equal(states(), ['error']);
  queue.retry(ids());
  await settled();
  assert.equal(states(), ['completed']);
  assert.is(sent.length, 0);
});

test('clearing removes finished uploads only', async () => {
  const { queue, sent, states } = createTestQueue();
  queue.add(files(3));
  await settled();
  sent[0]?.done();
  sent[1]?.fail(new Error('unforeseen'));
  await settled();
  assert.is(queue.$uploads.get()[1]?.error, 'Upload failed');
  queue.clear();
  assert.equal(states(), ['uploading']);
});

test.run();
