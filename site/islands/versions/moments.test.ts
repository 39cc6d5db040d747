import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { VersionView } from '#server/documents/versions/contract.ts';
import { momentsIn } from './moments.ts';

test('a version has its minute, and its seconds only where another one of that minute is beside it', () => {
  const at = (id: number | null, created_at: string) => ({ id, created_at }) as VersionView;
  const current = at(null, '2026-11-29T01:12:40.000Z');
  const earlier = [at(2, '2026-11-29T01:12:05.000Z'), at(1, '2026-11-29T01:10:59.000Z')];
  const moments = [current, ...earlier].map(momentsIn({ current, earlier }));
  assert.equal(moments, ['Nov 29, 2026, 6:42:40 AM', 'Nov 29, 2026, 6:42:05 AM', 'Nov 29, 2026, 6:40 AM']);
  assert.is(momentsIn(undefined)(current), 'Nov 29, 2026, 6:42 AM');
});

test('a version is not compared with all others, which took seconds for a thousand of them', () => {
  let read = 0;
  const earlier = Array.from({ length: 200 }, (_, minute) => ({
    id: minute,
    get created_at() {
      read += 1;
      return new Date(Date.UTC(2026, 10, 29) + minute * 60_000).toISOString();
    },
  })) as VersionView[];
  const momentOf = momentsIn({ current: earlier[0]!, earlier: earlier.slice(1) });
  for (const version of earlier) momentOf(version);
  assert.ok(read < 5 * earlier.length, `${read} dates read`);
});

test.run();
