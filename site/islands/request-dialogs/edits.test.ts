import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RequestView } from '#server/requests/contract.ts';
import { changeOf, fieldsOf } from './edits.ts';

type Rows = Partial<RequestView['rows'][number]>[];
const request = ({ rows, ...more }: { rows?: Rows } & Partial<Omit<RequestView, 'rows'>> = {}): RequestView =>
  ({
    title: 'ITR',
    note: '',
    due_on: null,
    language: 'en',
    email: 'meera@example.in',
    reminders: { before: 3, on: true, after: 7 },
    ...more,
    rows: (
      rows ?? [
        { id: 1, name: 'Form 16' },
        { id: 2, name: 'PAN' },
      ]
    ).map((row) => ({ state: 'wanted', files: [], ...row })),
  }) as unknown as RequestView;

test('saving an edited list keeps the rows that a colleague added or renamed meanwhile, and does not restore removed ones', () => {
  const opened = request();
  const latest = request({
    rows: [
      { id: 1, name: 'Form 16 of both employers' },
      { id: 3, name: 'Bank statement' },
    ],
  });
  const fields = { ...fieldsOf(opened), rows: 'Form 16\nPAN\nRent agreement' };
  assert.equal(changeOf(opened, latest, fields).rows, [
    { id: 1, name: 'Form 16 of both employers' },
    { id: null, name: 'Rent agreement' },
    { id: 3, name: 'Bank statement' },
  ]);
});

test('a row that was corrected here wins over a colleague, also when the colleague removed it', () => {
  const opened = request();
  const latest = request({ rows: [{ id: 1, name: 'Form-16' }] });
  const fields = { ...fieldsOf(opened), rows: 'FORM 16\nPan' };
  assert.equal(changeOf(opened, latest, fields).rows, [
    { id: 1, name: 'FORM 16' },
    { id: null, name: 'Pan' },
  ]);
});

test('a row that was replaced here and corrected by a colleague is removed, since its name is gone from the list', () => {
  const opened = request();
  const latest = request({
    rows: [
      { id: 1, name: 'Form-16' },
      { id: 2, name: 'PAN' },
    ],
  });
  const fields = { ...fieldsOf(opened), rows: 'Trial balance\nPAN' };
  assert.equal(changeOf(opened, latest, fields).rows, [
    { id: null, name: 'Trial balance' },
    { id: 2, name: 'PAN' },
  ]);
});

test('fields and a list that were not edited are saved as a colleague has set them meanwhile', () => {
  const opened = request();
  const rows = [
    { id: 2, name: 'PAN' },
    { id: 1, name: 'Form 16' },
  ];
  const latest = request({ rows, due_on: '2026-12-31', note: 'By Friday', email: 'office@example.in' });
  const { reminders } = opened;
  const change = changeOf(opened, latest, { ...fieldsOf(opened), title: 'ITR 2026', note: 'Please hurry' });
  assert.equal(change, {
    title: 'ITR 2026',
    note: 'Please hurry',
    language: 'en',
    due_on: '2026-12-31',
    email: 'office@example.in',
    reminders,
    rows,
  });
});

test('a document that was sent while the list was edited is not renamed to another', () => {
  const opened = request();
  const latest = request({
    rows: [
      { id: 1, name: 'Form 16' },
      { id: 2, name: 'PAN', state: 'received' },
    ],
  });
  const fields = { ...fieldsOf(opened), rows: 'Form 16\nBank statement' };
  assert.equal(changeOf(opened, latest, fields).rows, [
    { id: 1, name: 'Form 16' },
    { id: null, name: 'Bank statement' },
  ]);
});

test.run();
