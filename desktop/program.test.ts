import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LogLine } from '#desktop/queue/log.ts';
import { until } from '#server/testing/until.ts';
import type { Office } from './testing/office.ts';
import { openOffice, sha256 } from './testing/office.ts';
import { isBuilt } from './testing/program.ts';

const test = suite<Office>(isBuilt() ? 'the built program' : 'the program (not built: its sources)');
test.before(async (office) => {
  await openOffice(office);
  await office.start();
});
test.after((office) => office.end());

test('requests without the cookie, from another origin or host name, or with a guessed state are refused, since any program can reach the port', async ({
  program: { base, cookie },
}) => {
  assert.is((await fetch(`${base}/api/state`)).status, 403);
  assert.match(await (await fetch(base)).text(), 'opened only by Almirah Uploader itself');
  const post = (origin: string) =>
    fetch(`${base}/api/settings`, { method: 'POST', headers: { cookie, origin }, body: '{}' });
  assert.is((await post('https://evil.example')).status, 403);
  assert.is((await post(base)).status, 200);
  const elsewhere = base.replace('127.0.0.1', 'localhost');
  assert.is((await fetch(elsewhere, { headers: { cookie } })).status, 403);
  assert.match(await (await fetch(`${base}/connected?code=x&state=guessed`)).text(), 'Begin again');
});

test('the program is paired in the browser, and uploads new files of a watched folder and its sub-folders, except excluded ones', async (office) => {
  assert.match(await office.pair(), 'is connected with Rao &amp; Co');
  await office.watch({ leave_out: ['*.bak'] });
  await mkdir(join(office.scans, 'March'));
  await writeFile(join(office.scans, 'bill.pdf'), 'a bill');
  await writeFile(join(office.scans, 'March/challan.pdf'), 'a challan');
  await writeFile(join(office.scans, 'old.bak'), 'left out');
  await until(async () => Object.keys(await office.held()).length === 2);
  assert.equal(await office.held(), { March: 'folder', 'bill.pdf': sha256('a bill') });
  const { items } = await office.services.documents.folder(office.account.actor, null);
  const march = items.find(({ name }) => name === 'March')!;
  await until(async () => 'challan.pdf' in (await office.held(march.id)));
});

test('the same content is uploaded to a target once, and a changed file becomes a new version', async (office) => {
  await writeFile(join(office.scans, 'copy of bill.pdf'), 'a bill');
  await until(async () =>
    (await office.program.state()).files.some(
      ({ name, state }) => name.startsWith('copy') && state === 'done',
    ),
  );
  assert.not('copy of bill.pdf' in (await office.held()));
  await writeFile(join(office.scans, 'bill.pdf'), 'a corrected bill');
  await until(async () => (await office.held())['bill.pdf'] === sha256('a corrected bill'));
  assert.equal(Object.keys(await office.held()).toSorted(), ['March', 'bill.pdf']);
});

test('a refused file shows the reason and blocks no other file', async (office) => {
  await writeFile(join(office.scans, 'a virus.exe'), 'MZ');
  await writeFile(join(office.scans, 'after.pdf'), 'after it');
  await until(async () => 'after.pdf' in (await office.held()));
  await until(async () => (await office.program.state()).counts.failed === 1);
  const failed = (await office.program.state()).files.find(({ state }) => state === 'failed')!;
  assert.match(failed.problem!, /type|kind|exe/i);
  await office.program.ask('POST', `/api/files/${failed.id}/remove`, {});
  assert.is((await office.program.state()).counts.failed, 0);
});

