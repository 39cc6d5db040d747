import { isUnderWay, recordsOf } from '../updates/record.ts';
import { Refused } from './refused.ts';

/**
 * For a command that changes what a data folder is sealed with or where its database is: the end of an update may put a copy of the
 * database back, which would not fit any more. Call with the data folder locked.
 * @throws {Refused} while an update is under way.
 */
export async function requireNoUpdate(dataDir: string): Promise<void> {
  const record = await recordsOf(dataDir).read();
  if (!record || !isUnderWay(record)) return;
  throw new Refused(
    `The update from ${record.from} to ${record.to} was cut short, and its end may put the database of before back. ` +
      'End it first: npm run admin -- update finish. Nothing was changed.',
  );
}
