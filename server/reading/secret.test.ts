import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { findTraces } from '../testing/traces.ts';
import { pdf } from '../tools/samples.ts';
import { createHasher } from './keys.ts';
import { readAll } from './testing/office.ts';

/** Words that occur in no other file of the data folder. */
const PLANTED = [
  'Zwxqvkjanak',
  'zwxqvkjanak',
  'विज्ञापनपत्र',
  'ZWXPK4321Q',
  'zwxpk4321q',
  '7143926',
  '999941057058',
  '9999 4105',
];
const SAID = 'Zwxqvkjanak विज्ञापनपत्र ZWXPK4321Q 71,43,926 Aadhaar 9999 4105 7058';

test('no word of a document is stored in plain text in the data folder, neither in the search index nor in the write-ahead log', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-words-'));
  const log = pino({ level: 'silent' });
  const opened = await openDataDir(readConfig({ DATA_DIR: dataDir }), log);
  const services = compose({
    ...opened,
    log,
    clock: () => new Date(),
    config: { abuseLimits: false, trashDays: 0 },
  });
  const build = createBuild({ ...opened, services });
  try {
    const actor = await build.actor();
    await build.file(actor, { name: 'a.txt', content: SAID });
    await build.file(actor, { name: 'b.pdf', content: pdf([['Zwxqvkjanak', 'ZWXPK4321Q 71,43,926']]) });
    await build.file(actor, { name: 'c.csv', content: `Words\n${SAID}\n` });
    assert.is(await readAll({ services }), 3);
    const found = async (query: string) => (await services.search.findInside(actor, query)).hits.length;
    for (const query of ['zwxqvkjanak', 'zwxqvk', 'विज्ञापनपत्र', 'ZWXPK4321Q', '7143926', '9999 4105 7058'])
      assert.ok((await found(query)) > 0, `${query} is found`);
    assert.equal(await findTraces(dataDir, PLANTED), []);

    // The key of the index is stored encrypted; otherwise whoever has the folder could test guesses of words.
    const { sealed_key } = await opened.db('reading_settings').first('sealed_key');
    const guess = createHasher(Buffer.from(sealed_key).subarray(12, 44))('word', 'zwxqvkjanak');
    const held = await opened.db.raw(
      'SELECT count(*) AS n FROM document_text_search WHERE document_text_search MATCH ?',
      [`"${guess}"`],
    );
    assert.is(held[0].n, 0);
  } finally {
    await services.stop();
    await opened.close();
    await rm(dataDir, { recursive: true });
  }
});

test.run();
