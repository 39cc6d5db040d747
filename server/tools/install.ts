import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { checkPath, keyPath, readIfThere } from '#storage/keys.ts';
import { MASTER_KEY_BYTES } from '#storage/masterkey.ts';
import { readConfig } from '../config/config.ts';
import { credentialsHere } from '../datadir/keys/credential.ts';
import { credentialForm } from '../datadir/keys/forms.ts';
import { readSealed, sealedPath } from '../datadir/keys/sealed-file.ts';
import { makeFolder } from '../datadir/make-folder.ts';
import { whereaboutsInWords, whereKeyLies } from '../datadir/keys/whereabouts.ts';
import { trustAddress } from '../tls/trust-address.ts';
import { CURRENT, baseOf, makeCurrent } from '../updates/layout.ts';
import type { Command, CommandInput } from './command.ts';
import { Refused } from './refused.ts';
import { FINISH_SERVICE, FINISH_UNIT, SERVICE, SETTINGS, UNIT, readSettings } from './service-settings.ts';
import { requireOwn, requireUsable, requireVisible } from './service-folders.ts';
import { finishUnitFile, settingsFile, unitFile } from './service-unit.ts';

const PROGRAM = resolve(import.meta.dirname, '../..');
/** The parts of the program that the service reads. */
const READABLE = [
  'dist',
  'node_modules',
  'server',
  'storage',
  'site',
  'migrations',
  'package.json',
  'knexfile.ts',
];
/** The installation folder, which outlives single versions. */
const BASE = baseOf(PROGRAM);

/** One step, with its description; a dry run only prints the description. */
interface Step {
  what: string;
  run(): Promise<void> | void;
}

const command = (program: string, ...args: string[]) =>
  void execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });

/** The office network address of this machine; null without one. */
function officeAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

function requireDebian(): void {
  if (!existsSync('/etc/debian_version') || !existsSync('/run/systemd/system'))
    throw new Refused(
      'This command sets up a service on Debian or Ubuntu with systemd. On another system start the server with "npm start", or run the container: the README says how.',
    );
}

function requireRoot(): void {
  if (process.getuid?.() !== 0) throw new Refused('This needs root: put sudo before it.');
}

type Answers = Record<'address' | 'data' | 'email' | 'backup', string>;

/** Prompts for answers that no flag gives; without a terminal the defaults are taken. */
async function answers({ options, say }: CommandInput, { address }: { address: string }): Promise<Answers> {
  const asks = options.yes !== true && options['dry-run'] !== true && process.stdin.isTTY;
  const terminal = asks ? createInterface({ input: process.stdin, output: process.stdout }) : null;
  // Abort the prompt on Ctrl+C or Ctrl+D; otherwise it would wait for ever.
  const left = new AbortController();
  terminal?.once('close', () => left.abort());
  async function ask(flag: keyof Answers, question: string, fallback: string): Promise<string> {
    const option = options[flag];
    if (typeof option === 'string') return option;
    const answer = await terminal
      ?.question(`${question}${fallback ? ` [${fallback}]` : ''}: `, { signal: left.signal })
      .catch(() => {
        throw new Refused('Nothing was changed.');
      });
    return answer?.trim() || fallback;
  }
  try {
    if (terminal) say('Press Enter to take what stands in brackets.');
    return {
      address: await ask('address', 'Address that people open, https://…', address),
      data: await ask('data', 'Folder for all documents', '/var/lib/almirah'),
      backup: await ask('backup', 'Folder of another disk for nightly backups, empty for none yet', ''),
      email: await ask('email', 'E-mail address of whoever looks after this server, empty for none', ''),
    };
  } finally {
    terminal?.close();
  }
}

function settingsOf({ address, data, email, backup }: Answers): Record<string, string> {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Refused(
      `"${address}" is no address. Give one such as https://192.168.1.10 or https://vault.example.in`,
    );
  const { protocol, port } = new URL(address);
  const settings: Record<string, string> = {
    BASE_URL: new URL(address).origin,
    ...(protocol === 'https:' ? { HTTPS: 'auto', PORT: port || '443' } : { PORT: port || '80' }),
    HOST: '0.0.0.0',
    DATA_DIR: data,
    ...(email && { INSTALLATION_ADMINS: email, CONTACT_EMAIL: email }),
    ...(backup && { BACKUP_DIR: backup }),
  };
  // What the server would refuse is said now.
  readConfig(settings);
  return settings;
}

