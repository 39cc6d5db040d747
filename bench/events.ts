import { openEventStream } from '../server/testing/event-stream.ts';
import { bearer } from '../server/testing/visitor.ts';
import { freshWorld } from '../server/testing/world.ts';
import type { Figure } from './measure.ts';
import { fixed, median, percentile } from './measure.ts';

const PEOPLE = 9;
const TABS = 20;
const CHANGES = 20;
/** Milliseconds between two changes; longer than the interval in which changes are combined into one event. */
const APART = 1500;

/** Measures the delay from a change until the last of 200 open tabs of ten users has received its event over HTTP. */
export async function events(): Promise<Figure[]> {
  const world = await freshWorld();
  const base = await world.serve();
  try {
    const asha = await world.build.account();
    const people = [asha];
    for (let n = 0; n < PEOPLE; n += 1) people.push(await world.build.colleague(asha.actor));
    const open = people.flatMap(({ token }) => Array.from({ length: TABS }, () => token));
    const tabs = await Promise.all(open.map((token) => openEventStream(base, bearer(token))));
    await Promise.all(tabs.map((tab) => tab.next('ready')));
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let n = 0; n < CHANGES; n += 1) {
      const started = performance.now();
      await world.build.folder(asha.actor, `Folder ${n}`);
      await Promise.all(tabs.map((tab) => tab.next('change')));
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, APART));
    }
    const { user, system } = process.cpuUsage(before);
    for (const tab of tabs) tab.close();
    const p95 = percentile(times, 95);
    return [
      {
        name: `a change is heard in all of ${tabs.length} open tabs: p50, p95`,
        value: `${fixed(median(times), 0)}, ${fixed(p95, 0)} ms`,
        target: { text: 'p95 < 500 ms', reached: p95 < 500 },
      },
      {
        name: 'CPU for each change, its listeners included',
        value: `${fixed((user + system) / 1000 / CHANGES, 1)} ms`,
      },
    ];
  } finally {
    await world.close();
  }
}
