import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '#server/testing/rejects.ts';
import type { Office } from './testing/office.ts';
import { eachOffice } from './testing/office.ts';

const test = suite<Office>('templates of requests');
eachOffice(test);

test('there are built-in templates, and a firm can save its own', async (office) => {
  const { services, asha, build } = office;
  const { templates } = services.requests;
  assert.is((await templates.list(asha.actor)).length, 6);
  const own = await templates.save(asha.actor, { name: 'Ours', rows: ['Form 16 for {year}'] });
  assert.is((await templates.list(asha.actor))[0]!.name, 'Ours');
  const stranger = await build.account({ firm_name: 'Another' });
  await rejects(templates.remove(stranger.actor, Number(own.id)), 404);
  await templates.remove(asha.actor, Number(own.id));
  assert.is((await templates.list(asha.actor)).length, 6);
});

test('a list replaces the template of its name only when the user says so, since a colleague may have made it', async (office) => {
  const { services, asha, build } = office;
  const { templates } = services.requests;
  const ravi = await build.colleague(asha.actor, { name: 'Ravi Kumar', role: 'manager' });
  const ofAsha = { name: 'Ours', rows: ['Form 16'] };
  const ofRavi = { name: 'Ours', rows: ['Bank statement'] };
  await templates.save(asha.actor, ofAsha);
  await templates.save(asha.actor, ofAsha);
  assert.is((await rejects(templates.save(ravi.actor, ofRavi), 409)).code, 'template_exists');
  assert.equal((await templates.list(asha.actor))[0]!.rows, ofAsha.rows);
  await templates.save(ravi.actor, { ...ofRavi, replace: true });
  const own = (await templates.list(asha.actor)).filter((template) => template.own);
  assert.equal(
    own.map(({ rows }) => rows),
    [ofRavi.rows],
  );
});

test.run();
