import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { wordsOf } from '../backups/recovery/words.ts';
import { readBlobList, readSnapshots, writeSnapshot } from '../backups/repository/manifest.ts';
import { openPlace } from '../backups/repository/open-place.ts';
import { readConfig } from '../config/config.ts';
import { backups } from './backups.ts';
import { jobs } from './jobs.ts';
import { openVault } from '../services/backups-vault.ts';
import { openAlongside } from './open-alongside.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, objectOf } from '../testing/command-office.ts';

const test = suite<Office>('nightly backups, by command');

eachOffice(test);

const envOf = ({ dataDir, scratch }: Office) => ({ DATA_DIR: dataDir, BACKUP_DIR: join(scratch, 'place') });

async function run(
  office: Office,
  args: string[],
  options = {},
  env: Record<string, string> = envOf(office),
) {
  await mkdir(join(office.scratch, 'place'), { recursive: true });
  const said: string[] = [];
  const sound = await backups.run({ args, options, env, say: (line) => said.push(line) });
  return { sound, said: said.join('\n') };
}

async function refused(office: Office, args: string[], message: RegExp, options = {}, env = envOf(office)) {
  await run(office, args, options, env).then(
    () => assert.unreachable(`expected ${message}`),
    (error: Error) => assert.match(error.message, message),
  );
}

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function sheetFile(office: Office, change = (words: string[]) => words): Promise<string> {
  const key = Buffer.from((await readFile(join(office.dataDir, 'master.key'), 'utf8')).trim(), 'hex');
  const file = join(office.scratch, 'sheet.txt');
  await writeFile(file, change(wordsOf(key)).join(' '));
  return file;
}

async function contentsIn(dataDir: string): Promise<Map<string, Buffer>> {
  const vault = await openAlongside(readConfig({ DATA_DIR: dataDir }));
  try {
    const found = new Map<string, Buffer>();
    for (const { name, blob_id } of await vault.db('items').whereNotNull('blob_id').select('name', 'blob_id'))
      found.set(name, await buffer(await vault.blobs.get(blob_id)));
    return found;
  } finally {
    await vault.close();
  }
}

test('a backup is encrypted, is restored with the words of the recovery sheet, and the next one copies only new files', async (office) => {
  const { build, actor, scratch } = office;
  const first = randomBytes(6_000_000);
  await build.file(actor, { name: 'Sharma return.pdf', content: first });
  const one = await run(office, ['run']);
  assert.ok(one.sound, one.said);
  for (const file of await filesOf(join(scratch, 'place'))) {
    const text = (await readFile(file)).toString('latin1');
    assert.not.match(text, 'Sharma', `${file} is sealed`);
    assert.not.match(text, 'SQLite format', `${file} is sealed`);
  }
  await build.file(actor, { name: 'New.pdf', content: Buffer.from('new') });
  const two = await run(office, ['run']);
  assert.ok(two.sound, two.said);
  const [, fresh] = /([\d.]+ [KM]?B) were new/.exec(two.said)!;
  // A few pieces of the database are new each time, and encrypted pages cannot be compressed.
  assert.ok(
    !fresh!.endsWith('MB') || Number.parseFloat(fresh!) < 3,
    `unchanged content is not copied again: ${fresh}`,
  );

  const to = join(scratch, 'restored');
  const sheet = await sheetFile(office);
  // As if only the recovery sheet and the backup folder were left.
  const back = await run(
    office,
    ['restore', to],
    { sheet, from: join(scratch, 'place'), 'read-data': true },
    {},
  );
  assert.ok(back.sound, back.said);
  const contents = await contentsIn(to);
  assert.ok(contents.get('Sharma return.pdf')!.equals(first));
  assert.is(contents.get('New.pdf')!.toString(), 'new');

  const list = await run(office, ['list'], {}, { BACKUP_DIR: join(scratch, 'place') });
  assert.match(list.said, /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ  .*2 files/, 'and the list takes no key');
  assert.is(list.said.split('\n').length, 1, 'of one day the newest stays');
  await refused(office, ['restore', join(scratch, 'earlier')], /as old as that/, { sheet, at: '2020-01-01' });
});

test('a wrong word of the recovery sheet is named, and nothing is written', async (office) => {
  await office.build.file(office.actor);
  await run(office, ['run']);
  const sheet = await sheetFile(office, (words) => words.with(4, words[4] === 'zoo' ? 'zone' : 'zoo'));
  await refused(office, ['restore', join(office.scratch, 'to')], /Word 5 is wrong.*Nothing was changed/s, {
    sheet,
  });
  assert.equal(await readdir(join(office.scratch, 'to')).catch(() => 'not there'), 'not there');
});

