import { readConfig } from '../config/config.ts';
import { asOwner, handOver } from './as-owner.ts';
import type { Command, CommandInput } from './command.ts';
import { SETTINGS, withServiceSettings } from './service-settings.ts';

/**
 * Runs a command on the data folder from the environment, or else on that of the installed service, with the
 * service's settings. When root runs it, whatever it creates in the data folder belongs to the folder's owner.
 * @param file settings file of the service.
 * @returns the result of the command.
 */
export async function runCommand(command: Command, input: CommandInput, file = SETTINGS): Promise<boolean> {
  const { user = 'owner' } = command;
  const as = typeof user === 'function' ? user(input) : user;
  if (as === 'itself') return command.run(input);
  const env = withServiceSettings(input.env, file);
  const run = () => command.run({ ...input, env });
  const { dataDir } = readConfig(env);
  if (as === 'owner') return asOwner(dataDir, run);
  return run().finally(() => handOver(dataDir));
}
