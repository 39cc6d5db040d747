import { parseArgs } from 'node:util';
import { KeyRefused } from '#storage/keys.ts';
import { S3Away, S3Refused } from '#storage/s3/errors.ts';
import { BadConfig } from '#server/config/config.ts';
import { DatabaseSealed } from '#server/db/sqlite/page-encryption.ts';
import { isStorageFailure } from '#server/http/storage-failure.ts';
import { backup } from './backup.ts';
import { backups } from './backups.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor.ts';
import { grant } from './grant.ts';
import { install, uninstall } from './install.ts';
import { jobs } from './jobs.ts';
import { key } from './key.ts';
import { resetLink } from './admin-reset-link.ts';
import { migrate } from './migrate.ts';
import { operator } from './operator.ts';
import { outbox } from './outbox.ts';
import { payments } from './payments.ts';
import { plans } from './plans.ts';
import { Refused } from './refused.ts';
import { replaceKey } from './replace-key.ts';
import { restore } from './restore.ts';
import { runCommand } from './run-command.ts';
import { seed } from './seed.ts';
import { SETTINGS } from './service-settings.ts';
import { move } from './move.ts';
import { sweep } from './sweep.ts';
import { update } from './update.ts';
import { verify } from './verify.ts';

const COMMANDS: Record<string, Command> = {
  backup,
  backups,
  restore,
  verify,
  sweep,
  move,
  jobs,
  seed,
  grant,
  plans,
  payments,
  'let-in': resetLink,
  'replace-key': replaceKey,
  key,
  migrate,
  operator,
  outbox,
  doctor,
  install,
  uninstall,
  update,
};

/** Options that every command accepts. */
const EVERYWHERE = { 'passphrase-fd': { type: 'string' } } as const;

// Backups and data folders are readable for their owner alone.
process.umask(0o077);

// The reader of the output may go away, as with `| head` or a lost connection; the command still finishes its work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

const say = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

function usage(name: string, { args, more = [], options, help }: Command): string {
  const flags = Object.entries(options).map(
    ([flag, { type }]) => `[--${flag}${type === 'string' ? ' …' : ''}]`,
  );
  return `npm run admin -- ${[name, ...args, ...more.map((arg) => `[${arg}]`), ...flags].join(' ')}\n\n${help}`;
}

function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { args, summary }]) => {
    return `  ${[name, ...args].join(' ').padEnd(18)} ${summary}`;
  });
  return `npm run admin -- COMMAND …\n\n${lines.join('\n')}\n\nCOMMAND --help says more. Settings such as DATA_DIR are the server's; without DATA_DIR, those of the service in ${SETTINGS}. --passphrase-fd N takes the passphrase of a sealed master key.`;
}

/** @returns the exit code: 0 success, 1 something is wrong or was refused, 2 invalid usage. */
async function run([name, ...rest]: string[]): Promise<number> {
  if (!name || name === 'help' || name === '--help') {
    say(overview());
    return name ? 0 : 2;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    complain(`There is no command "${name}".\n\n${overview()}`);
    return 2;
  }
  if (rest.includes('--help')) {
    say(usage(name, command));
    return 0;
  }
  let parsed;
  try {
    parsed = parseArgs({
      args: rest,
      options: { ...command.options, ...EVERYWHERE },
      allowPositionals: true,
    });
    const missing = command.args[parsed.positionals.length];
    if (missing) throw new Error(`${missing} is missing.`);
    if (parsed.positionals.length > command.args.length + (command.more?.length ?? 0))
      throw new Error('There are too many arguments.');
  } catch (error) {
    complain(`${(error as Error).message}\n\n${usage(name, command)}`);
    return 2;
  }
  const options = parsed.values as Record<string, string | boolean | undefined>;
  const { 'passphrase-fd': descriptor } = options;
  const env = typeof descriptor === 'string' ? { ...process.env, PASSPHRASE_FD: descriptor } : process.env;
  const sound = await runCommand(command, { args: parsed.positionals, options, env, say });
  return sound ? 0 : 1;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const plain =
    error instanceof Refused ||
    error instanceof KeyRefused ||
    error instanceof S3Refused ||
    error instanceof S3Away ||
    error instanceof BadConfig ||
    error instanceof DatabaseSealed;
  complain(
    plain
      ? error.message
      : !isStorageFailure(error)
        ? String((error as Error).stack)
        : `The disk of the data folder is full, or cannot be used: ${(error as Error).message}\nMake room on it and try again; "doctor" says how much there is.`,
  );
  process.exitCode = 1;
}
