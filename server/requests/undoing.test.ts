import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice } from './testing/office.ts';
import { accept, sendBack, statements, undo } from './testing/statements.ts';

const test = suite<Office>('judgements that the office takes back');
eachOffice(test);

const overrule = (reason: string) => ({ ...sendBack(reason), overrule: true });

test('what a client has sent since is still to be judged: no undo accepts it with the line, or says that the client does not have it', async (office) => {
  const line = await statements(office, ['April.pdf']);
  await line.judge(accept);
  await line.judgeFile('April.pdf', overrule('Not legible'));
  await line.send('May.pdf');
  await line.judgeFile('April.pdf', undo);
  assert.equal(await line.row(), ['received', null, [null, null]]);

  const absent = await statements(office, ['Rent.pdf']);
  await absent.meera.send(`/rows/${absent.rows[0]}/unavailable`, { reason: 'Lost' });
  await absent.judgeFile('Rent.pdf', sendBack('Not legible'));
  await absent.send('Rent again.pdf');
  await absent.judgeFile('Rent.pdf', undo);
  assert.equal(await absent.row(), ['received', null, [null, null]]);
});

test.run();
