import { readConfig } from '../config/config.ts';
import { asOwner, handOver } from './as-owner.ts';
import type { Command, Given } from './command.ts';
import { SETTINGS, withServiceSettings } from './service-settings.ts';

/**
 * Runs a command on the data folder that the environment names, or else on that of the service of this machine, with its
 * settings. Where root calls it, what it makes there is the owner's of that folder, whom the service runs as.
 * @param file where the settings of the service are.
 * @returns what the command does.
 */
export async function runCommand(command: Command, given: Given, file = SETTINGS): Promise<boolean> {
  const { user = 'owner' } = command;
  const as = typeof user === 'function' ? user(given) : user;
  if (as === 'itself') return command.run(given);
  const env = withServiceSettings(given.env, file);
  const run = () => command.run({ ...given, env });
  const { dataDir } = readConfig(env);
  if (as === 'owner') return asOwner(dataDir, run);
  return run().finally(() => handOver(dataDir));
}
