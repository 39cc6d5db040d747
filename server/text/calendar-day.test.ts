import * as v from 'valibot';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { auditQuery } from '#server/audit/contract.ts';
import { filesQuery } from '#server/documents/lists/contract.ts';
import { makeRequests } from '#server/requests/contract.ts';
import { twoStepRequirement } from '#server/team/contract.ts';
import { isCalendarDay } from './calendar-day.ts';

test('a day that no month has is no day, although the language counts on into the next month', () => {
  for (const day of ['2026-02-28', '2028-02-29', '2026-03-31', '2026-12-31'])
    assert.ok(isCalendarDay(day), day);
  for (const day of ['2026-02-29', '2026-02-30', '2026-06-31', '2026-13-01', '2026-00-10', '2026-1-1', ''])
    assert.not(isCalendarDay(day), day);
});

test('forms and filters refuse such a day, or a reminder would go out on another day than the client was told', () => {
  const takes = (schema: v.GenericSchema, input: unknown) => v.safeParse(schema, input).success;
  const request = (due_on: string) => ({ client_ids: [1], rows: ['Form 16'], title: 'ITR', due_on });
  for (const [day, is] of [
    ['2026-02-28', true],
    ['2026-02-30', false],
  ] as const) {
    assert.is(takes(makeRequests, request(day)), is);
    assert.is(takes(auditQuery, { from: day }), is);
    assert.is(takes(filesQuery, { from: day }), is);
    assert.is(takes(twoStepRequirement, { required: true, from: day }), is);
  }
});

test.run();
