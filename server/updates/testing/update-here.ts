// Updates an installation, and stops at a step to be killed.
import { printStep } from '../../testing/kill-at-line.ts';
import { openRelease } from '../archive.ts';
import { readKeys } from '../release.ts';
import { finishUpdate, update } from '../update.ts';
import { partsOf } from './installation.ts';

const [base, dataDir, archive, key] = process.argv.slice(2) as [string, string, string, string];
const parts = partsOf({ base, dataDir, archive, key }, printStep);
await finishUpdate(parts);
await update(parts, await openRelease(archive, readKeys(key), null));
