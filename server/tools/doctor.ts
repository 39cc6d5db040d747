import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { keyPath } from '#storage/keys.ts';
import { missingPlaces, warningsOf } from '../config/warnings.ts';
import { measureDisk } from '../datadir/disk-reserve.ts';
import { sealedPath } from '../datadir/keys/sealed-file.ts';
import { isUnused, whereaboutsInWords, whereKeyLies } from '../datadir/keys/whereabouts.ts';
import { isLocked } from '../datadir/lock.ts';
import { confinement } from '../sandbox/confinement.ts';
import { CONFINED } from '../sandbox/contract.ts';
import { availableMemory } from '../sandbox/memory.ts';
import type { Command } from './command.ts';
import { certificate } from './doctor-certificate.ts';
import { clock } from './doctor-clock.ts';
import { files } from './doctor-files.ts';
import { mail } from './doctor-mail.ts';
import { service } from './doctor-service.ts';
import type { Finding } from './finding.ts';
import { well, wrong } from './finding.ts';
import { SETTINGS, UNIT, readSettings, withServiceSettings } from './service-settings.ts';
import { requestLocal } from './update-service.ts';

const GB = 1024 ** 3;
const TIMEOUT_MS = 5000;

async function disk({ dataDir }: Config): Promise<Finding> {
  // Before the first start there may be no such folder; the disk is that of the one above.
  const measured = await measureDisk(dataDir).catch(() => measureDisk(join(dataDir, '..')).catch(() => null));
  if (!measured) return wrong('Disk', `${dataDir} cannot be reached. Is its disk mounted?`);
  const { free, size } = measured;
  const text = `${(free / GB).toFixed(1)} GB free of ${(size / GB).toFixed(1)} GB`;
  if (free < size / 10) return wrong('Disk', `${text}: less than a tenth. Make room, or take a larger disk.`);
  return well('Disk', text);
}

/** @param bytes memory of the machine or container. */
export function memoryFinding(bytes: number, cores: number, scans: Config['scans']): Finding {
  const size = bytes / GB;
  const text = `${size.toFixed(1)} GB, ${cores} ${cores === 1 ? 'core' : 'cores'}`;
  if (size < 1.8) return wrong('Memory', `${text}: this machine is too small. The server needs 2 GB.`);
  if (cores < 2)
    return wrong('Memory', `${text}: people wait while documents are read. The server wants two cores.`);
  if (size < 3.5 && scans === 'on')
    return wrong('Memory', `${text}: set READING_SCANS=light, which takes 0.5 GB less.`);
  return well('Memory', text);
}

async function permissions({ dataDir, masterKey: given, masterKeyFile }: Config): Promise<Finding> {
  const folder = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (folder instanceof Error)
    return folder.code === 'ENOENT'
      ? well('Permissions', `${dataDir} is not there yet; the first start makes it`)
      : wrong('Permissions', `${dataDir} cannot be looked at (${folder.code}): put sudo before the command.`);
  const isWritable = await access(dataDir, constants.W_OK).then(
    () => (folder.mode & 0o200) !== 0,
    () => false,
  );
  if (!isWritable)
    return wrong(
      'Permissions',
      `${dataDir} cannot be written, so the server does not start. Is its disk mounted read-only, as after a fault? Otherwise: chmod 700 ${dataDir}, or put sudo before the command.`,
    );
  if (folder.mode & 0o077)
    return wrong('Permissions', `others on this machine can look into ${dataDir}: chmod 700 ${dataDir}`);
  const files = masterKeyFile ? [masterKeyFile] : [keyPath(dataDir), sealedPath(dataDir)];
  for (const key of given ? [] : files) {
    const file = await stat(key).catch(() => undefined);
    if (file && file.uid !== folder.uid)
      return wrong(
        'Permissions',
        `${key} belongs to another user than ${dataDir}: chown both to the same one.`,
      );
  }
  return well('Permissions', `${dataDir} is for its owner alone`);
}

async function masterKey(config: Config): Promise<Finding> {
  const where = await whereKeyLies(config);
  if (isUnused(where)) return well('Master key', 'is made at the first start');
  const { well: sound, text } = whereaboutsInWords(where);
  return { about: 'Master key', well: sound, text };
}