test('the backup folder of another vault is refused, and that of the same vault too until a restored vault has adopted it', async (office) => {
  await office.build.file(office.actor);
  await run(office, ['run']);
  const sheet = await sheetFile(office);
  const to = join(office.scratch, 'restored');
  await run(office, ['restore', to], { sheet });
  const restored = { ...envOf(office), DATA_DIR: to };
  const refusal = await run(office, ['run'], {}, restored);
  assert.not(refusal.sound);
  assert.match(refusal.said, /of another vault, or of this one before it was restored/);
  assert.ok((await run(office, ['adopt'], {}, restored)).sound);
  assert.ok((await run(office, ['run'], {}, restored)).sound, 'it goes on there');
  assert.match((await run(office, ['run'])).said, /of another vault/, 'and the old one no longer does');
});

test('no backup is written below the mount point of an unmounted share, since the marker is missing there', async (office) => {
  await office.build.file(office.actor);
  const place = join(office.scratch, 'place');
  await run(office, ['run']);
  await rename(place, `${place}.away`);
  const gone = await run(office, ['run']);
  assert.not(gone.sound);
  assert.match(gone.said, /are not there. Is the disk connected, the share mounted\?/);
  assert.equal(await filesOf(place), [], 'nothing was written below the mount point');
  await rm(place, { recursive: true });
  await rename(`${place}.away`, place);
  assert.ok((await run(office, ['run'])).sound);
});

test('a place whose backups were deleted is reported, and not filled again until it is adopted', async (office) => {
  await office.build.file(office.actor);
  await run(office, ['run']);
  await rm(join(office.scratch, 'place', 'snapshots'), { recursive: true });
  for (const args of [['verify'], ['prove']]) {
    const { sound, said } = await run(office, args);
    assert.not(sound, args[0]);
    assert.match(said, /WRONG: There is no backup in/);
  }
  const again = await run(office, ['run']);
  assert.not(again.sound);
  assert.match(
    again.said,
    /are not there.*To begin anew in this place, run "npm run admin -- backups adopt"/,
  );
  assert.ok((await run(office, ['adopt'])).sound);
  const anew = await run(office, ['run']);
  assert.ok(anew.sound, anew.said);
  assert.ok((await run(office, ['verify'])).sound);
});

test('a folder with other files is refused, since an admin may have mistyped', async (office) => {
  await mkdir(join(office.scratch, 'place'));
  await writeFile(join(office.scratch, 'place', 'holiday.jpg'), 'x');
  assert.match((await run(office, ['run'])).said, /holds other things than backups, such as holiday.jpg/);
});

test('a folder with other files, or of a newer version, is not adopted either', async (office) => {
  const place = join(office.scratch, 'place');
  const marker = join(place, 'almirah-backups.json');
  await mkdir(place);
  await writeFile(join(place, 'holiday.jpg'), 'x');
  await refused(office, ['adopt'], /holds other things than backups, such as holiday.jpg/);
  assert.equal(await filesOf(place), [join(place, 'holiday.jpg')]);
  await writeFile(marker, '{"format":2,"vault":"x","made_at":"x"}');
  await refused(office, ['adopt'], /made by a newer Almirah/);
  assert.match(await readFile(marker, 'utf8'), '"format":2');
  await writeFile(marker, 'damaged');
  assert.ok((await run(office, ['adopt'])).sound);
  assert.ok((await run(office, ['run'])).sound);
});

test('backups whose marker is lost or damaged are listed, since they can be restored all the same', async (office) => {
  await office.build.file(office.actor);
  await run(office, ['run']);
  const marker = join(office.scratch, 'place', 'almirah-backups.json');
  await writeFile(marker, 'damaged');
  const damaged = await run(office, ['list']);
  await rm(marker);
  for (const { said, sound } of [damaged, await run(office, ['list'])]) {
    assert.match(said, /^\d{4}-\S+Z .* 1 files/m);
    assert.match(said, /WRONG: almirah-backups.json/);
    assert.not(sound);
  }
});

