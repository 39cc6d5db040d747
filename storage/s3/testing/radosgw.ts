import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { access } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TestServer } from './server.ts';

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool', 'ceph'];
const run = promisify(execFile);
const PATIENCE = 60_000;

async function isThere(program: string): Promise<boolean> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter))
    if (
      await access(join(folder, program)).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}

/** Whether Ceph's S3 server can be started here: Debian's ceph-mon, ceph-osd and radosgw, for root. */
export async function hasRadosgw(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  for (const program of PROGRAMS) if (!(await isThere(program))) return false;
  return true;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** A monitor, one store in memory and the gateway, in a folder of their own. `auth none` does without keys, and so without `secure`. */
const settings = (root: string, fsid: string, [gateway, v2, v1]: number[]): string => `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd pool default pg autoscale mode = off
mon allow pool size one = true
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 8589934592
run dir = ${root}/run
admin socket = ${root}/run/$name.asok
pid file = ${root}/run/$name.pid
log file = ${root}/log/$name.log
mon data = ${root}/mon
osd data = ${root}/osd
rgw data = ${root}/rgw
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw dynamic resharding = false
mon data avail crit = 1
mon data avail warn = 1
`;

/** Starts Ceph's S3 server, which takes about ten seconds. @throws when it does not come up within a minute. */
export async function startRadosgw(): Promise<TestServer> {
  const root = await mkdtemp(join(tmpdir(), 'almirah-ceph-'));
  const file = join(root, 'ceph.conf');
  const fsid = randomUUID();
  const [gateway = 0, v2 = 0, v1 = 0] = await freePorts(3);
  const keyId = 'VAULT';
  const secret = randomBytes(16).toString('hex');
  for (const name of ['run', 'log', 'mon', 'osd', 'rgw']) await mkdir(join(root, name));
  await writeFile(file, settings(root, fsid, [gateway, v2, v1]));
  const ceph = (program: string, ...args: string[]) =>
    run(program, ['-c', file, ...args], { timeout: PATIENCE, killSignal: 'SIGKILL' });

  async function close(): Promise<void> {
    for (const name of await readdir(join(root, 'run'))) {
      if (!name.endsWith('.pid')) continue;
      const pid = Number(await readFile(join(root, 'run', name), 'utf8'));
      try {
        if (pid > 0) process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself.
      }
    }
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    const addresses = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
    await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', addresses, join(root, 'monmap')]);
    await ceph('ceph-mon', '-i', 'a', '--mkfs', '--monmap', join(root, 'monmap'));
    await ceph('ceph-mon', '-i', 'a');
    const osd = randomUUID();
    await ceph('ceph', 'osd', 'new', osd);
    await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    await ceph('ceph-osd', '-i', '0');
    spawn('radosgw', ['-c', file, '-n', 'client.rgw'], { stdio: 'ignore' });
    const endpoint = `http://127.0.0.1:${gateway}`;
    const until = Date.now() + PATIENCE;
    while (
      !(await fetch(endpoint).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (Date.now() > until) throw new Error('radosgw did not come up');
      await sleep(100);
    }
    await ceph(
      'radosgw-admin',
      'user',
      'create',
      '--uid=vault',
      '--display-name=Vault',
      '--access-key',
      keyId,
      '--secret-key',
      secret,
    );
    return { endpoint, keyId, secret, close };
  } catch (error) {
    await close();
    throw error;
  }
}
