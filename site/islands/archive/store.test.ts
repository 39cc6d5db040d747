import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExtractionView } from '#server/archive/contract.ts';
import { CANCELLING, COMPLETED_ROW_MS, POLL_INTERVAL_MS, POLL_FAILED, createExtractions } from './store.ts';

const view = (change: Partial<ExtractionView> = {}): ExtractionView => ({
  id: 1,
  extraction_id: 1,
  item_id: 7,
  file_name: 'Returns.zip',
  status: 'starting',
  progress: 0,
  message: '',
  code: null,
  bytes_done: 0,
  bytes_total: 0,
  files: 0,
  folders: 0,
  folder_id: null,
  folder_name: null,
  parent_id: null,
  skipped: [],
  skipped_count: 0,
  created_at: '',
  finished_at: null,
  ...change,
});

/** A store whose server returns `server.status`, and whose timers run when the test calls `runTimers`. */
function createTestStore() {
  const server = { status: view() as ExtractionView | Error, polls: 0, started: [] as unknown[] };
  const timers: { run: () => void; milliseconds: number }[] = [];
  const store = createExtractions({
    calls: {
      async start(itemId, request) {
        server.started.push([itemId, request]);
        return view({ id: server.started.length, item_id: itemId });
      },
      async status(id) {
        server.polls += 1;
        if (server.status instanceof Error) throw server.status;
        return { ...server.status, id };
      },
      running: async () => [view({ id: 9 }), view({ id: 8 })],
      cancel: async (id) => view({ id, status: 'cancelled' }),
    },
    later: (run, milliseconds) => timers.push({ run, milliseconds }),
  });
  /** Runs the timers of this duration. */
  async function runTimers(milliseconds: number): Promise<void> {
    const due = timers.filter((timer) => timer.milliseconds === milliseconds);
    for (const timer of due) timers.splice(timers.indexOf(timer), 1);
    for (const timer of due) timer.run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const rows = () => store.$extractions.get().map(({ id, status }) => `${id} ${status}`);
  return { store, server, runTimers, rows };
}

const test = suite('the extractions of a tab');

test('the status is polled each second until the extraction ends, listeners are called once, and the row is removed after five seconds', async () => {
  const { store, server, runTimers, rows } = createTestStore();
  const ended: string[] = [];
  store.onEnded(({ status }) => ended.push(status));
  await store.start(7);
  for (const progress of [10, 60]) {
    server.status = view({ status: 'processing', progress });
    await runTimers(POLL_INTERVAL_MS);
    assert.is(store.$extractions.get()[0]!.progress, progress);
  }
  server.status = view({ status: 'completed', progress: 100 });
  await runTimers(POLL_INTERVAL_MS);
  await runTimers(POLL_INTERVAL_MS);
  assert.is(server.polls, 3, 'an ended extraction is not polled again');
  assert.equal([ended, rows()], [['completed'], ['1 completed']]);
  await runTimers(COMPLETED_ROW_MS);
  assert.equal(rows(), []);
});

test('an extraction whose status cannot be polled is shown as failed', async () => {
  const { store, server, runTimers } = createTestStore();
  await store.start(7);
  server.status = new Error('network');
  await runTimers(POLL_INTERVAL_MS);
  const [extraction] = store.$extractions.get();
  assert.equal([extraction!.status, extraction!.message], ['failed', POLL_FAILED]);
});

test('the row of an extraction that failed, or that skipped entries, stays until the user dismisses it', async () => {
  for (const end of [view({ status: 'failed' }), view({ status: 'completed', skipped_count: 2 })]) {
    const { store, server, runTimers, rows } = createTestStore();
    await store.start(7);
    server.status = end;
    await runTimers(POLL_INTERVAL_MS);
    await runTimers(COMPLETED_ROW_MS);
    assert.is(rows().length, 1);
    store.dismiss(1);
    assert.equal(rows(), []);
  }
});

test('a retry replaces the failed row and repeats its request, with the password that was typed', async () => {
  const { store, server, runTimers, rows } = createTestStore();
  await store.start(7);
  server.status = view({ status: 'failed', code: 'password_needed' });
  await runTimers(POLL_INTERVAL_MS);
  await store.retry(1, 'ABCDE1234F');
  assert.equal(server.started[1], [7, { again: 1, password: 'ABCDE1234F' }]);
  assert.equal(rows(), ['2 starting']);
});

test('after a reload running extractions are shown again, the oldest first, and each once', async () => {
  const { store, rows } = createTestStore();
  await store.resume();
  await store.resume();
  assert.equal(rows(), ['8 starting', '9 starting']);
});

test('an extraction that had ended before its first status is reported to listeners, and its row is removed', async () => {
  const { store, server, runTimers, rows } = createTestStore();
  const ended: string[] = [];
  store.onEnded(({ status }) => ended.push(status));
  server.status = view({ status: 'completed' });
  await store.adopt(4);
  assert.equal([ended, rows()], [['completed'], ['4 completed']]);
  await runTimers(COMPLETED_ROW_MS);
  assert.equal(rows(), []);
});

test('a dismissed extraction is still polled, and gets its row back if it fails', async () => {
  const { store, server, runTimers, rows } = createTestStore();
  let ended = 0;
  store.onEnded(() => (ended += 1));
  await store.start(7);
  await store.start(8);
  store.dismiss(1);
  store.dismiss(2);
  assert.equal(rows(), []);
  server.status = view({ status: 'failed' });
  await runTimers(POLL_INTERVAL_MS);
  assert.equal([ended, rows()], [2, ['1 failed', '2 failed']]);
});

test('failed extractions are listed above running ones', async () => {
  const { store, server, runTimers, rows } = createTestStore();
  await store.start(7);
  server.status = view({ status: 'failed' });
  await runTimers(POLL_INTERVAL_MS);
  await store.resume();
  assert.equal(rows(), ['1 failed', '8 starting', '9 starting']);
});

test('a cancellation is shown immediately, and the row is removed without a click', async () => {
  const { store, runTimers, rows } = createTestStore();
  await store.start(7);
  const cancelled = store.cancel(1);
  assert.is(store.$extractions.get()[0]!.message, CANCELLING);
  await cancelled;
  assert.equal(rows(), ['1 cancelled']);
  await runTimers(COMPLETED_ROW_MS);
  assert.equal(rows(), []);
});

test.run();
