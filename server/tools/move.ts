import { addressMissing } from '../datadir/database.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import type { Command } from './command.ts';
import { moveBlobs } from './move-blobs.ts';
import { moveDatabase } from './move-database.ts';
import { databaseOf } from './open-alongside.ts';
import { Refused } from './refused.ts';

export const move: Command = {
  summary: 'bring the files into a bucket of an S3 server, or the database to PostgreSQL, or back',
  args: [],
  options: { 'to-blobs': { type: 'string' }, 'to-database': { type: 'string' } },
  help: `To another store: copies every stored file, as it is sealed, and reads it back; run again it goes on where it was. Beside a running server it only
copies. With the server stopped it copies what came meanwhile, and then switches: from then on the vault opens only with BLOBS as it says.
The files in the old place are left.

  --to-blobs s3://bucket/folder?endpoint=…&region=…   with the key in BLOBS_S3_KEY_ID and BLOBS_S3_SECRET
  --to-blobs disk                                     into the data folder

To another database, with the server stopped: copies all tables in one step, reads them back and compares them, and then switches.
Cut off, it is run again. The database in the old place is left.

  --to-database postgres://user:password@host/name    an empty database; DATABASE_URL is not set yet
  --to-database file                                  from that of DATABASE_URL into the data folder`,

  async run(input) {
    const config = await readUnlockedConfig(input.env);
    const { 'to-blobs': address, 'to-database': database } = input.options;
    if (typeof database === 'string' && address === undefined) return moveDatabase(config, database, input);
    if (typeof address !== 'string' || database !== undefined)
      throw new Refused(
        'Say where to, one at a time: --to-blobs s3://… or disk, or --to-database postgres://… or file.',
      );
    if (!config.databaseUrl) databaseOf(config.dataDir, addressMissing(config.dataDir));
    return moveBlobs(config, address, input);
  },
};
