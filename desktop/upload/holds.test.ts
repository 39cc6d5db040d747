import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { openStores, withFolder } from '#desktop/testing/folder.ts';
import { createHolds } from './holds.ts';
import { UploadError } from './upload-error.ts';
import type { VaultClient } from './vault-client.ts';

const FULL = new UploadError('hold', 'Not enough storage.', { hold: 'full' });
const MB = 1024 * 1024;

/** Holds of a vault that says it has this much room, for a queue with a file of this size. */
async function withHolds(
  { room, largest, refuses = false }: { room: number; largest: number; refuses?: boolean },
  work: (
    holds: ReturnType<typeof createHolds>,
    seen: { vault: number; notices: string[]; polls: number; releases: number },
  ) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const { db, vaults, vault } = openStores(folder);
    const seen = { vault: vault.id, notices: [] as string[], polls: 0, releases: 0 };
    const me = () => {
      seen.polls += 1;
      return Promise.resolve({ may_write: true, quota_left: room });
    };
    const holds = createHolds({
      vaults,
      client: () => ({ me }) as unknown as VaultClient,
      first: 10,
      largest: () => largest,
      answered: () => {},
      hasRoom: () => {},
      released: () => {
        seen.releases += 1;
        if (refuses) holds.hold(vault.id, FULL, largest);
      },
      notify: (_vault, message) => seen.notices.push(message),
      changed: () => {},
    });
    try {
      await work(holds, seen);
    } finally {
      holds.stop();
      db.close();
    }
  });
}

test('a vault that refuses what it has said it would take is asked less and less often, with one notice, until a file has gone up', () =>
  withHolds({ room: MB, largest: MB, refuses: true }, async (holds, seen) => {
    const started = performance.now();
    holds.hold(seen.vault, FULL, MB);
    await until(() => seen.releases >= 6);
    assert.ok(performance.now() - started > 10 * (1 + 2 + 4 + 8 + 16), 'each pause is twice the one before');
    assert.equal(seen.notices, ['Not enough storage.']);
    assert.not(holds.wentUp(seen.vault) && holds.wentUp(seen.vault), 'it is told once');
  }));

test('a full vault takes files up to the room it has, and still smaller ones once it has refused one of them', () =>
  withHolds({ room: 3 * MB, largest: 5 * MB }, async (holds, seen) => {
    assert.ok(holds.room(seen.vault) > 5 * MB);
    holds.hold(seen.vault, FULL, 5 * MB);
    assert.is(holds.room(seen.vault), 0, 'not known yet');
    await until(() => holds.room(seen.vault) === 3 * MB);
    holds.hold(seen.vault, FULL, 2 * MB);
    assert.is(holds.room(seen.vault), 2 * MB - 1);
    assert.is(seen.releases, 0);
    assert.is(holds.of(seen.vault)?.hold, 'full');
  }));

test.run();
