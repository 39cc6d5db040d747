import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { $hasToasts } from '../../lib/toast.ts';
import { queue, upload } from './uploads.ts';

/** A file that cannot be looked at, as of a share that was taken away. */
const broken = (): File =>
  Object.defineProperty(new File([], 'Form 16.pdf'), 'name', {
    get() {
      throw new Error('unreadable');
    },
  });
const TARGET = { parentId: null, clientId: null };
const collected = (path: string[]) => ({
  files: [{ path, file: broken() }],
  emptyFolders: [],
  systemFiles: [],
});

test('an upload that cannot even be started says so, because otherwise nothing would seem to happen', () => {
  assert.is(upload(collected([]), TARGET), 'Failed to start upload. Please try again.');
});

test('an upload of a folder that fails while it is prepared says so, and leaves no rows that wait for ever', async () => {
  assert.is(upload(collected(['Bills']), TARGET), null);
  await until(() => $hasToasts.get());
  assert.equal(queue.$uploads.get(), []);
});

test.run();
