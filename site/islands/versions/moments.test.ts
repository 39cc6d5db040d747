import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { VersionView } from '#server/documents/versions/contract.ts';
import { momentIn } from './moments.ts';

test('a version has its minute, and its seconds only where another one of that minute is beside it', () => {
  const at = (id: number | null, created_at: string) => ({ id, created_at }) as VersionView;
  const current = at(null, '2026-11-29T01:12:40.000Z');
  const earlier = [at(2, '2026-11-29T01:12:05.000Z'), at(1, '2026-11-29T01:10:59.000Z')];
  const moments = [current, ...earlier].map((version) => momentIn({ current, earlier }, version));
  assert.equal(moments, ['Nov 29, 2026, 6:42:40 AM', 'Nov 29, 2026, 6:42:05 AM', 'Nov 29, 2026, 6:40 AM']);
  assert.is(momentIn(undefined, current), 'Nov 29, 2026, 6:42 AM');
});

test.run();
