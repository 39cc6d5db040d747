import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Results } from '../../lib/search.ts';
import { NO_RESULTS } from '../../lib/search.ts';
import { countResults, groupsOf } from './resultLines.ts';

test('a client is one result although it has two lines, and the line that leads to more results is none', () => {
  const results = {
    ...NO_RESULTS,
    clients: [{ id: 1, name: 'Sharma Traders' }],
    items: Array.from({ length: 10 }, (_, index) => ({ id: index, parent_id: null })),
    total: 10,
  } as unknown as Results;
  const lines = groupsOf(results, 'sharma').flatMap((group) => group.lines);
  assert.equal([lines.length, countResults(lines)], [11, 9]);
});

test.run();
