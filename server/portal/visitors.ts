import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { outsideActor } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { fingerprint, isSameSecret } from '#server/http/secrets.ts';
import { deleteExpired } from '#server/db/delete-expired.ts';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { CODE_LIFETIME_MS, MAX_CODE_TRIES, codeHash, codeLimits, newCode } from '#server/links/email-code.ts';
import type { Language } from '#server/text/language.ts';
import type { PortalPage } from './contract.ts';
import { codeEmail } from './emails.ts';
import type { PortalRow } from './model.ts';
import { opensFor, portalsOf } from './model.ts';
import type { PortalDependencies } from './dependencies.ts';
import type { Tokens } from './tokens.ts';
import { typedLine } from '#server/text/typed.ts';

/** Milliseconds for which what one browser does belongs to one visit. */
const ONE_VISIT = 30 * 60_000;
const { codeTries, emailTries } = codeLimits('portal');

/** Somebody who comes with the address of a page: its token, and the browser's cookie for it, '' without one. */
export interface PortalVisitor {
  token: string;
  cookie: string;
  ip: string;
  language: Language;
}

interface Session {
  id: number;
  email: string;
  noted_at: string;
}

/** The same error for every URL that opens nothing, so that it does not reveal the reason. */
const pageUnavailable = (): AppError =>
  new AppError(404, 'link_gone', 'This page is not available. Ask the office that gave it for a new one.');

