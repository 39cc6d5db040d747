import knex from 'knex';
import type { Knex } from 'knex';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgres } from '../../../knexfile.ts';
import { bareDatabase, postgresOnly } from '../../testing/postgres.ts';
import { addEntries, newest } from './item-search.ts';

interface Ctx {
  db: Knex;
  close(): Promise<void>;
}

const FIRM = 40;
const OTHER = 41;
const grams = (firm: number, ...words: string[]): string =>
  words.map((word) => `${firm.toString(36)}\ue100${word}`).join(' ');
const matchExpression = (word: string): string => `"${grams(FIRM, word)}"`;

const test = suite<Ctx>('the newest matching entries in PostgreSQL');
test.before(async (ctx) => {
  const { address, drop } = await bareDatabase();
  ctx.db = knex(postgres(address));
  ctx.close = async () => {
    await ctx.db.destroy();
    await drop();
  };
  await ctx.db.migrate.latest();
  const entries = Array.from({ length: 4000 }, (_, n) => {
    const id = 4000 - n;
    const words = ['all', ...(id % 8 === 0 ? ['some'] : []), ...(id > 3950 ? ['late'] : [])];
    const old = id < 100 ? ['old'] : [];
    return { id, grams: grams(id % 2 === 0 ? FIRM : OTHER, ...words, ...old, `n${id}`) };
  });
  await ctx.db.transaction(async (trx) => {
    for (let start = 0; start < entries.length; start += 500)
      await addEntries(trx, entries.slice(start, start + 500));
  });
});
test.after((ctx) => ctx.close());

test('however many entries match, the result is the highest matching ids of the firm, in order', async ({
  db,
}) => {
  const newestIds = async (word: string, limit: number): Promise<number[]> =>
    (
      (await db.raw(newest({ columns: ['id'], limit, condition: '' }), [matchExpression(word)])) as {
        id: number;
      }[]
    ).map(({ id }) => id);
  const even = Array.from({ length: 2000 }, (_, n) => 4000 - 2 * n);
  const matching: Record<string, number[]> = {
    all: even,
    some: even.filter((id) => id % 8 === 0),
    late: even.filter((id) => id > 3950),
    old: even.filter((id) => id < 100),
    n24: [24],
    n25: [],
  };
  for (const [word, ids] of Object.entries(matching))
    for (const limit of [1, 20, 600, 3000])
      assert.equal(await newestIds(word, limit), ids.slice(0, limit), `${limit} of "${word}"`);
});

postgresOnly(test).run();
