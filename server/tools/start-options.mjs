import { parseArgs } from 'node:util';

/**
 * The options of `npm start` as settings: `--passphrase-fd N`, which the commands take as well.
 * @param {string[]} args
 * @returns {Record<string, string>}
 * @throws with a message for the admin.
 */
export function settingsOf(args) {
  try {
    const { values } = parseArgs({ args, options: { 'passphrase-fd': { type: 'string' } } });
    const descriptor = values['passphrase-fd'];
    return descriptor === undefined ? {} : { PASSPHRASE_FD: descriptor };
  } catch {
    throw new Error(
      `"npm start" takes --passphrase-fd N alone, such as: npm start -- --passphrase-fd 0. Not: ${args.join(' ')}. Everything else is a setting: DATA_DIR=… npm start`,
    );
  }
}