/** The actions of visitors who have the URL of a client's page. */
export function createPortalVisitors(dependencies: PortalDependencies, tokens: Tokens) {
  const { db, clock, audit, mail, limits } = dependencies;
  const later = (ms: number): string => new Date(clock().getTime() + ms).toISOString();
  const visitorOf = ({ id }: Pick<PortalRow, 'id'>, cookie: string): string =>
    fingerprint(`client page ${id} ${cookie}`);
  const hashOf = ({ id }: PortalRow, email: string, code: string): string =>
    codeHash(dependencies.secret, ['client page code', id, email], code);

  /** @throws {AppError} 404, 429. */
  async function standing({ token, ip }: Pick<PortalVisitor, 'token' | 'ip'>): Promise<PortalRow> {
    const row: PortalRow | undefined = await portalsOf(db).where(tokens.matches(token, 'p')).first();
    if (row && (await dependencies.sharingOn(db, row.firm_id))) return row;
    await dependencies.noteGuess({ ip });
    throw pageUnavailable();
  }

  /** The browser's session, as long as its address still opens the page. */
  async function sessionOf(portal: PortalRow, cookie: string): Promise<Session | null> {
    if (cookie === '') return null;
    const row: Session | undefined = await db('portal_sessions')
      .where({ portal_id: portal.id, visitor: visitorOf(portal, cookie) })
      .where('expires_at', '>', clock().toISOString())
      .first('id', 'email', 'noted_at');
    return row && (await opensFor(db, portal, row.email)) ? row : null;
  }

  /** The code that was sent to this visitor's browser and can still be entered; its e-mail address is null for a stranger's. */
  const pendingCode = (
    db: Knex,
    of: { portal_id: number; visitor: string },
  ): Promise<{ id: number; email: string | null; code_hash: string } | undefined> =>
    db('portal_codes')
      .where(of)
      .where('expires_at', '>', clock().toISOString())
      .where('tries', '<', MAX_CODE_TRIES)
      .first('id', 'email', 'code_hash');

  /** The actor that the history names for the visitor. */
  const actorFor = (portal: PortalRow, email: string, cookie: string): Actor =>
    outsideActor({
      userId: portal.made_by,
      firmId: portal.firm_id,
      recipient: { door: `portal:${portal.id}`, name: email, firmName: portal.firm, visitor: cookie },
    });

  async function noteOpened(
    trx: Knex.Transaction,
    portal: PortalRow,
    email: string,
    cookie: string,
  ): Promise<void> {
    const last = {
      last_opened_at: clock().toISOString(),
      last_opened_ip: currentRequest()?.ip ?? null,
      last_opened_by: email,
    };
    await trx('portals').where({ id: portal.id }).increment('opened', 1).update(last);
    await audit.record(trx, {
      actor: actorFor(portal, email, cookie),
      did: 'portal.open',
      detail: { name: portal.client },
      concerns: { clients: [portal.client_id] },
    });
  }

  /** A visit that goes on after a while, or on the next day, is put on record as one of its own. */
  async function noteVisit(portal: PortalRow, session: Session, cookie: string): Promise<void> {
    const now = clock();
    if (Math.abs(now.getTime() - Date.parse(session.noted_at)) < ONE_VISIT) return;
    await db.transaction(async (trx) => {
      const first = await trx('portal_sessions')
        .where({ id: session.id, noted_at: session.noted_at })
        .update({ noted_at: now.toISOString() });
      if (first > 0) await noteOpened(trx, portal, session.email, cookie);
    });
  }

  const refuse = ({ firm_id, client, client_id }: PortalRow, detail: Record<string, string>) =>
    audit.recordAlone({
      firmId: firm_id,
      did: 'portal.refused',
      detail: { name: client, ...detail },
      concerns: { clients: [client_id] },
    });

  return {
    formOf: tokens.formOf,
    isOurs: tokens.isOurs,

    /** The language of the client; null where the address opens nothing. Does not count as a guess. */
    async clientLanguage(token: string): Promise<Language | null> {
      const row: PortalRow | undefined = await portalsOf(db).where(tokens.matches(token, 'p')).first();
      return row && (await dependencies.sharingOn(db, row.firm_id)) ? row.client_language : null;
    },

    /** What the page shows. @param codeRequested whether the visitor has asked for a code. */
    async page(visitor: PortalVisitor, codeRequested: boolean): Promise<PortalPage> {
      const portal = await standing(visitor).catch((error: unknown) => {
        if (error instanceof AppError && error.status < 500) return null;
        throw error;
      });
      if (!portal) return { state: 'gone' };
      const { firm, firm_id, client, client_id } = portal;
      const logo = await dependencies.logoOf(firm_id);
      const form = tokens.formOf(visitor);
      const session = await sessionOf(portal, visitor.cookie);
      if (!session) return { state: codeRequested ? 'code' : 'email', firm, logo, form };
      await noteVisit(portal, session, visitor.cookie);
      const { email } = session;
      const who = { firmId: firm_id, client_id, email, language: visitor.language };
      return {
        state: 'open',
        firm,
        logo,
        form,
        client,
        email,
        asked: await dependencies.askedOf(firm_id, client_id),
        shared: await dependencies.sharedWith(who),
        sent: await dependencies.sentBy(firm_id, client_id),
        drop: await dependencies.dropOf(firm_id, client_id),
      };
    },

    /**
     * Sends a code to the address if it opens the page; whoever asks is not told. The code opens only the browser that
     * asked, and the one before opens nothing any more.
     * @throws {AppError} 404, 429.
     */
    async requestCode(visitor: PortalVisitor, address: string): Promise<void> {
      const portal = await standing(visitor);
      const email = typedLine(address).toLowerCase().slice(0, 254);
      await limits.check(...emailTries(portal, email, visitor.ip));
      const known = await opensFor(db, portal, email);
      const code = newCode();
      const expires_at = later(CODE_LIFETIME_MS);
      await db.transaction(async (trx) => {
        const of = { portal_id: portal.id, visitor: visitorOf(portal, visitor.cookie) };
        const row = {
          email: known ? email : null,
          code_hash: hashOf(portal, email, code),
          tries: 0,
          expires_at,
        };
        await trx('portal_codes')
          .insert({ ...of, ...row })
          .onConflict(['portal_id', 'visitor'])
          .merge(row);
        if (!known) return;
        const { language } = visitor;
        await mail.send(
          trx,
          codeEmail(portal, { email, language }, { code, expiresAt: new Date(expires_at) }),
        );
      });
      // So that the office can add an address from which a client asks in vain.
      if (!known) await refuse(portal, { asked: 'address', email });
    },

    /** Whether the code was right; then the browser is let in. @throws {AppError} 404, 429. */
    async verifyCode(visitor: PortalVisitor, code: string): Promise<boolean> {
      const portal = await standing(visitor);
      const mark = visitorOf(portal, visitor.cookie);
      const of = { portal_id: portal.id, visitor: mark };
      const tries = codeTries(portal, (await pendingCode(db, of))?.email ?? mark, visitor.ip);
      await limits.check(...tries);
      const right = await db.transaction(async (trx) => {
        const row = await pendingCode(trx, of);
        if (!row) return false;
        await trx('portal_codes').where({ id: row.id }).increment('tries', 1);
        const { email } = row;
        if (email === null || !isSameSecret(hashOf(portal, email, code.replace(/\s/g, '')), row.code_hash))
          return false;
        // It opens once.
        await trx('portal_codes').where({ id: row.id }).delete();
        if (!(await opensFor(trx, portal, email))) return false;
        // A new row, so that nothing that was opened as somebody else goes on.
        await trx('portal_sessions').where(of).delete();
        const noted_at = clock().toISOString();
        await trx('portal_sessions').insert({ ...of, email, noted_at, expires_at: later(PROOF_LIFETIME_MS) });
        await limits.giveBack(trx, ...tries);
        await noteOpened(trx, portal, email, visitor.cookie);
        return true;
      });
      if (!right) await refuse(portal, { asked: 'code' });
      return right;
    },

    /** Closes the page in this browser. @throws {AppError} 404, 429. */
    async leave(visitor: PortalVisitor): Promise<void> {
      const portal = await standing(visitor);
      await db('portal_sessions')
        .where({ portal_id: portal.id, visitor: visitorOf(portal, visitor.cookie) })
        .delete();
    },

    /**
     * Admits this browser to a shared item, as long as it may see the page.
     * @returns the token of the item's URL. @throws {AppError} 404, 429; 401 before the code.
     */
    async passTo(visitor: PortalVisitor, linkId: number): Promise<string> {
      const portal = await standing(visitor);
      const session = await sessionOf(portal, visitor.cookie);
      if (!session) throw new AppError(401, 'not_proved', 'Open the page first.');
      const { firm_id, client_id } = portal;
      const { email } = session;
      const shared = await dependencies.sharedWith({
        firmId: firm_id,
        client_id,
        email,
        language: visitor.language,
      });
      if (!shared.some(({ link_id }) => link_id === linkId)) throw pageUnavailable();
      const token = tokens.passTo(visitorOf(portal, visitor.cookie), session.id, linkId);
      await db('portal_passes')
        .insert({ token_hash: fingerprint(token), session_id: session.id, link_id: linkId })
        .onConflict('token_hash')
        .ignore();
      return token;
    },

    /** To which link a way leads, and for whom; null for another browser, and once the page is closed to this one. */
    async passOf(
      token: string,
      cookie: string,
    ): Promise<{ link_id: number; client_id: number; email: string } | null> {
      const pass: { link_id: number; portal_id: number; session_id: number } | undefined = await db(
        'portal_passes as w',
      )
        .join('portal_sessions as s', 's.id', 'w.session_id')
        .where({ 'w.token_hash': fingerprint(token) })
        .first('w.link_id', 's.portal_id', 'w.session_id');
      if (!pass) return null;
      const portal: PortalRow | undefined = await portalsOf(db).where('p.id', pass.portal_id).first();
      const session = portal && (await sessionOf(portal, cookie));
      if (!portal || session?.id !== pass.session_id) return null;
      return { link_id: pass.link_id, client_id: portal.client_id, email: session.email };
    },

    /** Forgets what has run out. */
    sweep: (): Promise<number> =>
      db.transaction(
        async (trx) =>
          (await deleteExpired(trx, 'portal_sessions', PROOF_LIFETIME_MS, clock())) +
          (await deleteExpired(trx, 'portal_codes', CODE_LIFETIME_MS, clock())),
      ),
  };
}
