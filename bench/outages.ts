import type { Report } from '../server/testing/cluster/proof.ts';
import { proveCluster, WHOLE } from '../server/testing/cluster/proof.ts';
import { hasPostgres } from '../server/tools/postgres/server.ts';
import type { Figure } from './measure.ts';
import { fixed } from './measure.ts';

const MAX_WAIT = 5000;

const seconds = (ms: number): string => `${fixed(ms / 1000)} s`;
const durationOf = ({ from, to }: { from: number; to: number }): number => to - from;

/** Such as `2.3 s (upload: 0.9 s, 1.4 s)`, with the duration of each try. */
const triesOf = (wait: Report['longest']['disturbed']): string =>
  `${seconds(durationOf(wait))} (${wait.what}: ${wait.tries.map(seconds).join(', ')})`;

function figuresOf({
  store,
  outages,
  files,
  extractions,
  payments,
  retriedExtractions,
  swept,
  longest,
}: Report): Figure[] {
  const takenOver = longest.takenOver ? durationOf(longest.takenOver) : 0;
  return [
    {
      name: `confirmed, and there once after ${outages.kills.length} processes were killed, on ${store}`,
      value: `${files} files, ${extractions} extractions, ${payments} payments`,
    },
    {
      name: 'longest wait before the first outage',
      value: `${seconds(durationOf(longest.undisturbed))} (${longest.undisturbed.what})`,
    },
    {
      name: 'longest wait since, of what needed nothing that was away',
      value: triesOf(longest.disturbed),
    },
    {
      name: 'longest wait for another process, from the end of the killed one to the answer',
      value: longest.takenOver ? triesOf(longest.takenOver) : 'none',
      target: { text: '≤ 5 s', reached: takenOver <= MAX_WAIT },
    },
    ...(longest.besideS3
      ? [
          {
            name: 'of these while S3 was away',
            value: `${seconds(durationOf(longest.besideS3))} (${longest.besideS3.what})`,
          },
        ]
      : []),
    ...(longest.extraction
      ? [
          {
            name: 'longest extraction, with the processes killed under it',
            value: seconds(durationOf(longest.extraction)),
          },
        ]
      : []),
    ...outages.downtimes.map(({ what, from, to, readyAfter }) => ({
      name: `${what} away, and all processes ready again after it`,
      value: `${seconds(to - from)}, ${seconds(readyAfter)}`,
    })),
    { name: 'extractions that failed meanwhile and were begun again', value: String(retriedExtractions) },
    { name: 'blobs without a row that the sweep deleted', value: String(swept) },
  ];
}

/** Ten clients use three processes, while each is killed during an upload, an extraction and a payment, and PostgreSQL and S3 become unavailable. */
export async function outages(): Promise<Figure[]> {
  if (!hasPostgres()) return [{ name: 'outages', value: 'skipped, no PostgreSQL here' }];
  return figuresOf(await proveCluster(WHOLE));
}
