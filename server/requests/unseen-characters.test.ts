import { suite } from 'uvu';
import * as v from 'valibot';
import * as assert from 'uvu/assert';
import { makePortal } from '../portal/contract.ts';
import { judgeRow, makeRequests, saveTemplate } from './contract.ts';
import type { Office } from './testing/office.ts';
import { eachOffice, pdf, sender } from './testing/office.ts';

const test = suite<Office>('characters in requests that nobody sees, not all of which PostgreSQL can store');
eachOffice(test);

test('they are taken out of what the office writes, and no address has one', () => {
  const made = v.parse(makeRequests, {
    client_ids: [1],
    rows: ['Form\0 16'],
    title: ' ITR\u000b26',
    note: 'a\0\nb',
  });
  assert.equal([made.rows, made.title, made.note], [['Form 16'], 'ITR 26', 'a\nb']);
  assert.is(v.parse(saveTemplate, { name: 'Ours\0', rows: ['PAN'] }).name, 'Ours');
  assert.is(v.parse(judgeRow, { state: 'returned', reason: 'Page\0 2\n' }).reason, 'Page 2');
  assert.not.ok(v.safeParse(saveTemplate, { name: '\0', rows: ['PAN'] }).success);
  assert.not.ok(v.safeParse(makePortal, { client_id: 1, emails: 'meera@example.in\0x' }).success);
});

test('they are taken out of what a client writes and names', async (office) => {
  const { services, asha, address } = office;
  const { id, url, rows } = await office.ask(['Form 16', 'PAN card']);
  const meera = sender(office, address, url);
  await meera.send(`/rows/${rows[0]}/unavailable`, { reason: 'My employer\0 has closed' });
  await meera.upload(rows[1]!, 'PAN\0 card.pdf', pdf('PAN'), { original_at: '2026\0' });
  const [form16, pan] = (await services.requests.office.view(asha.actor, id)).rows;
  assert.is(form16!.reason, 'My employer has closed');
  assert.equal(
    pan!.files.map(({ name }) => name),
    ['PAN card.pdf'],
  );
});

test.run();