async function settingsAsked(input: CommandInput): Promise<Record<string, string>> {
  const address = `https://${officeAddress() ?? 'localhost'}`;
  const chosen = await answers(input, { address });
  return settingsOf({ ...chosen, data: resolve(chosen.data) });
}

/** @throws {Refused} when ownership cannot be changed, as on a network share with fixed owners. */
async function giveFolder(folder: string, user: string): Promise<void> {
  await makeFolder(folder);
  try {
    command('chown', '-R', `${user}:${user}`, folder);
    await chmod(folder, 0o700);
  } catch {
    throw new Refused(
      `${folder} cannot be given to the user ${user}; the reason stands above. Is it a share of Windows or a disk without ` +
        `users? Mount it with the options uid=${user},gid=${user},file_mode=0600,dir_mode=0700, then run install again.`,
    );
  }
}

/** The folders beside that of the data which the service writes to, as the configuration names them. */
const writesOf = ({ BACKUP_DIR: backup }: Record<string, string>): string[] =>
  backup?.startsWith('/') ? [resolve(backup)] : [];

function stepsOf(settings: Record<string, string>, user: string): Step[] {
  const dataDir = settings.DATA_DIR!;
  const writes = writesOf(settings);
  const steps: Step[] = [
    {
      what: `Make the program ready in ${PROGRAM} (packages, pages)`,
      run() {
        // The service's user must be able to read the program; only the data folder is private to that user.
        process.umask(0o022);
        command(process.execPath, join(PROGRAM, 'server/tools/prepare.mjs'), 'start');
        const parts = READABLE.map((name) => join(PROGRAM, name)).filter((part) => existsSync(part));
        command('chmod', '-R', 'go+rX', ...parts);
        command('chmod', 'go+rx', ...new Set([BASE, dirname(PROGRAM), PROGRAM]));
      },
    },
    {
      what: `Let ${join(BASE, CURRENT)} lead to it, which an update will turn to another version`,
      run: () => makeCurrent(BASE, PROGRAM),
    },
    {
      what: `Make the system user ${user}, who can do nothing else`,
      run() {
        try {
          execFileSync('id', [user], { stdio: 'ignore' });
        } catch {
          command(
            'useradd',
            '--system',
            '--user-group',
            '--no-create-home',
            '--shell',
            '/usr/sbin/nologin',
            user,
          );
        }
      },
    },
    ...[dataDir, ...writes].map((folder) => ({
      what: `Make ${folder}, for ${user} alone`,
      run: () => giveFolder(folder, user),
    })),
    {
      what: existsSync(SETTINGS) ? `Keep the settings in ${SETTINGS}` : `Write the settings to ${SETTINGS}`,
      async run() {
        if (existsSync(SETTINGS)) return;
        await writeFile(SETTINGS, settingsFile(settings), { mode: 0o600 });
      },
    },
    {
      what: 'Seal the master key for this machine, where the folder is new (by its TPM, or by systemd)',
      run: () => sealNewKey(dataDir),
    },
    {
      what: `Write the service to ${UNIT}`,
      async run() {
        const credential = await credentialIn(dataDir);
        const unit = unitFile({
          program: join(BASE, CURRENT),
          dataDir,
          writes,
          user,
          settings: SETTINGS,
          credential,
        });
        await writeFile(UNIT, unit, { mode: 0o644 });
      },
    },
    {
      what: `Write to ${FINISH_UNIT} what ends an update that a power failure cuts short`,
      run: () =>
        writeFile(FINISH_UNIT, finishUnitFile({ program: join(BASE, CURRENT), dataDir }), { mode: 0o644 }),
    },
    {
      what: 'Start it now and at every boot',
      run() {
        command('systemctl', 'daemon-reload');
        command('systemctl', 'enable', SERVICE, FINISH_SERVICE);
        try {
          command('systemctl', 'restart', SERVICE);
        } catch {
          throw new Refused(
            `The service is set up, but did not start. What it says: journalctl -u ${SERVICE} -n 20. Settings are in ${SETTINGS}; ` +
              'after a change there, run install again.',
          );
        }
      },
    },
  ];
  return steps;
}

/** The sealed key file, if systemd has to open it for the service; null otherwise. */
async function credentialIn(dataDir: string): Promise<string | null> {
  const file = sealedPath(dataDir);
  return (await readSealed(file))?.form === 'credential' ? file : null;
}

/**
 * Creates a key for a data folder without one, sealed for this machine from the start; an existing key stays as
 * it is.
 */
