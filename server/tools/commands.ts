import { parseArgs } from 'node:util';
import { KeyRefused } from '#storage/keys.ts';
import { S3Away, S3Refused } from '#storage/s3/errors.ts';
import { BadConfig } from '#server/config/config.ts';
import { DatabaseSealed } from '#server/db/sqlite/page-encryption.ts';
import { isStorageFailure } from '#server/http/storage-failure.ts';
import { version } from '#server/serving/version.ts';
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
import { Refused, WrongUsage } from './refused.ts';
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
  const rows = Object.entries(COMMANDS).map(([name, { args, summary }]) => ({
    use: [name, ...args].join(' '),
    summary,
  }));
  const width = Math.max(...rows.map(({ use }) => use.length));
  const lines = rows.map(({ use, summary }) => `  ${use.padEnd(width)}  ${summary}`);
  return `npm run admin -- COMMAND …\n\n${lines.join('\n')}\n\nCOMMAND --help says more. Settings such as DATA_DIR are the server's; without DATA_DIR, those of the service in ${SETTINGS}. --passphrase-fd N takes the passphrase of a sealed master key.`;
}

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h';

/** Node's messages about options advise on what only programmers can do. */
function inPlainWords({ code, message }: NodeJS.ErrnoException): string {
  const option = /--?[\w-]+/.exec(message)?.[0] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}.`;
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  return /does not take/.test(message)
    ? `${option} takes no value.`
    : `${option} takes a value. One that begins with a dash is written ${option}=VALUE.`;
}

/** @returns the exit code: 0 success, 1 something is wrong or was refused, 2 invalid usage. */
async function run([name, ...rest]: string[]): Promise<number> {
  if (name === '--version' || name === 'version') {
    say(version);
    return 0;
  }
  if (!name || name === 'help' || isHelp(name)) {
    say(overview());
    return name ? 0 : 2;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    complain(`There is no command "${name}".\n\n${overview()}`);
    return 2;
  }
  if (rest.some(isHelp)) {
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
    complain(`${inPlainWords(error as NodeJS.ErrnoException)}\n\n${usage(name, command)}`);
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
  process.exitCode = error instanceof WrongUsage ? 2 : 1;
}