test('damaged copies are found and repaired from the vault, or named when the vault no longer has the file', async (office) => {
  const { build, actor, services } = office;
  const item = await build.file(actor, { name: 'kept.pdf', content: randomBytes(5000) });
  const gone = await build.file(actor, { name: 'gone.pdf', content: randomBytes(5000) });
  const [kept, lost] = [await objectOf(office, item.id), await objectOf(office, gone.id)];
  await run(office, ['run']);
  await services.documents.remove(actor, [gone.id]);
  await services.sweeper.drain();
  const damaged = (await filesOf(join(office.scratch, 'place'))).filter((file) =>
    [kept, lost].some((object) => file.endsWith(object.slice(-33))),
  );
  assert.is(damaged.length, 2);
  for (const file of damaged) {
    const data = await readFile(file);
    data[300]! ^= 1;
    await writeFile(file, data);
  }
  const proof = await run(office, ['prove'], { all: true });
  assert.not(proof.sound);
  assert.match(proof.said, /1 that was damaged was put right/);
  assert.is(proof.said.match(/WRONG/g)!.length, 1);
  assert.ok((await run(office, ['verify'])).sound, 'lengths are as they should be');
  await rm(damaged[0]!);
  assert.match((await run(office, ['verify'])).said, /is missing/);
});

test('a lost copy is replaced the same night, even when notes of an interrupted night say that it exists', async (office) => {
  const { build, actor, scratch } = office;
  const place = join(scratch, 'place');
  const items = [];
  for (let n = 0; n < 3; n += 1) items.push(await build.file(actor, { content: randomBytes(4000) }));
  await run(office, ['run']);
  const [snapshot] = (await filesOf(join(place, 'snapshots'))).filter((file) => file.endsWith('/blobs'));
  const [key] = await readdir(join(place, 'keys'));
  await mkdir(join(place, 'unfinished'), { recursive: true });
  await copyFile(snapshot!, join(place, 'unfinished', key!));
  const lost = (await objectOf(office, items[1]!.id)).slice(-33);
  const copyOf = async () => (await filesOf(join(place, 'blobs'))).find((file) => file.endsWith(lost));
  await rm((await copyOf())!);
  const next = await run(office, ['run']);
  assert.ok(next.sound, next.said);
  assert.ok(await copyOf());
  assert.ok((await run(office, ['verify'])).sound);
});

test('truncated or swapped copies are found by the nightly checks of a tenth each, and replaced from the vault', async (office) => {
  const { build, actor, scratch } = office;
  for (let n = 0; n < 3; n += 1) await build.file(actor, { content: randomBytes(4000) });
  await run(office, ['run']);
  const [short, one, other] = await filesOf(join(scratch, 'place', 'blobs'));
  const before = await Promise.all([short, one, other].map((file) => readFile(file!)));
  await truncate(short!, 100);
  await writeFile(one!, before[2]!);
  await writeFile(other!, before[1]!);
  assert.match((await run(office, ['verify'])).said, /has 100 bytes instead of/);
  let mended = 0;
  for (let night = 0; night < 10; night += 1) {
    const { sound, said } = await run(office, ['prove']);
    assert.ok(sound, said);
    mended += Number(/; (\d+) that (?:was|were) damaged/.exec(said)?.[1] ?? 0);
  }
  assert.is(mended, 3);
  const after = await Promise.all([short, one, other].map((file) => readFile(file!)));
  assert.equal(after, before);
});

test('a test restore brings the newest backup back into a temporary folder, and leaves nothing there', async (office) => {
  for (let n = 0; n < 3; n += 1) await office.build.file(office.actor, { content: randomBytes(3000) });
  await run(office, ['run']);
  const tried = await run(office, ['try']);
  assert.ok(tried.sound, tried.said);
  assert.match(tried.said, /3 of its 3 files were brought back and read/);
  assert.equal(await readdir(join(office.dataDir, 'backups', 'scratch')), []);
});

/** Adds a snapshot like the first one, made at another time. @returns the first one. */
async function copySnapshot(office: Office, made_at: string) {
  const opened = await openPlace(readConfig(envOf(office)).backups!);
  const [real] = (await readSnapshots(opened)).snapshots;
  const { keys } = await openVault(readConfig({ DATA_DIR: office.dataDir }));
  const { blobs: _, format: _format, key: _key, ...facts } = real!.manifest;
  const list = (await readBlobList(opened, real!))!;
  await writeSnapshot(opened, keys, { ...facts, list, made_at });
  return real!;
}

test('a restore has to say which backup it takes if the newest is dated later than now, since it may be of a night with a wrong clock', async (office) => {
  const { build, actor, scratch } = office;
  await build.file(actor);
  await run(office, ['run']);
  const real = await copySnapshot(office, '2099-01-01T20:00:00.000Z');
  const sheet = await sheetFile(office);
  const to = join(scratch, 'restored');
  const named = new RegExp(`2099-01-01T20-00-00Z .*dated later than now.*\n  ${real.moment}  .* IST\n`, 's');
  await refused(office, ['restore', to], named, { sheet });
  const back = await run(office, ['restore', to], { sheet, at: real.moment });
  assert.ok(back.sound, back.said);
  assert.match((await run(office, ['run'])).said, /WRONG: The backup 2099-01-01T20-00-00Z is dated later/);
});

