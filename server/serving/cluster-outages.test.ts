import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresOnly } from '../testing/postgres.ts';
import type { TimedAction } from '../testing/cluster/clients.ts';
import { proveCluster, SHORT, WHOLE } from '../testing/cluster/proof.ts';

const MAX_WAIT_MS = 5000;
const durationOf = ({ from, to }: TimedAction): number => to - from;

const test = suite('three processes behind a balancer during outages');

// With OUTAGES=whole, as `npm run test:growth` sets it, S3 is away for 30 s instead of 5, and each process is killed at each moment.
test('no confirmed change is lost or duplicated when processes are killed and PostgreSQL and S3 become unavailable', async () => {
  const report = await proveCluster(process.env['OUTAGES'] === 'whole' ? WHOLE : SHORT);
  const { undisturbed, takenOver } = report.longest;
  // On a busy machine the same actions take long without any outage.
  const maxWait = MAX_WAIT_MS + 3 * durationOf(undisturbed);
  assert.ok(!takenOver || durationOf(takenOver) <= maxWait, JSON.stringify(report.longest));
});

postgresOnly(test).run();
