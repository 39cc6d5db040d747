import type { Command } from './command.ts';
import { WrongUsage } from './refused.ts';
import { withServices } from './services-alongside.ts';

export const operator: Command = {
  summary: 'say who sees the System screen and gets alarms: add, remove, list',
  args: ['add|remove|list'],
  more: ['E-MAIL'],
  options: {},
  help: `Admins of the installation are people with an account in any firm. They see the screen System (disk, jobs, e-mails,
certificate, backups) and get its alarms by e-mail; documents of other firms they do not see. INSTALLATION_ADMINS names
more of them in the environment. Until one is named, the admins of the first firm are; they are no longer once one is.
May run beside the server.`,

  async run({ args: [what = '', email], env, say }) {
    if (!['add', 'remove', 'list'].includes(what))
      throw new WrongUsage(`"${what}" is not possible; there are add, remove and list.`);
    if (what !== 'list' && !email) throw new WrongUsage(`Say whom: operator ${what} asha@rao.in`);
    await withServices(env, async ({ system: { admins } }) => {
      if (what === 'list') {
        const all = await admins.list();
        for (const admin of all) say(`${admin.email}  ${admin.name}`);
        if (all.length === 0) say('Nobody yet: npm run admin -- operator add E-MAIL');
        return;
      }
      const before = await admins.list();
      const done = what === 'add' ? await admins.add(email!) : await admins.remove(email!);
      say(
        `${done.email} ${what === 'add' ? 'looks after this installation now: see /system' : 'no longer looks after this installation'}.`,
      );
      const after = (await admins.list()).map((admin) => admin.email);
      const lost = before.filter((admin) => admin.email !== done.email && !after.includes(admin.email));
      const gained =
        what === 'remove' ? after.filter((one) => !before.some((admin) => admin.email === one)) : [];
      if (lost.length > 0)
        say(
          `Until now nobody was named, so the admins of the first firm looked after it. They see System no longer: ${lost.map((admin) => admin.email).join(', ')}. ` +
            'To keep one of them: operator add E-MAIL',
        );
      if (gained.length > 0)
        say(
          `Nobody is named any more, so the admins of the first firm see System now: ${gained.join(', ')}.`,
        );
    });
    return true;
  },
};
