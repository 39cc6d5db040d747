// Updates an installation, and stops at a step to be killed.
import { printStep } from '../../testing/kill-at-line.ts';
import { openRelease } from '../archive.ts';
import { readKeys } from '../release.ts';
import { finishUpdate, update } from '../update.ts';
import { dependenciesOf } from './installation.ts';

const [base, dataDir, archive, key] = process.argv.slice(2) as [string, string, string, string];
const dependencies = dependenciesOf({ base, dataDir, archive, key }, printStep);
await finishUpdate(dependencies);
await update(dependencies, await openRelease(archive, readKeys(key), null));
