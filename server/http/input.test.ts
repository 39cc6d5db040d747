import { globSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { AppError } from './errors.ts';
import { parse } from './input.ts';

const ROOMS = new URL('..', import.meta.url);
/** No rule takes all of these, and most rules take none. */
const WRONG: readonly unknown[] = ['\u0000wrong', 1.5, -1, true, {}, [{}], [[]], [null], ['\u0000wrong']];

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
const entriesOf = (schema: v.GenericSchema): string[] =>
  'entries' in schema ? Object.keys(schema.entries as object) : [];

/** Every schema of every contract, by `file name`. */
async function schemas(): Promise<[string, v.GenericSchema][]> {
  const found: [string, v.GenericSchema][] = [];
  for (const file of globSync('**/contract.ts', { cwd: ROOMS })) {
    const exported = (await import(new URL(file, ROOMS).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported))
      if (isSchema(value)) found.push([`${file} ${name}`, value]);
  }
  return found;
}

function refusal(schema: v.GenericSchema, body: unknown): AppError | null {
  try {
    parse(schema, body);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

test('no field of any call is refused in the validator’s own words, because a user reads the message', async () => {
  const wrong: string[] = [];
  let refused = 0;
  for (const [name, schema] of await schemas())
    for (const field of entriesOf(schema))
      for (const value of WRONG) {
        const { errors = {} } = refusal(schema, { [field]: value }) ?? {};
        const texts = Object.values(errors).flat();
        refused += texts.length;
        for (const text of texts) if (/Expected|[Rr]eceived \S+$/.test(text)) wrong.push(`${name}: ${text}`);
      }
  assert.equal([...new Set(wrong)], []);
  assert.ok(refused > 800, 'most of the wrong values are refused');
});

test('a rule without a message of its own refuses in words of ours, also inside a list', () => {
  const schema = v.object({ flag: v.boolean(), rows: v.array(v.object({ size: v.number() })) });
  const error = refusal(schema, { flag: 'abc', rows: [{ size: 'abc' }] });
  assert.equal(error?.errors, {
    flag: ['This value cannot be used.'],
    rows: ['This value cannot be used.'],
  });
});

test.run();
