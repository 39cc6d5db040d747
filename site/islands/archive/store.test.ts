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

/** A server that answers with what the test sets, and a clock that the test moves. */
function world() {
  const server = { now: view() as ExtractionView | Error, asked: 0, started: [] as unknown[] };
  const waiting: { run: () => void; milliseconds: number }[] = [];
  const store = createExtractions({
    calls: {
      async start(itemId, wish) {
        server.started.push([itemId, wish]);
        return view({ id: server.started.length, item_id: itemId });
      },
      async status(id) {
        server.asked += 1;
        if (server.now instanceof Error) throw server.now;
        return { ...server.now, id };
      },
      running: async () => [view({ id: 9 }), view({ id: 8 })],
      cancel: async (id) => view({ id, status: 'cancelled' }),
    },
    later: (run, milliseconds) => waiting.push({ run, milliseconds }),
  });
  /** Runs what waits for so long. */
  async function pass(milliseconds: number): Promise<void> {
    const due = waiting.filter((one) => one.milliseconds === milliseconds);
    for (const one of due) waiting.splice(waiting.indexOf(one), 1);
    for (const one of due) one.run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const shown = () => store.$extractions.get().map(({ id, status }) => `${id} ${status}`);
  return { store, server, pass, shown };
}

const test = suite('the extractions of a tab');

test('looks every second until the end, tells it once, and the row leaves after five', async () => {
  const { store, server, pass, shown } = world();
  const ended: string[] = [];
  store.onEnded(({ status }) => ended.push(status));
  await store.start(7);
  for (const progress of [10, 60]) {
    server.now = view({ status: 'processing', progress });
    await pass(POLL_INTERVAL_MS);
    assert.is(store.$extractions.get()[0]!.progress, progress);
  }
  server.now = view({ status: 'completed', progress: 100 });
  await pass(POLL_INTERVAL_MS);
  await pass(POLL_INTERVAL_MS);
  assert.is(server.asked, 3, 'what has ended is not asked for again');
  assert.equal([ended, shown()], [['completed'], ['1 completed']]);
  await pass(COMPLETED_ROW_MS);
  assert.equal(shown(), []);
});

test('a look that fails marks it failed, as specified', async () => {
  const { store, server, pass } = world();
  await store.start(7);
  server.now = new Error('network');
  await pass(POLL_INTERVAL_MS);
  const [one] = store.$extractions.get();
  assert.equal([one!.status, one!.message], ['failed', POLL_FAILED]);
});

test('a failure, and what was left out, stay until somebody has read them', async () => {
  for (const end of [view({ status: 'failed' }), view({ status: 'completed', skipped_count: 2 })]) {
    const { store, server, pass, shown } = world();
    await store.start(7);
    server.now = end;
    await pass(POLL_INTERVAL_MS);
    await pass(COMPLETED_ROW_MS);
    assert.is(shown().length, 1);
    store.dismiss(1);
    assert.equal(shown(), []);
  }
});

test('a retry takes the place of the failed one and repeats its wish, with the password when it is given', async () => {
  const { store, server, pass, shown } = world();
  await store.start(7);
  server.now = view({ status: 'failed', code: 'password_needed' });
  await pass(POLL_INTERVAL_MS);
  await store.retry(1, 'ABCDE1234F');
  assert.equal(server.started[1], [7, { again: 1, password: 'ABCDE1234F' }]);
  assert.equal(shown(), ['2 starting']);
});

test('after a reload what runs is shown again, the oldest first, and each once', async () => {
  const { store, shown } = world();
  await store.resume();
  await store.resume();
  assert.equal(shown(), ['8 starting', '9 starting']);
});

test('what had ended when it was first seen is told and leaves like any other', async () => {
  const { store, server, pass, shown } = world();
  const ended: string[] = [];
  store.onEnded(({ status }) => ended.push(status));
  server.now = view({ status: 'completed' });
  await store.adopt(4);
  assert.equal([ended, shown()], [['completed'], ['4 completed']]);
  await pass(COMPLETED_ROW_MS);
  assert.equal(shown(), []);
});

test('a row taken away while it runs is still heard of, and comes back with bad news', async () => {
  const { store, server, pass, shown } = world();
  let ended = 0;
  store.onEnded(() => (ended += 1));
  await store.start(7);
  await store.start(8);
  store.dismiss(1);
  store.dismiss(2);
  assert.equal(shown(), []);
  server.now = view({ status: 'failed' });
  await pass(POLL_INTERVAL_MS);
  assert.equal([ended, shown()], [2, ['1 failed', '2 failed']]);
});

test('what failed stands above what runs', async () => {
  const { store, server, pass, shown } = world();
  await store.start(7);
  server.now = view({ status: 'failed' });
  await pass(POLL_INTERVAL_MS);
  await store.resume();
  assert.equal(shown(), ['1 failed', '8 starting', '9 starting']);
});

test('a cancelled one says so at once, and leaves by itself', async () => {
  const { store, pass, shown } = world();
  await store.start(7);
  const cancelled = store.cancel(1);
  assert.is(store.$extractions.get()[0]!.message, CANCELLING);
  await cancelled;
  assert.equal(shown(), ['1 cancelled']);
  await pass(COMPLETED_ROW_MS);
  assert.equal(shown(), []);
});

test.run();
