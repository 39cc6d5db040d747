import type { PlanTerms } from '../subscription/administration.ts';
import type { Command, CommandInput } from './command.ts';
import { Refused, WrongUsage } from './refused.ts';
import { withServices } from './services-alongside.ts';

const NAME_MAX = 40;
const FIGURES = {
  monthly: 'monthly_price',
  yearly: 'yearly_price',
  storage: 'storage_gb',
  users: 'max_users',
} as const;

function termsIn(options: CommandInput['options']): Partial<PlanTerms> {
  const terms: Partial<PlanTerms> = {};
  for (const [option, field] of Object.entries(FIGURES)) {
    const value = options[option];
    if (value === undefined) continue;
    if (!/^[1-9]\d{0,6}$/.test(String(value)))
      throw new Refused(`--${option} takes a whole number from 1 to 9,999,999.`);
    terms[field] = Number(value);
  }
  if (options.popular !== undefined && !['yes', 'no'].includes(String(options.popular)))
    throw new Refused('--popular takes yes or no.');
  if (options.popular !== undefined) terms.is_popular = options.popular === 'yes';
  return terms;
}

function requireAll(terms: Partial<PlanTerms>): PlanTerms {
  const { monthly_price, yearly_price, storage_gb, max_users, is_popular = false } = terms;
  if (!monthly_price || !yearly_price || !storage_gb || !max_users)
    throw new Refused('A new plan needs --monthly, --yearly, --storage and --users.');
  return { monthly_price, yearly_price, storage_gb, max_users, is_popular };
}

export const plans: Command = {
  summary: 'list, add, change, retire or sell plans',
  args: ['list|add|set|retire|sell'],
  more: ['NAME'],
  options: {
    monthly: { type: 'string' },
    yearly: { type: 'string' },
    storage: { type: 'string' },
    users: { type: 'string' },
    popular: { type: 'string' },
  },
  help: `Holds for what is bought from now on: nobody gets less than they have paid for. A retired plan stays retired
until "sell".

  --monthly N     whole rupees, GST included
  --yearly N      whole rupees, GST included
  --storage N     GB
  --users N
  --popular yes|no`,

  async run({ args: [action = '', name = ''], options, env, say }) {
    if (!['list', 'add', 'set', 'retire', 'sell'].includes(action))
      throw new WrongUsage(`"${action}" is not possible; there are list, add, set, retire and sell.`);
    if (action !== 'list' && name.trim() === '') throw new WrongUsage('NAME is missing.');
    if (action === 'add' && name.trim().length > NAME_MAX)
      throw new Refused(
        `The name of a plan has at most ${NAME_MAX} characters: it stands on a button and in the top bar.`,
      );
    const terms = termsIn(options);
    if (action === 'set' && Object.keys(terms).length === 0)
      throw new Refused(
        'Say what to change: --monthly, --yearly, --storage, --users or --popular; "sell" sells a retired plan again. Nothing was changed.',
      );
    await withServices(env, async ({ subscription: { administration } }) => {
      if (action === 'add') await administration.add(name.trim(), requireAll(terms));
      if (action === 'set') await administration.set(name.trim(), terms);
      if (action === 'retire') await administration.retire(name.trim());
      if (action === 'sell') await administration.sell(name.trim());
      for (const plan of await administration.list()) {
        const { monthly_price, yearly_price, storage_gb, max_users, retired_at } = plan;
        const state = retired_at ? 'retired' : plan.is_popular ? 'popular' : '';
        say(
          `${plan.name.padEnd(16)} Rs ${monthly_price}/month  Rs ${yearly_price}/year  ${storage_gb} GB  ${max_users} ${max_users === 1 ? 'user' : 'users'}  ${state}`,
        );
      }
    });
    return true;
  },
};
