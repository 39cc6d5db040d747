import type { Command } from './command.ts';
import { Refused } from './refused.ts';
import { withServices } from './services-alongside.ts';

export const operator: Command = {
  summary: 'say who sees the System screen and gets alarms: add, remove, list',
  args: ['add|remove|list'],
  more: ['E-MAIL'],
  options: {},
  help: `Admins of the installation are people with an account in any firm. They see the screen System (disk, jobs, e-mails,
certificate, backups) and get its alarms by e-mail; documents of other firms they do not see. INSTALLATION_ADMINS names
more of them in the environment. May run beside the server.`,

  async run({ args: [what = '', email], env, say }) {
    if (!['add', 'remove', 'list'].includes(what)) throw new Refused('Say add, remove or list.');
    if (what !== 'list' && !email) throw new Refused(`Say whom: operator ${what} asha@rao.in`);
    await withServices(env, async ({ system: { admins } }) => {
      if (what === 'list') {
        const all = await admins.list();
        for (const admin of all) say(`${admin.email}  ${admin.name}`);
        if (all.length === 0) say('Nobody yet: npm run admin -- operator add E-MAIL');
        return;
      }
      const done = what === 'add' ? await admins.add(email!) : await admins.remove(email!);
      say(
        `${done.email} ${what === 'add' ? 'looks after this installation now: see /system' : 'no longer looks after this installation'}.`,
      );
    });
    return true;
  },
};