/** Every database page is encrypted with AES, which is ten times slower without hardware support. */
async function processor(): Promise<Finding> {
  const about = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  const flags = /^(?:flags|Features)\s*:(.*)$/m.exec(about)?.[1]?.split(' ');
  if (flags && !flags.includes('aes'))
    return wrong(
      'Processor',
      'it has no instructions for AES, or the virtual machine hides them (CPU type "host" shows them): encryption will be slow.',
    );
  return well(
    'Processor',
    flags ? 'it has instructions for AES' : 'it could not be asked whether it has instructions for AES',
  );
}

async function name({ baseUrl, trustProxy }: Config): Promise<Finding> {
  const { hostname } = new URL(baseUrl);
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  const found = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => null);
  if (!found)
    return wrong(
      'Name',
      `${hostname} leads nowhere. Enter it at your name server or router, or set BASE_URL to the address of this machine.`,
    );
  if (addresses.includes(found.address) || trustProxy.length > 0)
    return well('Name', `${hostname} is ${found.address}`);
  return wrong(
    'Name',
    `${hostname} leads to ${found.address}, which is not this machine (${addresses.join(', ')}). Behind a router that passes it on this is right.`,
  );
}

/** Whether something accepts connections on the port. */
function acceptsConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}

/** Whether /healthz responds like this server, which it also does while locked or with a full disk. */
async function isOurs(config: Config): Promise<boolean> {
  const { status = 0, type = '' } = (await requestLocal(config, '/healthz')) ?? {};
  return [200, 503].includes(status) && type.startsWith('application/json');
}

/** Whether plain http is answered like beside https here: by redirects, and by this type for what the authority asks for. */
async function isOurRedirect({ host }: Config, port: number): Promise<boolean> {
  const path = '/.well-known/acme-challenge/doctor';
  const { type = '' } = (await requestLocal({ host, port, https: null }, path)) ?? {};
  return type === 'application/octet-stream';
}

async function ports(config: Config): Promise<Finding> {
  const { host, port, https } = config;
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const wanted = [port, ...(https?.httpPort ? [https.httpPort] : [])];
  const portsAre = `${wanted.join(' and ')} ${wanted.length > 1 ? 'are' : 'is'}`;
  const listening = await Promise.all(wanted.map((port) => acceptsConnections(near, port)));
  if (listening.every(Boolean) && !(await isOurs(config)))
    return wrong(
      'Ports',
      `${port} is answered by another program: sudo ss -ltnp names it. Stop it, or set PORT.`,
    );
  if (listening.every(Boolean)) {
    const { httpPort, kind } = https ?? {};
    if (!httpPort || (await isOurRedirect(config, httpPort))) return well('Ports', `${portsAre} answered`);
    return wrong(
      'Ports',
      `${httpPort} is answered by another program, so ${kind === 'acme' ? 'the authority gives no certificate' : 'nobody is sent on to https'}: ` +
        'sudo ss -ltnp names it. Stop it, and start this server again.',
    );
  }
  if (!listening.some(Boolean) && (await isLocked(config.dataDir)))
    return wrong(
      'Ports',
      `${portsAre} free, but a server works on ${config.dataDir}: at another port. Set PORT and BASE_URL as it has them, and run this again.`,
    );
  if (!listening.some(Boolean)) return well('Ports', `${portsAre} free; the server does not run`);
  const [silent, other] = [
    wanted.filter((_, index) => !listening[index]),
    wanted.filter((_, index) => listening[index]),
  ];
  return wrong(
    'Ports',
    `${other.join(', ')} is answered, ${silent.join(', ')} is not. Is another program on one of them? sudo ss -ltnp`,
  );
}