async function sealNewKey(dataDir: string): Promise<void> {
  const used = await Promise.all(
    [keyPath(dataDir), sealedPath(dataDir), checkPath(dataDir)].map((file) => readIfThere(file)),
  );
  const { host, tpm } = await credentialsHere();
  if (used.some(Boolean) || !host) return;
  const secret = randomBytes(MASTER_KEY_BYTES);
  const form = credentialForm(dataDir, tpm ? 'tpm' : 'host');
  await form.prepare(secret);
  if (!(await form.prepared())?.equals(secret))
    throw new Refused('systemd-creds did not give the key back that it sealed. Nothing was changed.');
  await form.place();
}

async function carryOut(steps: readonly Step[], { say, options }: CommandInput): Promise<void> {
  const dry = options['dry-run'] === true;
  for (const { what, run } of steps) {
    say(`${dry ? 'Would: ' : ''}${what}`);
    if (!dry) await run();
  }
}

export const install: Command = {
  summary: 'set the server up as a service of this machine that starts at boot (Debian, Ubuntu)',
  args: [],
  user: 'itself',
  options: {
    address: { type: 'string' },
    data: { type: 'string' },
    backup: { type: 'string' },
    email: { type: 'string' },
    yes: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  help: `Asks for what the flags do not say. Run it again after moving the program, or to write the service anew: settings in
/etc/almirah.env stay as they are. The service runs as a user of its own, sees only its data folder, and is started again
when it fails.

  --address …   what people open: https://192.168.1.10, or a public name for a certificate of Let's Encrypt
  --data …      the folder of all documents (/var/lib/almirah)
  --backup …    a folder on another disk for nightly backups
  --email …     who looks after this server: sees System and gets its alarms
  --yes         ask nothing
  --dry-run     only say what would be done, and show the service`,

  async run(input) {
    const { options, say } = input;
    const dry = options['dry-run'] === true;
    // An existing service is rewritten with its existing settings.
    const existing = !dry && existsSync(SETTINGS) ? readSettings() : null;
    if (!dry) {
      requireDebian();
      requireRoot();
      requireVisible(BASE, 'The program');
    }
    const settings = existing ?? (await settingsAsked(input));
    const data = resolve(settings.DATA_DIR ?? join(BASE, 'data'));
    settings.DATA_DIR = data;
    await requireOwn(data);
    const { backups } = readConfig(settings);
    if (backups && !backups.s3) requireUsable(backups.place, 'The folder for backups');
    const steps = stepsOf(settings, SERVICE);
    await carryOut(steps, input);
    if (dry) {
      const writes = writesOf(settings);
      say(`\n${SETTINGS}:\n${settingsFile(settings)}\n${UNIT}:`);
      say(
        unitFile({ program: join(BASE, CURRENT), dataDir: data, writes, user: SERVICE, settings: SETTINGS }),
      );
      return true;
    }
    const { https } = readConfig(settings);
    say(`\nAlmirah runs. Open ${settings.BASE_URL}`);
    if (https?.kind === 'local')
      say(`On each computer and phone first ${trustAddress(settings.BASE_URL!, https.httpPort)}, once.`);
    say(`What it says: journalctl -u ${SERVICE}    Is all well: sudo npm run admin -- doctor`);
    say(whereaboutsInWords(await whereKeyLies({ dataDir: data, masterKey: null, masterKeyFile: null })).text);
    say(
      'Save the recovery sheet as soon as you have registered (System, Backups): without it or the key no file can be opened.',
    );
    return true;
  },
};

const UNITS = [
  [FINISH_UNIT, FINISH_SERVICE],
  [UNIT, SERVICE],
] as const;

export const uninstall: Command = {
  summary: 'take the service off this machine; documents and settings stay',
  args: [],
  user: 'itself',
  options: { 'dry-run': { type: 'boolean' } },
  help: `Stops the service and takes it off. The data folder, its key, /etc/almirah.env and the program stay; install sets it up again.`,

  async run(input) {
    if (input.options['dry-run'] !== true) {
      requireDebian();
      requireRoot();
    }
    await carryOut(
      [
        {
          what: 'Stop the service, and start it no more',
          run() {
            for (const [unit, service] of UNITS)
              if (existsSync(unit)) command('systemctl', 'disable', '--now', service);
          },
        },
        ...UNITS.map(([unit]) => ({ what: `Delete ${unit}`, run: () => rm(unit, { force: true }) })),
        { what: 'Tell systemd', run: () => command('systemctl', 'daemon-reload') },
      ],
      input,
    );
    input.say(
      `Documents, key and settings stay where they are (${dirname(SETTINGS)}/almirah.env says where).`,
    );
    return true;
  },
};
