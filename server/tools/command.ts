import type { ParseArgsConfig } from 'node:util';

/** What a command was given. */
export interface Given {
  args: string[];
  options: Record<string, string | boolean | undefined>;
  env: Record<string, string | undefined>;
  /** Writes one line for the admin. */
  say(line: string): void;
}

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** What `--help` shows. */
  help: string;
  /** Names of the arguments, all of them required. */
  args: readonly string[];
  /** Names of those that may follow. */
  more?: readonly string[];
  options: NonNullable<ParseArgsConfig['options']>;
  /** @returns false when it ran and found something wrong. */
  run(given: Given): Promise<boolean>;
}
