import { randomInt } from 'node:crypto';
import { readSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/config.ts';
import type { Ask } from '../datadir/keys/unlock.ts';
import { unlocked } from '../datadir/keys/unlock.ts';
import type { CommandInput } from './command.ts';
import { readGiven } from './given-file.ts';
import { Refused } from './refused.ts';

const TRIES = 3;
const MAX_LINE_BYTES = 4096;

/** The first line from a file descriptor, such as 0 for a pipe. */
function lineOf(descriptor: number): string {
  const bytes = Buffer.alloc(MAX_LINE_BYTES);
  let length = 0;
  for (
    let read = 1;
    read > 0 && length < MAX_LINE_BYTES && !bytes.subarray(0, length).includes(10);
    length += read
  ) {
    try {
      read = readSync(descriptor, bytes, length, 1, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') break;
      throw new Refused(`The passphrase cannot be read from file descriptor ${descriptor} (${code}).`);
    }
  }
  return bytes.toString('utf8', 0, length).split('\n')[0]!.replace(/\r$/, '');
}

/** Prompts in the terminal without echo. @returns null on Ctrl+C or Ctrl+D. */
function askHidden(question: string): Promise<string | null> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve) => {
    const end = (answer: string | null) => {
      process.stderr.write('\n');
      terminal.removeAllListeners('close');
      terminal.close();
      resolve(answer);
    };
    terminal.once('line', end);
    terminal.once('SIGINT', () => end(null));
    terminal.once('close', () => end(null));
  });
}

/** Reads the passphrase from the file descriptor, or prompts for it, at most three times. */
export function askAdmin({ passphraseFd }: Pick<Config, 'passphraseFd'>): Ask {
  let tries = 0;
  return async (wrong) => {
    if (passphraseFd !== null) return wrong === null ? lineOf(passphraseFd) : null;
    if (!process.stdin.isTTY || tries >= TRIES) return null;
    tries += 1;
    if (wrong) process.stderr.write(`${wrong}\n`);
    return askHidden('Passphrase of this vault: ');
  };
}

/** The settings with the master key filled in, however the key is kept. */
export async function readUnlockedConfig(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env);
  return unlocked(config, askAdmin(config));
}

/**
 * A passphrase to be set: from the file descriptor, or typed twice in the terminal.
 * @param weakness what is wrong with a passphrase, in a sentence.
 * @throws {Refused}
 */
export async function newPassphrase(
  { passphraseFd }: Pick<Config, 'passphraseFd'>,
  weakness: (passphrase: string) => string | null,
): Promise<string> {
  if (passphraseFd !== null) {
    const passphrase = lineOf(passphraseFd);
    const why = weakness(passphrase);
    if (why) throw new Refused(`${why} Nothing was changed.`);
    return passphrase;
  }
  if (!process.stdin.isTTY)
    throw new Refused(
      'There is no terminal to ask for the passphrase: give it with --passphrase-fd 0. Nothing was changed.',
    );
  const suggestion = Array.from({ length: 6 }, () => wordlist[randomInt(wordlist.length)]).join(' ');
  process.stderr.write(`Take one that you will remember, or this one: ${suggestion}\n`);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const first = await askHidden('New passphrase: ');
    if (first === null) break;
    const why = weakness(first);
    if (why) process.stderr.write(`${why}\n`);
    else if ((await askHidden('Once more: ')) === first) return first;
    else process.stderr.write('The two differ.\n');
  }
  throw new Refused('No passphrase was set. Nothing was changed.');
}

/** Asks for the words of a recovery sheet in the terminal. */
export async function typedWords(say: CommandInput['say']): Promise<string> {
  say('Type the 24 words of the recovery sheet in their order, or paste what its code holds.');
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((done) => ask.question('Words: ', (words) => (ask.close(), done(words))));
}

/** The words of a recovery sheet, if the options ask for them; null otherwise. */
export async function sheetWords({ options, say }: CommandInput): Promise<string | null> {
  if (typeof options.sheet === 'string') return (await readGiven('--sheet', options.sheet)).toString('utf8');
  if (options.words !== true) return null;
  if (!process.stdin.isTTY)
    throw new Refused('There is no terminal to type words: give --sheet FILE. Nothing was changed.');
  return typedWords(say);
}
