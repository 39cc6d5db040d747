import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../server/config/config.ts';
import { BlobList } from '../server/backups/repository/blob-list.ts';
import { blobKey } from '../server/backups/repository/layout.ts';
import { writeSnapshot } from '../server/backups/repository/manifest.ts';
import { writeMarker } from '../server/backups/repository/marker.ts';
import { openDiskPlace } from '../server/backups/repository/disk-place.ts';
import { openDataDir } from '../server/datadir/datadir.ts';
import { openVault } from '../server/services/backups-vault.ts';
import { compose } from '../server/services.ts';
import { createBuild } from '../server/testing/build.ts';
import { fillFirm } from './firms.ts';
import type { Figure } from './measure.ts';
import { fixed, timed } from './measure.ts';
import { scratchFolder } from './server.ts';

const MB = 1024 * 1024;
/** 20 GB in files of 1 MB, of which one in a hundred is new. */
const FILES = 20_000;
const NEW = 200;
const ENCRYPTED_BYTES = MB + 160 + 4 * 16;

/** Drops files from the page cache of the system, so that they are read from the disk. */
function dropFromCache(files: readonly string[]): void {
  for (let start = 0; start < files.length; start += 200) {
    const script = 'sync -d "$@"; for f; do dd if="$f" iflag=nocache count=0 status=none; done';
    spawnSync('sh', ['-c', script, 'sh', ...files.slice(start, start + 200)]);
  }
}

async function readAll(files: readonly string[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const file = files[next]!;
      next += 1;
      for await (const chunk of createReadStream(file, { highWaterMark: MB })) void chunk;
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

/**
 * Measures a nightly backup of 20 GB of which 1 % is new; one of 100 GB takes five times as long. Unchanged files are never
 * read, so they are sparse files in the place of backups and absent from the data folder; the database with its 20,000 files
 * and the new files are real.
 */
export async function backup(): Promise<Figure[]> {
  const scratch = await scratchFolder();
  const [dataDir, folder] = [join(scratch, 'data'), join(scratch, 'place')];
  await mkdir(folder);
  const { bavail, bsize } = await statfs(scratch);
  if (bavail * bsize < 2 * 1024 * MB) throw new Error('This takes 2 GB of disk.');
  const config = readConfig({ DATA_DIR: dataDir, BACKUP_DIR: folder });
  const log = pino({ level: 'silent' });
  const opened = await openDataDir(config, log);
  const { db, blobs } = opened;
  const services = compose({
    ...opened,
    log,
    clock: () => new Date(),
    config: { ...config, abuseLimits: false },
    backups: { ...config, settings: config.backups },
  });
  try {
    const build = createBuild({ services, blobs, db });
    const { actor } = await build.account();
    const { firmId, userId } = actor;
    const size = { clients: 200, folders: 1000, files: FILES - NEW };
    await fillFirm(db, { firmId, userId, base: 1_000_000, size });
    await db.raw(
      `UPDATE item_rows SET blob_id = lower(hex(randomblob(16))), sha256 = lower(hex(randomblob(32))), file_size = ? WHERE type = 'file'`,
      [MB],
    );
    // So that the quota refuses no upload.
    await db('firm_usage').update({ bytes: 0 });

    const vault = await openVault(config);
    const place = await openDiskPlace(folder);
    await writeMarker(place, { vault: vault.id, made_at: new Date().toISOString() });
    const ids: string[] = await db('item_rows').whereNotNull('blob_id').orderBy('blob_id').pluck('blob_id');
    for (const [index, id] of ids.entries()) {
      const path = join(folder, blobKey(vault.keys.id, id));
      if (index === 0 || id.slice(0, 2) !== ids[index - 1]!.slice(0, 2))
        await mkdir(join(path, '..'), { recursive: true });
      const file = await open(path, 'w');
      await file.truncate(ENCRYPTED_BYTES);
      await file.close();
    }
    const list = BlobList.of(ids.map((id) => ({ id, bytes: ENCRYPTED_BYTES, sha256: '0'.repeat(64) })));
    await writeSnapshot(place, vault.keys, {
      vault: vault.id,
      made_at: '2026-01-01T00:00:00Z',
      migration: '',
      database: { bytes: 0, pieces: [] },
      files: { files: ids.length, versions: 0 },
      left_out: [],
      list,
    });
    const work = services.backups.work!;
    const { signal } = new AbortController();
    const first = await work.backup(signal);
    if (first.status !== 'done') throw new Error(`${first.message} ${first.faults.join(' ')}`);

    const changed: string[] = [];
    for (let n = 0; n < NEW; n += 1) {
      const { id } = await build.file(actor, { name: `new ${n}.pdf`, content: randomBytes(MB) });
      const { blob_id } = await services.documents.openFile(actor, id);
      changed.push(join(dataDir, 'blobs', blob_id.slice(0, 2), blob_id.slice(2)));
    }
    dropFromCache(changed);
    const reading = await timed(() => readAll(changed));
    const target = join(scratch, 'copied');
    await mkdir(target);
    dropFromCache(changed);
    const copying = await timed(() => {
      spawnSync('cp', [...changed, target]);
      spawnSync('sync', ['-f', target]);
    });
    dropFromCache(changed);
    const night = await timed(async () => {
      const { status, message } = await work.backup(signal);
      if (status !== 'done') throw new Error(message);
    });
    const idle = await timed(() => work.backup(signal));
    return [
      { name: 'read what changed, 200 MB', value: `${fixed(reading)} s` },
      { name: 'copy it with cp, and flush', value: `${fixed(copying)} s` },
      {
        name: 'backup of 20 GB, 1 % changed',
        value: `${fixed(night)} s, ${fixed(night / reading, 2)} × reading, ${fixed(night / copying, 2)} × cp`,
        target: { text: '≤ 1.3 × reading', reached: night <= 1.3 * reading },
      },
      { name: 'backup with nothing changed', value: `${fixed(idle)} s` },
    ];
  } finally {
    await services.stop();
    await opened.close();
    await rm(scratch, { recursive: true });
  }
}
