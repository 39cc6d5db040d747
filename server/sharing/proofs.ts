import type { Knex } from 'knex';
import { isSameSecret } from '#server/http/secrets.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { CODE_LIFETIME_MS, MAX_CODE_TRIES, codeHash, newCode } from '#server/links/email-code.ts';
import { GRANT_LIFETIME_MS } from './downloads.ts';
import { auditSubject } from './audit-subject.ts';
import { codeEmail } from './emails.ts';
import { codeTries, emailTries, passwordTries } from './limits.ts';
import type { LinkRow } from './model.ts';
import type { SharingDependencies } from './dependencies.ts';
import type { AdmittedVisitor, Visitor, Visitors } from './visitors.ts';
import { typedLine } from '#server/text/typed.ts';

/** Visitors prove their address by a mailed code, and enter passwords. */
export function createProofs(dependencies: SharingDependencies, visitors: Visitors) {
  const { db, clock, audit, mail, limits, passwords } = dependencies;

  const fromNow = (ms: number): string => new Date(clock().getTime() + ms).toISOString();

  const hashOf = (link: LinkRow, email: string, code: string): string =>
    codeHash(dependencies.secret, ['share code', link.id, email], code);

  async function openSession(
    trx: Knex.Transaction,
    link: LinkRow,
    cookie: string,
    proved: { email: string } | { password_given: 1 },
  ): Promise<void> {
    const visitor = visitors.visitorOf(link, cookie);
    const row = {
      link_id: link.id,
      visitor,
      email: null,
      password_given: 0,
      expires_at: fromNow(PROOF_LIFETIME_MS),
    };
    await trx('share_sessions')
      .insert({ ...row, ...proved })
      .onConflict(['link_id', 'visitor'])
      .merge({ ...proved, expires_at: row.expires_at });
  }

  /** The code that was sent to this visitor's browser and can still be entered. */
  const pendingCode = (
    db: Knex,
    { id }: LinkRow,
    code_visitor: string,
  ): Promise<{ id: number; email: string; code_hash: string } | undefined> =>
    db('share_recipients')
      .where({ link_id: id, code_visitor })
      .where('code_expires_at', '>', clock().toISOString())
      .where('code_tries', '<', MAX_CODE_TRIES)
      .first('id', 'email', 'code_hash');

  function recordRefusal({ link, tops }: Pick<AdmittedVisitor, 'link' | 'tops'>, asked: string) {
    const { subject, detail } = auditSubject(tops);
    return audit.recordAlone({
      firmId: link.firm_id,
      did: 'share.refused',
      subject,
      detail: { ...detail, asked, link: link.id },
    });
  }

  return {
    /**
     * Sends a code if the address is one of the link's recipients; the response does not reveal whether it is. The
     * code works only in the requesting browser and replaces the previous one.
     * @throws {AppError} 404, 429.
     */
    async requestCode(visitor: Visitor, address: string): Promise<void> {
      const { link, firm } = await visitors.requireOpen(visitor);
      const email = typedLine(address).toLowerCase().slice(0, 254);
      await limits.check(...emailTries(link, email, visitor.ip));
      const code = newCode();
      await db.transaction(async (trx) => {
        const code_visitor = visitors.visitorOf(link, visitor.cookie);
        await trx('share_recipients')
          .where({ link_id: link.id, code_visitor })
          .update({ code_visitor: null });
        const found = await trx('share_recipients')
          .where({ link_id: link.id, email })
          .update({
            code_hash: hashOf(link, email, code),
            code_expires_at: fromNow(CODE_LIFETIME_MS),
            code_tries: 0,
            code_visitor,
          });
        if (found === 0 || link.audience !== 'named') return;
        const expiresAt = new Date(clock().getTime() + CODE_LIFETIME_MS);
        const { language = 'en' } = visitor;
        const sending = codeEmail({ firm, firmId: link.firm_id, language, to: email, code });
        await mail.send(trx, { ...sending, expiresAt });
      });
    },

    /** Verifies a code and opens a session. @throws {AppError} 404, 429. */
    async verifyCode(visitor: Visitor, code: string): Promise<boolean> {
      const found = await visitors.requireOpen(visitor);
      const { link } = found;
      const mark = visitors.visitorOf(link, visitor.cookie);
      const tries = codeTries(link, (await pendingCode(db, link, mark))?.email ?? mark, visitor.ip);
      await limits.check(...tries);
      const right = await db.transaction(async (trx) => {
        const row = await pendingCode(trx, link, mark);
        if (!row || link.audience !== 'named') return null;
        await trx('share_recipients').where({ id: row.id }).increment('code_tries', 1);
        if (!isSameSecret(hashOf(link, row.email, code.replace(/\s/g, '')), row.code_hash)) return null;
        // A code works once, and not after its recipient was removed or asked for another.
        const used = await trx('share_recipients')
          .where({ id: row.id, code_hash: row.code_hash })
          .update({ code_hash: null, code_expires_at: null, code_visitor: null });
        if (used === 0) return null;
        await openSession(trx, link, visitor.cookie, { email: row.email });
        await limits.giveBack(trx, ...tries);
        return row.email;
      });
      if (right === null) await recordRefusal(found, 'code');
      return right !== null;
    },

    /** Verifies a password and opens a session. @throws {AppError} 404, 429. */
    async verifyPassword(visitor: Visitor, password: string): Promise<boolean> {
      const found = await visitors.requireOpen(visitor);
      const { link } = found;
      const tries = passwordTries(link.id, visitor.ip);
      await limits.check(...tries);
      // Passwords may only be tried after the address is proved.
      const session = await visitors.sessionOf(found, visitor.cookie);
      const mayTry = visitors.missingProof(link, session) === 'password';
      const right = (await passwords.verify(password, link.password_hash ?? undefined)) && mayTry;
      const opened =
        right &&
        (await db.transaction(async (trx) => {
          // A new password ends the sessions of the old one, so none may begin after it. The row is locked: a change
          // either waits and finds this session, or is found here.
          const { id, password_hash } = link;
          const unchanged = trx('share_links').where({ id, password_hash, revoked_at: null });
          if (!(await unchanged.forUpdate().first('id'))) return false;
          await openSession(trx, link, visitor.cookie, { password_given: 1 });
          await limits.giveBack(trx, ...tries);
          return true;
        }));
      if (!opened) await recordRefusal(found, 'password');
      return opened;
    },

    /** Deletes expired sessions and grants. */
    sweep: (): Promise<number> =>
      db.transaction(async (trx) => {
        // A code that expires later was sent before the clock was set back.
        const code_expires_at = fromNow(CODE_LIFETIME_MS);
        await trx('share_recipients')
          .where('code_expires_at', '>', code_expires_at)
          .update({ code_expires_at });
        return (
          (await deleteExpired(trx, 'share_sessions', PROOF_LIFETIME_MS, clock())) +
          (await deleteExpired(trx, 'share_grants', GRANT_LIFETIME_MS, clock()))
        );
      }),
  };
}
