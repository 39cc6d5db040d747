import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresOnly } from '../testing/postgres.ts';
import type { Wait } from '../testing/cluster/clients.ts';
import { proveCluster, SHORT, WHOLE } from '../testing/cluster/proof.ts';

const MOST_WAIT_MS = 5000;
const lengthOf = ({ from, to }: Wait): number => to - from;

const test = suite('three processes behind a balancer through outages');

// With OUTAGES=whole, as `npm run test:growth` sets it, S3 is away for 30 s and not for 5, and each process is killed in each moment.
test('nothing that was confirmed is lost or there twice when processes are killed and PostgreSQL and S3 go away', async () => {
  const report = await proveCluster(process.env['OUTAGES'] === 'whole' ? WHOLE : SHORT);
  const { undisturbed, takenOver } = report.longest;
  // On a busy machine the same calls wait long without any outage.
  const most = MOST_WAIT_MS + 3 * lengthOf(undisturbed);
  assert.ok(!takenOver || lengthOf(takenOver) <= most, JSON.stringify(report.longest));
});

postgresOnly(test).run();
