import type { ParseArgsConfig } from 'node:util';

/** What a command was given. */
export interface Given {
  args: string[];
  options: Record<string, string | boolean | undefined>;
  env: Record<string, string | undefined>;
  /** Writes one line for the admin. */
  say(line: string): void;
}

/**
 * Whose rights a command takes where root calls it: those of the data folder's owner; or its caller's, as it takes files of the
 * caller, and then what it has made in the data folder is given to the owner. `itself`: it sees to that, and to the settings
 * of the service.
 */
export type User = 'owner' | 'caller' | 'itself';

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` shows. */
  help: string;
  /** Names of the arguments, all of them required. */
  args: readonly string[];
  /** Names of those that may follow. */
  more?: readonly string[];
  /** Without it, the owner's. */
  user?: User | ((given: Given) => User);
  options: NonNullable<ParseArgsConfig['options']>;
  /** @returns false when it ran and found something wrong. */
  run(given: Given): Promise<boolean>;
}
