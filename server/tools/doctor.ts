import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { readFile, stat, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism, networkInterfaces, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import { keyPath } from '#storage/keys.ts';
import { warningsOf } from '../config/warnings.ts';
import { sealedPath } from '../datadir/keys/sealed-file.ts';
import { whereaboutsInWords, whereKeyLies } from '../datadir/keys/whereabouts.ts';
import { confinement } from '../sandbox/confinement.ts';
import { CONFINED } from '../sandbox/contract.ts';
import { smtpOptions } from '../mail/transport.ts';
import type { Command } from './command.ts';
import { SETTINGS, withServiceSettings } from './service-settings.ts';

const GB = 1024 ** 3;
const PATIENCE = 5000;
const run = promisify(execFile);

/** `well` is false for what should be mended; `text` then says how. */
export interface Finding {
  about: string;
  well: boolean;
  text: string;
}
const well = (about: string, text: string): Finding => ({ about, well: true, text });
const wrong = (about: string, text: string): Finding => ({ about, well: false, text });

async function clock(): Promise<Finding> {
  const asked = await run('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']).catch(() => null);
  const now = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (asked?.stdout.trim() === 'no')
    return wrong('Clock', `says ${now}, and nothing keeps it right: sudo timedatectl set-ntp true`);
  return well('Clock', asked ? `${now}, kept right over the network` : `${now}; compare it with your phone`);
}

async function disk({ dataDir }: Config): Promise<Finding> {
  // Before the first start there may be no such folder; the disk is that of the one above.
  const asked = await statfs(dataDir).catch(() => statfs(join(dataDir, '..')).catch(() => null));
  if (!asked) return wrong('Disk', `${dataDir} cannot be reached. Is its disk mounted?`);
  const { bavail, blocks, bsize } = asked;
  const text = `${((bavail * bsize) / GB).toFixed(1)} GB free of ${((blocks * bsize) / GB).toFixed(1)} GB`;
  if (bavail < blocks / 10)
    return wrong('Disk', `${text}: less than a tenth. Make room, or take a larger disk.`);
  return well('Disk', text);
}

function memory({ scans }: Config): Finding {
  const size = totalmem() / GB;
  const text = `${size.toFixed(1)} GB, ${availableParallelism()} cores`;
  if (size < 1.8) return wrong('Memory', `${text}: the server needs 2 GB.`);
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
  const there = await stat(config.dataDir).catch(() => null);
  if (!there) return well('Master key', 'is made at the first start');
  const { well: sound, text } = whereaboutsInWords(await whereKeyLies(config));
  return { about: 'Master key', well: sound, text };
}

/** Every page of the database is sealed with AES: in software it takes ten times as long. */
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
  const own = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  const found = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => null);
  if (!found)
    return wrong(
      'Name',
      `${hostname} leads nowhere. Enter it at your name server or router, or set BASE_URL to the address of this machine.`,
    );
  if (own.includes(found.address) || trustProxy.length > 0)
    return well('Name', `${hostname} is ${found.address}`);
  return wrong(
    'Name',
    `${hostname} leads to ${found.address}, which is not this machine (${own.join(', ')}). Behind a router that passes it on this is right.`,
  );
}

/** Whether something takes connections there. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE });
    const end = (heard: boolean) => {
      socket.destroy();
      resolve(heard);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}

async function ports({ host, port, https }: Config): Promise<Finding> {
  const near = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const wanted = [port, ...(https?.httpPort ? [https.httpPort] : [])];
  const taken = await Promise.all(wanted.map((one) => answers(near, one)));
  if (taken.every(Boolean)) return well('Ports', `${wanted.join(' and ')} are answered`);
  if (!taken.some(Boolean)) return well('Ports', `${wanted.join(' and ')} are free; the server does not run`);
  const [silent, other] = [wanted.filter((_, at) => !taken[at]), wanted.filter((_, at) => taken[at])];
  return wrong(
    'Ports',
    `${other.join(', ')} is answered, ${silent.join(', ')} is not. Is another program on one of them? sudo ss -ltnp`,
  );
}

async function mail({ mail: { smtpUrl } }: Config): Promise<Finding> {
  if (!smtpUrl)
    return wrong('E-mail', 'SMTP_URL is not set: e-mails are written to a folder and go nowhere.');
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpOptions(smtpUrl));
  const { host } = new URL(smtpUrl);
  try {
    await transport.verify();
    return well('E-mail', `${host} takes our e-mails`);
  } catch (error) {
    return wrong('E-mail', `${host} does not take our e-mails: ${(error as Error).message}`);
  } finally {
    transport.close();
  }
}

/** How the processes are confined that read files. */
async function readers(): Promise<Finding> {
  const { well: fine, text } = CONFINED[await confinement()];
  return fine ? well('Readers', text) : wrong('Readers', text);
}

/** What is right and what is wrong with the machine, for these settings. */
export const findings = async (config: Config, env: Given['env']): Promise<Finding[]> => [
  ...(await Promise.all([
    clock(),
    disk(config),
    memory(config),
    permissions(config),
    masterKey(config),
    processor(),
    name(config),
    ports(config),
    mail(config),
    readers(),
  ])),
  ...warningsOf(config, env).map((text) => wrong('Settings', text)),
];

type Given = Parameters<Command['run']>[0];

export const doctor: Command = {
  summary:
    'say what is wrong with this machine: clock, disk, memory, processor, permissions, master key, name, ports, e-mail, readers of files',
  args: [],
  user: 'itself',
  options: {},
  help: `Changes nothing and may run beside the server. Where no DATA_DIR is set, the settings of the service are taken, from
${SETTINGS}. Exit code 1 when something should be mended.`,

  async run({ env, say }) {
    const settings = withServiceSettings(env);
    const found = await findings(readConfig(settings), settings);
    for (const { about, well, text } of found)
      say(`${well ? 'ok    ' : 'WRONG '} ${about.padEnd(12)} ${text}`);
    return found.every((one) => one.well);
  },
};