test('a restore says when a newer backup is damaged, since the admin would take an older state for the newest', async (office) => {
  await office.build.file(office.actor);
  await run(office, ['run']);
  const { moment } = await copySnapshot(office, '2026-01-01T20:00:00.000Z');
  await writeFile(join(office.scratch, 'place', 'snapshots', moment, 'manifest'), 'damaged');
  const to = join(office.scratch, 'restored');
  const sheet = await sheetFile(office);
  const damaged = new RegExp(`The newest backup .*, ${moment}, is damaged.*\n  2026-01-01T20-00-00Z`, 's');
  await refused(office, ['restore', to], damaged, { sheet });
  const back = await run(office, ['restore', to], { sheet, at: '2999-01-01' });
  assert.ok(back.sound, back.said);
  assert.match(back.said, `WRONG: The backup ${moment} is damaged, so 2026-01-01T20-00-00Z is taken.`);
});

test('a file with an altered byte is named and left out, and a file that only the backup still has is named too', async (office) => {
  const { build, actor } = office;
  const kept = await build.file(actor, { name: 'kept.pdf' });
  assert.ok((await run(office, ['run'])).sound);
  const bent = await build.file(actor, { name: 'bent.pdf', content: randomBytes(600_000) });
  const path = await objectOf(office, bent.id);
  const bytes = await readFile(path);
  bytes[300_000]! ^= 1;
  await writeFile(path, bytes);
  await rm(await objectOf(office, kept.id));
  const { said, sound } = await run(office, ['run']);
  assert.not(sound);
  assert.match(said, /WRONG: "bent.pdf" \(item \d+\): .*chunk 1 of 3 is altered/);
  assert.match(said, /WRONG: "kept.pdf" \(item \d+\) is missing in the vault. The backup keeps its copy/);
});

test('the list of jobs says that the last nightly backup failed', async (office) => {
  const env = { ...envOf(office), BACKUP_DIR: join(office.scratch, 'away') };
  const row = { kind: 'nightly-backup', every: 60_000, status: 'starting', message: 'Nothing to do' };
  const moment = new Date().toISOString();
  await office.db('jobs').insert({
    ...row,
    subject: '',
    input: '{}',
    progress: 0,
    data: '{}',
    attempts: 0,
    created_at: moment,
    due_at: moment,
  });
  const listed = async () => {
    const said: string[] = [];
    const sound = await jobs.run({ args: [], options: {}, env, say: (line) => said.push(line) });
    return { sound, said: said.join('\n') };
  };
  assert.ok((await listed()).sound);
  await run(office, ['run'], {}, env);
  const { sound, said } = await listed();
  assert.not(sound);
  assert.match(said, /nightly-backup .* FAILED, \S+away is not there/);
});

test('a day means the day in India in both kinds of restore, and the lists give that time beside the name', async (office) => {
  await office.build.file(office.actor);
  await run(office, ['run']);
  const late = '2026-03-28T19-28-54Z';
  await copySnapshot(office, '2026-03-28T19:28:54.000Z');
  const sheet = await sheetFile(office);
  const to = join(office.scratch, 'restored');
  const listed = new RegExp(`as old as that.*\n  ${late}  Mar 29, 2026, 12:58 AM IST`, 's');
  await refused(office, ['restore', to], listed, { sheet, at: '2026-03-28' });
  const back = await run(office, ['restore', to], { sheet, at: '2026-03-29' });
  assert.match(back.said, late);
});

test('what an action would ignore is refused, since a backup would go elsewhere than the admin asked for', async (office) => {
  await refused(office, ['run'], /"backups run" takes no --from: it goes by BACKUP_DIR/, { from: '/mnt/x' });
  await refused(office, ['try'], /takes no --from/, { from: '/mnt/x' });
  await refused(office, ['list'], /takes no --all/, { all: true });
  await refused(office, ['list', 'extra'], /"backups list" does not take "extra"/);
});

test('a file whose contents are missing is named and left out, and everything else is backed up', async (office) => {
  const { build, actor } = office;
  const lost = await build.file(actor, { name: 'lost.pdf' });
  await build.file(actor, { name: 'there.pdf' });
  await rm(await objectOf(office, lost.id));
  const made = await run(office, ['run']);
  assert.not(made.sound);
  assert.match(made.said, /WRONG: "lost.pdf"/);
  assert.match((await run(office, ['list'])).said, /2 files.*WITHOUT 1 damaged or missing/);
});

test.run();
