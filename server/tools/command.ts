import type { ParseArgsConfig } from 'node:util';

/** Arguments and environment of a command. */
export interface CommandInput {
  args: string[];
  options: Record<string, string | boolean | undefined>;
  env: Record<string, string | undefined>;
  /** Prints one line for the admin. */
  say(line: string): void;
}

/**
 * Whose rights a command uses when root runs it: the data folder's `owner`; the `caller`, because the command
 * reads the caller's files (whatever it creates in the data folder is given to the owner afterwards); or
 * `itself`, when it handles users and service settings on its own.
 */
export type User = 'owner' | 'caller' | 'itself';

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` shows. */
  help: string;
  /** Names of the required arguments. */
  args: readonly string[];
  /** Names of the optional arguments. */
  more?: readonly string[];
  /** Default: the owner. */
  user?: User | ((input: CommandInput) => User);
  options: NonNullable<ParseArgsConfig['options']>;
  /** @returns false when it found something wrong. */
  run(input: CommandInput): Promise<boolean>;
}
