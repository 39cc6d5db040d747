import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, refused } from '../testing/command-office.ts';
import { recordsOf } from '../updates/record.ts';
import { move } from './move.ts';

const test = suite<Office>('commands while an update is cut short');
eachOffice(test);

test('the database is not moved while the end of an update may put the one of before back', async (office) => {
  const { dataDir, services } = office;
  const record = { from: '1.4.0', to: '1.5.0', began_at: '2026-11-23T00:00:00.000Z', database: true };
  await recordsOf(dataDir).write({ ...record, step: 'trying', ended_at: null, why: null });
  await services.stop();
  await office.close();
  const address = 'postgres://almirah:secret@127.0.0.1:1/almirah';
  await refused(move, dataDir, [], /1\.4\.0 to 1\.5\.0 was cut short.*update finish/, {
    'to-database': address,
  });
  await recordsOf(dataDir).write({ ...record, step: 'back', ended_at: record.began_at, why: 'It failed.' });
  await move
    .run({ args: [], options: { 'to-database': address }, env: { DATA_DIR: dataDir }, say() {} })
    .then(
      () => assert.unreachable(),
      (error: Error) => assert.not.match(error.message, 'cut short'),
    );
});

test.run();
