import { momentInWords } from '../text/day-in-india.ts';
import type { Command } from './command.ts';
import { Refused } from './refused.ts';
import { withServices } from './services-alongside.ts';

export const grant: Command = {
  summary: 'give a firm a plan without a payment',
  args: ['E-MAIL', 'PLAN', 'MONTHS'],
  options: {},
  help: `E-MAIL is that of any user of the firm. Time of a plan that still runs is made longer; another plan starts at once.`,

  async run({ args: [email = '', plan = '', months = ''], env, say }) {
    if (!/^[1-9]\d{0,2}$/.test(months)) throw new Refused('MONTHS takes a whole number from 1 to 999.');
    const ends = await withServices(env, ({ subscription }) =>
      subscription.administration.grant(email, plan, Number(months)),
    );
    say(`${email} has ${plan} until ${momentInWords(new Date(ends))}.`);
    return true;
  },
};
