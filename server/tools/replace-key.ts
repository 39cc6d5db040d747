import { readMasterSecret } from '#storage/keys.ts';
import type { Alongside } from '#storage/rotate.ts';
import { replaceMasterKey } from '#storage/rotate.ts';
import { createAudit } from '../audit/service.ts';
import { readConfig } from '../config/config.ts';
import { openDatabase } from '../datadir/database.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { createColumnSealer, SEALED } from '../db/column-encryption.ts';
import { withoutDeletions } from '../datadir/deletion-lock.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { formOf, rotateKey } from '../datadir/keys/rotate.ts';
import { unlocked } from '../datadir/keys/unlock.ts';
import { bytesSourceOf, keySourceOf } from '../datadir/settings.ts';
import { asOwner } from './as-owner.ts';
import { askAdmin } from './ask-passphrase.ts';
import { databaseOf } from './open-alongside.ts';
import type { Command } from './command.ts';
import { readGiven } from './given-file.ts';
import { Refused } from './refused.ts';
import { requireNoUpdate } from './require-no-update.ts';
import { resealDatabase } from './reseal-database.ts';

export const replaceKey: Command = {
  summary: 'replace the master key, with the server stopped',
  args: [],
  user: 'caller',
  options: { to: { type: 'string' } },
  help: `Makes a new key and puts it where the old one is: into DATA_DIR/master.key, sealed with the same passphrase, by the same TPM
or systemd, or into the same file elsewhere. Files are not written anew, only the few bytes of each that
hang on the key, and so are waiting e-mails and the secrets of two-step sign-in. Interrupted, run it again in the same
way: until it is through, the server does not start. Everybody signs in again afterwards. Save the recovery sheet anew; backups made before open with
the old one only.

  --to FILE   the new key, 32 bytes as 64 hex digits or base64: needed where MASTER_KEY or MASTER_KEY_FILE gives the
              old one. Set that to the new key afterwards.`,

  async run({ options, env, say }) {
    const config = readConfig(env);
    const { dataDir } = config;
    databaseOf(dataDir);
    const ask = askAdmin(config);
    let passphrase: string | undefined;
    const settings = await unlocked(config, async (wrong) => {
      const typed = await ask(wrong);
      passphrase = typed ?? undefined;
      return typed;
    });
    const configured = config.masterKey || config.masterKeyFile;
    const form = configured ? null : await formOf(dataDir, passphrase);
    const bySetting = settings.masterKey || settings.masterKeyFile;
    if (options.to !== undefined && (form || !bySetting))
      throw new Refused(
        'Leave --to out: the new key is made and put where the old one is by itself. Nothing was changed.',
      );
    const replacement =
      typeof options.to === 'string' ? (await readGiven('--to', options.to)).toString('utf8') : undefined;
    const unlock = await lockDataFolder(dataDir).catch((error: Error) => {
      throw new Refused(error.message);
    });
    const release = await withoutDeletions(dataDir);
    try {
      await requireNoUpdate(dataDir);
      if (!release) throw new Refused('A backup of this vault is running. Try again when it is done.');
      let secret: Buffer | undefined;
      const alongside: Alongside = async (from, to, dry) => {
        await asOwner(dataDir, () => resealDatabase(dataDir, from.serverSecret, to.serverSecret, dry));
        secret = to.serverSecret;
      };
      const source = { ...keySourceOf(settings), ...bytesSourceOf(config) };
      const { moved, damaged } = form
        ? await rotateKey(source, await readMasterSecret(source), form, alongside)
        : await replaceMasterKey(source, replacement, alongside);
      const detail = { ...(moved !== null && { files: moved }), damaged: damaged.length };
      const seal = createColumnSealer(secret!, SEALED.history.purpose);
      const db = openDatabase(dataDir, { key: pageKeyOf(secret!) });
      try {
        // Their cookies are signed with the old key: left, they would count as signed-in devices.
        await db('sessions').delete();
        await createAudit({ db, clock: () => new Date(), seal }).recordAlone({
          did: 'server.replace_key',
          detail,
        });
      } finally {
        await db.destroy();
      }
      say(
        `The new key opens ${moved === null ? `every file in ${config.blobs?.address}` : `${moved} files`}. Everybody has to sign in again. Save the recovery sheet anew, in Backups on the System screen: the old one opens older backups only. The newest nightly one of those is kept until then.`,
      );
      for (const { message } of damaged) say(`DAMAGED before: ${message}`);
      return damaged.length === 0;
    } finally {
      await release?.();
      await unlock();
    }
  },
};