/** Whether the next nightly backup can be made, and will be of use. */
async function backups({ backups: of, dataDir }: Config): Promise<Finding> {
  if (!of)
    return wrong(
      'Backups',
      'none are made: set BACKUP_DIR to a folder on another disk, then run install again.',
    );
  const { place, s3 } = of;
  if (s3) return well('Backups', `go to ${place}`);
  const [there, data] = await Promise.all([place, dataDir].map((path) => stat(path).catch(() => null)));
  if (!there?.isDirectory())
    return wrong(
      'Backups',
      `${place} is not there. Connect the disk or mount the share, or make the folder.`,
    );
  const unit = await readFile(UNIT, 'utf8').catch(() => '');
  if (unit.includes(`"${dataDir}"`) && !unit.includes(`${place}"`))
    return wrong('Backups', `the service may not write to ${place} yet: sudo npm run admin -- install`);
  if (data && there.uid !== data.uid && !(there.mode & 0o022))
    return wrong(
      'Backups',
      `${place} belongs to another user than ${dataDir}: chown it, or mount the share with uid=${data.uid}.`,
    );
  const { free, size } = await measureDisk(place);
  if (free < size / 20)
    return wrong(
      'Backups',
      `${place} has ${(free / GB).toFixed(1)} GB left, less than a twentieth: make room there, or take a larger disk.`,
    );
  if (there.dev === data?.dev)
    return wrong('Backups', `${place} is on the same disk as ${dataDir}: when that fails, both are lost.`);
  return well('Backups', `go to ${place}`);
}

/** How the processes that parse files are sandboxed. */
async function readers(): Promise<Finding> {
  const { well: fine, text } = CONFINED[await confinement()];
  return fine ? well('Readers', text) : wrong('Readers', text);
}

/** Variables that are read elsewhere: by commands, by Node, by the client of PostgreSQL, or by the system. */
const READ_ELSEWHERE =
  /^(?:RELEASE_KEYS|PG[A-Z]+|PATH|HOME|TZ|LANG|LC_\w+|NODE_\w+|UV_\w+|MALLOC_\w+|SSL_\w+|(?:no|all|https?)_proxy)$/i;

/** Names in the service's settings that the server does not read: misspelled, they are without effect, and nothing else says so. */
export function unreadSettings(settings: Record<string, string>): Finding[] {
  const read = new Set<string>();
  const noting = new Proxy(settings, {
    get(target, name: string) {
      read.add(name);
      return target[name];
    },
  });
  readConfig(noting);
  return Object.keys(settings)
    .filter((name) => !read.has(name) && !READ_ELSEWHERE.test(name))
    .map((name) =>
      wrong(
        'Settings',
        `${name} in ${SETTINGS} is not read: it is misspelled, or another setting is missing that it belongs to.`,
      ),
    );
}

/** What one check cannot look at does not keep the others from being said. */
const alone = <T>(about: string, finding: Promise<T>): Promise<T | Finding> =>
  finding.catch((error: Error) => wrong(about, error.message));

/** All findings about the machine, for these settings. */
export const findings = async (config: Config, env: Given['env']): Promise<Finding[]> => [
  // By itself, because it takes the rights of the folder's owner meanwhile.
  await alone('Files', files(config)),
  ...(await Promise.all([
    alone('Service', service(config)),
    alone('Clock', clock(config)),
    alone('Disk', disk(config)),
    memoryFinding(availableMemory(), availableParallelism(), config.scans),
    alone('Permissions', permissions(config)),
    alone('Master key', masterKey(config)),
    processor(),
    name(config),
    ports(config),
    alone('Certificate', certificate(config)),
    alone('Backups', backups(config)),
    mail(config),
    readers(),
  ]).then((all) => all.filter((finding) => finding !== null))),
  ...[...warningsOf(config, env), ...(await missingPlaces(config, env))].map((text) =>
    wrong('Settings', text),
  ),
];

type Given = Parameters<Command['run']>[0];

export const doctor: Command = {
  summary:
    'say what is wrong with this machine: service, clock, disk, files, memory, processor, permissions, master key, name, ports, certificate, backups, e-mail, readers of files',
  args: [],
  user: 'itself',
  options: {},
  help: `Changes nothing and may run beside the server. Where no DATA_DIR is set, the settings of the service are taken, from
${SETTINGS}. Exit code 1 when something should be mended.`,

  async run({ env, say }) {
    const settings = withServiceSettings(env);
    const ofService = env.DATA_DIR || !existsSync(SETTINGS) ? {} : readSettings();
    const found = [...(await findings(readConfig(settings), settings)), ...unreadSettings(ofService)];
    for (const { about, well, text } of found)
      say(`${well ? 'ok    ' : 'WRONG '} ${about.padEnd(12)} ${text}`);
    return found.every((finding) => finding.well);
  },
};
