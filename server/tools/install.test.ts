import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createNotifier } from '../serving/notify.ts';
import { until } from '../testing/until.ts';
import { install } from './install.ts';
import { finishUnitFile, settingsFile, unitFile } from './service-unit.ts';

function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function planned(options: Record<string, string | boolean>): Promise<string> {
  const said: string[] = [];
  await install.run({
    args: [],
    options: { 'dry-run': true, ...options },
    env: {},
    say: (line) => void said.push(line),
  });
  return said.join('\n');
}

test('a dry run prints each step, the settings and the service, and changes nothing', async () => {
  const said = await planned({
    address: 'https://192.168.1.10',
    email: 'asha@rao.in',
    // As a shell completes it; doctor looks for the folder in the service without the slash.
    backup: '/mnt/backup/',
  });
  assert.match(said, /Would: Make the system user almirah/);
  assert.match(said, /BASE_URL="https:\/\/192\.168\.1\.10"\nHTTPS="auto"\nPORT="443"/);
  assert.match(said, /INSTALLATION_ADMINS="asha@rao\.in"/);
  assert.match(said, /ReadWritePaths="\/var\/lib\/almirah" "-\/mnt\/backup"\n/);
  assert.match(said, /ProtectSystem=strict/);
  // The compile cache is kept between starts, although the service may not write into the program's folder.
  assert.match(said, /NODE_COMPILE_CACHE=\/var\/cache\/almirah\/compiled\n/);
  assert.match(said, /\nCacheDirectory=almirah\n/);
  assert.match(said, /ExecStart=\S+\/current\/node_modules\/\S+ /, 'an update changes no service');
  assert.match(said, /Would: Write to \/etc\/systemd\/system\/almirah-update\.service/);
});

test('an update interrupted by a power failure is completed at the next boot, after the service has started or failed', () => {
  const unit = finishUnitFile({ program: '/opt/a', dataDir: '/srv/a b' });
  assert.match(unit, '\nAfter=almirah.service\nConditionPathExists=/srv/a\\x20b/update/record.json\n');
  assert.match(unit, '/server/tools/admin.ts" "update" "finish"\n');
});

test('the unit loads a key sealed for the machine as a systemd credential, and names no credential without one', () => {
  const of = (credential: string | null) =>
    unitFile({ program: '/opt/a', dataDir: '/srv/a', writes: [], user: 'a', settings: '/etc/a', credential });
  assert.match(
    of('/srv/a/master.key.sealed'),
    '\nLoadCredentialEncrypted=almirah-master-key:/srv/a/master.key.sealed\nExecStart=',
  );
  assert.not.match(of(null), 'LoadCredential');
});

test('the service waits for the disk of the documents, but not for the backup disk', () => {
  const of = { program: '/opt/a', user: 'a', settings: '/etc/a' };
  const unit = unitFile({ ...of, dataDir: '/srv/a b', writes: ['/mnt/b'] });
  assert.match(unit, '\nRequiresMountsFor="/srv/a b"\n');
});

test('the service is tried again for as long as it takes: what it needs may come up later than it does', () => {
  const of = { program: '/opt/a', user: 'a', settings: '/etc/a' };
  const unit = unitFile({ ...of, dataDir: '/srv/a', writes: [] });
  assert.match(unit, '\nRestart=on-failure\n');
  assert.match(unit, '\nStartLimitIntervalSec=0\n');
});

test('an invalid address is refused', async () => {
  await planned({ address: 'the office' }).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /is no address/),
  );
});

test('folders that the service cannot see, and those of the system, are refused as data folders', async () => {
  const refused = (options: Record<string, string>) =>
    planned(options).then(
      () => 'It was planned.',
      ({ message }: Error) => message,
    );
  for (const data of ['/home/asha/data', '/root', '/tmp/data', '/var/tmp/x'])
    assert.match(await refused({ data }), /may not see/, data);
  for (const data of [
    '/',
    '/etc',
    '/usr',
    '/usr/share/x',
    '/boot',
    '/proc/x',
    '/var/lib',
    '/dev/shm/x',
    '/bin',
  ])
    assert.match(await refused({ data }), /belongs to the system/, data);
  assert.match(await refused({ backup: '/etc' }), /folder for backups is \/etc, which belongs to the system/);
  // Of every Debian, and seen by a service.
  if (existsSync('/var/lib/dpkg/status')) {
    assert.match(await refused({ data: '/var/lib/dpkg' }), /is no vault, and has other files in it/);
    assert.match(await refused({ data: '/var/lib/dpkg/status' }), /is a file/);
  }
});

test('values with quotes or dollar signs are escaped in the settings file', () => {
  assert.match(settingsFile({ APP_NAME: 'Rao "& Co" $1' }), /^APP_NAME="Rao \\"& Co\\" \\\$1"$/m);
});

if (has('systemd-analyze'))
  test('systemd accepts the unit, and rates its exposure as at most 3', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'almirah-unit-'));
    const program = join(import.meta.dirname, '../..');
    const file = join(folder, 'almirah.service');
    try {
      const unit = unitFile({
        program,
        dataDir: folder,
        writes: [],
        user: 'daemon',
        settings: '/etc/almirah.env',
      });
      await writeFile(file, unit);
      const verify = execFileSync('sh', ['-c', `systemd-analyze verify --man=no '${file}' 2>&1 || true`], {
        encoding: 'utf8',
      });
      assert.is(
        verify
          .split('\n')
          .filter((line) => line.includes('almirah.service'))
          .join('\n'),
        '',
      );
      const security = execFileSync(
        'sh',
        ['-c', `systemd-analyze security --offline=true --no-pager '${file}' 2>&1 || true`],
        { encoding: 'utf8' },
      );
      const exposure = /exposure level[^:]*: ([\d.]+)/i.exec(security)?.[1];
      if (exposure) assert.ok(Number(exposure) <= 3, `exposure ${exposure}`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

if (has('systemd-notify') && has('python3'))
  test('systemd is notified of readiness, of liveness and of stopping', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'almirah-notify-'));
    const said: string[] = [];
    // Node has no Unix datagram sockets, so a Python program listens at one and passes on what it receives.
    const ear = createServer((req, res) => {
      said.push(decodeURIComponent(req.url!.slice(1)));
      res.end();
    }).listen(0, '127.0.0.1');
    await once(ear, 'listening');
    const { port } = ear.address() as { port: number };
    const { spawn } = await import('node:child_process');
    const listener = spawn('python3', [
      '-c',
      `import socket,urllib.request,urllib.parse
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM);s.bind('${folder}/n');print('on',flush=True)
while True:
  urllib.request.urlopen('http://127.0.0.1:${port}/'+urllib.parse.quote(s.recv(4096).decode(errors='replace'),safe=''))`,
    ]);
    try {
      await once(listener.stdout, 'data');
      const { NOTIFY_SOCKET: before } = process.env;
      process.env.NOTIFY_SOCKET = join(folder, 'n');
      const systemd = createNotifier(
        { NOTIFY_SOCKET: join(folder, 'n'), WATCHDOG_USEC: '100000' },
        { warn: () => {} },
      );
      systemd.ready();
      await until(
        () => said.some((one) => one.includes('READY=1')) && said.some((one) => one.includes('WATCHDOG=1')),
      );
      systemd.stopping();
      await until(() => said.some((one) => one.includes('STOPPING=1')));
      if (before === undefined) delete process.env.NOTIFY_SOCKET;
      else process.env.NOTIFY_SOCKET = before;
    } finally {
      listener.kill();
      ear.close();
      ear.closeAllConnections();
      await rm(folder, { recursive: true });
    }
  });

test.run();
