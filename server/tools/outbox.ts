import { join } from 'node:path';
import { createColumnSealer } from '../db/column-encryption.ts';
import type { OutboxFile } from '../mail/outbox.ts';
import { listOutbox, OUTBOX_FOLDER, OUTBOX_PURPOSE, readEmail } from '../mail/outbox.ts';
import { readMail } from '../previews/convert/mail.ts';
import { momentInWords } from '../text/day-in-india.ts';
import { readUnlockedConfig } from './ask-passphrase.ts';
import type { Command } from './command.ts';
import { openAlongside } from './open-alongside.ts';
import { Refused } from './refused.ts';

/** E-mails contain user-supplied names, so control characters are removed before they reach the terminal. */
const shown = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '');

/** The moment in India of a file's name, which begins with it in UTC, and the rest of the name. */
function named({ name }: OutboxFile): string {
  const [, day, hour, minute, rest = ''] =
    /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-\d\d-\d{3}Z-(.+?)\.eml(?:\.sealed)?$/.exec(name) ?? [];
  if (!day) return name.replace(/\.eml(?:\.sealed)?$/, '');
  return `${momentInWords(new Date(`${day}T${hour}:${minute}:00Z`))}  ${rest}`;
}

export const outbox: Command = {
  summary: 'list and show e-mails that were written down, as SMTP_URL is not set',
  args: [],
  more: ['NUMBER'],
  options: { eml: { type: 'boolean' } },
  help: `Without a number, all of them, the oldest first. With one, its text. They lie in DATA_DIR/outbox, each sealed with the master key; those of
older versions lie there as they are. They stay until somebody deletes them. May run beside the server.

  --eml   the whole e-mail as a mail program opens it: outbox 3 --eml > 3.eml`,

  async run({ args: [number], options, env, say }) {
    const config = await readUnlockedConfig(env);
    const { secret, close } = await openAlongside(config);
    await close();
    const seal = createColumnSealer(secret, OUTBOX_PURPOSE);
    const folder = join(config.dataDir, OUTBOX_FOLDER);
    const all = await listOutbox(folder);
    if (number === undefined) {
      for (const [index, email] of all.entries()) {
        const mail = await readEmail(folder, seal, email).then(readMail, () => null);
        const about = mail
          ? `${mail.to[0]?.address ?? ''}  ${mail.subject}`
          : 'DAMAGED, or sealed with another key';
        say(
          shown(
            `${String(index + 1).padStart(4)}  ${named(email)}  ${about}${email.sealed ? '' : '  (not sealed)'}`,
          ),
        );
      }
      if (all.length === 0) say(`There are no e-mails in ${folder}.`);
      return true;
    }
    const email = /^[1-9]\d*$/.test(number) ? all[Number(number) - 1] : undefined;
    if (!email) throw new Refused(`There is no e-mail ${number}: "outbox" lists them with their numbers.`);
    const bytes = await readEmail(folder, seal, email).catch(() => {
      throw new Refused(`${join(folder, email.name)} is damaged, or sealed with another key.`);
    });
    if (options.eml === true) {
      say(bytes.toString('latin1'));
      return true;
    }
    const { from, to, subject, text } = await readMail(bytes);
    say(
      shown(
        `From:    ${from[0]?.address ?? ''}\nTo:      ${to[0]?.address ?? ''}\nSubject: ${subject}\n\n${text.trimEnd()}`,
      ),
    );
    return true;
  },
};
