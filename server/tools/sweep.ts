import { createRecords } from '../records/service.ts';
import { createSweeper } from '../records/sweeper.ts';
import { keptDatabases } from '../datadir/update-snapshot.ts';
import { mayGoBack, vaultDeletionLock } from '../serving/updates.ts';
import { keptInWords } from '../updates/contract.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { openAlongside, vaultLockOf } from './open-alongside.ts';
import type { Command } from './command.ts';
import { Refused } from './refused.ts';

const HOUR = 60 * 60_000;

const DURING_UPDATE =
  'An update is not over yet. If the new version fails, the database of before is put back, and it still needs the bytes of files deleted ' +
  'since. Run this again once "npm run admin -- update status" says that the update is done or went back. Nothing was removed.';

export const sweep: Command = {
  summary: 'remove the bytes of deleted files, and bytes that belong to no file',
  args: [],
  options: { 'dry-run': { type: 'boolean' }, force: { type: 'boolean' }, hours: { type: 'string' } },
  help: `The server does this by itself: for deleted files within seconds, for others once a day. May run beside it.

  --dry-run   only say what would be removed
  --hours N   keep bytes without a file that are younger than N hours (24)
  --force     remove them even if they are most of what is stored, or an update was taken back and its database is kept`,

  async run({ options, env, say }) {
    const config = await readUnlockedConfig(env);
    const hours = Number(options.hours ?? 24);
    if (!Number.isFinite(hours) || hours < 1) throw new Refused('--hours takes a number from 1 on.');
    const { db, blobs, close } = await openAlongside(config);
    try {
      const clock = () => new Date();
      const records = createRecords({ db, clock });
      const deletionLock = vaultDeletionLock(config.dataDir, vaultLockOf(config));
      const otherDatabases = () => keptDatabases(config.dataDir);
      const sweeper = createSweeper({
        records,
        blobs,
        settled: async () => clock(),
        deletionLock,
        otherDatabases,
      });
      const grace = hours * HOUR;
      if (options['dry-run']) {
        const [row]: { files: number }[] = await db.raw(
          `SELECT (SELECT count(*) FROM discarded_blobs) + (SELECT count(blob_id) FROM item_rows
             WHERE id IN (SELECT item_id FROM hidden_items WHERE planting IS NULL AND trash IS NULL)) AS files`,
        );
        const { ids } = await sweeper.orphans(grace);
        // Deleted files are counted as orphans as well, once they are old enough.
        say(
          `Would remove the bytes of ${row!.files} deleted files, and ${ids.length} blobs older than ${hours} h without a file.`,
        );
        return true;
      }
      if (await mayGoBack(config.dataDir)) throw new Refused(DURING_UPDATE);
      const deleted = await sweeper.drain();
      const orphans = await sweeper
        .sweepOrphans({ grace, force: options.force === true })
        .catch((error: Error) => {
          throw new Refused(error.message);
        });
      const kept = await otherDatabases();
      if (kept.length > 0 && options.force !== true)
        say(`Bytes without a file were left alone. ${keptInWords(kept)}`);
      say(`Removed the bytes of ${deleted} deleted files, and ${orphans.length} blobs without a file.`);
      return true;
    } finally {
      await close();
    }
  },
};
