import { pino } from 'pino';
import { compose } from '../services.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import { openAlongside } from './open-alongside.ts';
import type { Command } from './command.ts';
import { Refused } from './refused.ts';

export const resetLink: Command = {
  summary: 'make a link to set a new password, for a user who gets no e-mail',
  args: ['EMAIL'],
  options: { 'two-step-off': { type: 'boolean' } },
  help: `Prints a link with which the user sets a new password, good for one hour and once. Make sure who asks. It stands in
the firm's history. The server may be running.

  --two-step-off     also turns off two-step sign-in, for a user who has lost phone and recovery codes; an e-mail says so`,

  async run({ args: [email = ''], options, env, say }) {
    const config = await readUnlockedConfig(env);
    const beside = await openAlongside(config);
    try {
      const services = compose({
        ...beside,
        config,
        log: pino({ level: 'silent' }),
        clock: () => new Date(),
      });
      const token = await services.auth.letIn(email.trim().toLowerCase(), {
        twoStepOff: options['two-step-off'] === true,
      });
      if (!token) throw new Refused(`Nobody here signs in with ${email}.`);
      say(`${config.baseUrl}/reset-password?token=${token}`);
      return true;
    } finally {
      await beside.close();
    }
  },
};