test('an upload interrupted by killing the program resumes after a restart, and the file arrives once, byte for byte', async (office) => {
  const content = randomBytes(40 * 1024 * 1024);
  await office.program.ask('POST', '/api/settings', { speed_limit: 4 * 1024 * 1024 });
  await office.put('ledger.pdf', content);
  for (const least of [4, 8]) {
    await until(async () => {
      const file = (await office.program.state()).files.find(({ name }) => name === 'ledger.pdf');
      return (file?.sent ?? 0) > least * 1024 * 1024;
    });
    await office.program.kill();
    await office.start();
  }
  await office.program.ask('POST', '/api/settings', { speed_limit: 0 });
  await until(async () => 'ledger.pdf' in (await office.held()));
  const held = await office.held();
  assert.is(held['ledger.pdf'], sha256(content));
  assert.not('ledger (2).pdf' in held);
  assert.equal(await office.db('storage_reservations'), [], 'nothing else was begun for it');
});

test('an unreachable vault is reported once; new files wait and are uploaded when it is back', async (office) => {
  office.proxy.cut();
  await writeFile(join(office.scans, 'one.pdf'), 'one');
  await until(async () => (await office.program.state()).vaults[0]!.hold?.hold === 'offline');
  await writeFile(join(office.scans, 'two.pdf'), 'two');
  await until(
    async () => (await office.program.state()).files.filter(({ state }) => state === 'waiting').length === 2,
  );
  office.proxy.mend();
  await until(async () => 'two.pdf' in (await office.held()) && 'one.pdf' in (await office.held()));
  const { data } = await office.program.ask<{ data: LogLine[] }>('GET', '/api/log');
  assert.is(data.filter(({ text }) => text.includes('cannot be reached')).length, 1);
});

test('uploaded files are moved if their folder is set to this, and files dropped into the window are uploaded', async (office) => {
  const { folders, vaults } = await office.program.state();
  const { id, vault } = folders[0]!;
  const path = office.scans;
  await office.program.ask('POST', `/api/folders/${id}`, { vault, path, target: 'My Drive', after: 'move' });
  await writeFile(join(office.scans, 'moved.pdf'), 'moved');
  await until(async () => !(await readdir(office.scans)).includes('moved.pdf'));
  const [month] = await readdir(join(office.scans, 'Uploaded'));
  assert.ok((await readdir(join(office.scans, 'Uploaded', month!))).includes('moved.pdf'));
  assert.is((await office.held())['moved.pdf'], sha256('moved'));

  const query = `vault=${vaults[0]!.id}&parent_id=&target=My%20Drive&name=dropped.pdf&changed_at=${Date.UTC(2025, 0, 2)}`;
  await office.program.ask('POST', `/api/drop?${query}`, Buffer.from('dropped'));
  await until(async () => 'dropped.pdf' in (await office.held()));
  await until(async () => (await readdir(join(office.dir, 'program/dropped'))).length === 0);
});

test('when the vault ends the pairing, the program reports this and sends nothing until it is paired again', async (office) => {
  const { programs } = office.services.auth;
  const [listed] = await programs.list(office.account.actor, '::1');
  await programs.end(office.account.actor, listed!.id);
  await writeFile(join(office.scans, 'later.pdf'), 'later');
  await until(async () => (await office.program.state()).vaults[0]!.hold?.hold === 'ended');
  assert.is((await office.program.state()).vaults[0]!.connected, false);
  assert.not('later.pdf' in (await office.held()));
  await office.pair();
  assert.is((await office.program.state()).vaults.length, 1, 'the same vault, with its folders');
  await until(async () => 'later.pdf' in (await office.held()));
});

test('a second start finds the running instance, and the quit command stops that instance gracefully', async (office) => {
  const { child } = office.program;
  const before = child.exitCode;
  assert.is(before, null);
  const second = await import('./system/instance.ts');
  const { controlPath } = await import('./system/paths.ts');
  assert.is(await second.claimInstance(controlPath(join(office.dir, 'program')), () => {}), null);
  const args = ['--data', join(office.dir, 'program'), '--background', '--address'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'main.ts'),
    ...args,
  ]);
  assert.match(stdout, /^Almirah Uploader runs already\./);
  assert.ok(await second.sendCommand(controlPath(join(office.dir, 'program')), 'quit'));
  await until(() => child.exitCode === 0);
});

test.run();
