import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { forbidden, invalid, notFound } from '#server/http/errors.ts';
import { networkName } from '#server/http/network-name.ts';
import type { Limit } from '#server/http/rate-limiter.ts';
import { mayLetIn } from '#server/links/may-let-in.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { MakePortal, PortalsQuery, PortalView, SendPortal } from './contract.ts';
import { PORTALS_PAGE } from './contract.ts';
import { linkEmail } from './emails.ts';
import type { PortalRow } from './model.ts';
import { opensFor, portalsOf } from './model.ts';
import type { PortalDependencies } from './dependencies.ts';
import { shutOutRemoved, shutPages } from './shut.ts';
import type { Tokens } from './tokens.ts';

const OFF =
  'Sharing by links is switched off for your firm, and so are the pages of clients. Ask an admin to switch it on in Settings.';
const MORE =
  'Whoever opens this page may download what colleagues have shared on it, which is more than you may. Ask an admin to make it, or to change its addresses.';
/** E-mails with addresses of pages that one user sends. */
const SENT: Limit = { name: 'portal_sent', tries: 200, seconds: 24 * 60 * 60 };

/** What the people of a firm do with clients' pages. */
export function createPortalOffice(dependencies: PortalDependencies, tokens: Tokens) {
  const { db, clock, audit, mail, openRequests } = dependencies;

  const clientsSeen = (on: Knex, actor: Actor) =>
    only(on('clients'), isVisibleClient(actor)).where({ firm_id: actor.firmId });
  function requireShare(actor: Actor): void {
    if (!may(actor, 'share')) throw forbidden();
  }
  async function requireOn(actor: Actor): Promise<void> {
    requireShare(actor);
    if (!(await dependencies.sharingOn(db, actor.firmId))) throw forbidden(OFF);
  }
  const urlOf = (seed: string): string => `${dependencies.baseUrl}/c/${tokens.tokenOf(seed)}`;
  const seenBy = (on: Knex, actor: Actor) =>
    portalsOf(on)
      .where('p.firm_id', actor.firmId)
      .whereIn('p.client_id', clientsSeen(on, actor).select('id'));

  async function viewsOf(rows: readonly PortalRow[]): Promise<PortalView[]> {
    const ids = rows.map(({ id }) => id);
    const added: { portal_id: number; email: string }[] = await db('portal_emails')
      .whereIn('portal_id', ids)
      .orderBy('id');
    const emails = Map.groupBy(added, ({ portal_id }) => portal_id);
    await tokens.makeCurrent(db, rows);
    return rows.map((row) => ({
      id: row.id,
      client: { id: row.client_id, name: row.client, phone: row.client_phone, language: row.client_language },
      made_by: { id: row.made_by, name: row.maker },
      client_email: row.client_email,
      emails: (emails.get(row.id) ?? []).map(({ email }) => email),
      opened: row.opened,
      last_opened_at: row.last_opened_at,
      last_opened_by: row.last_opened_by,
      last_opened_from: row.last_opened_ip === null ? null : networkName(row.last_opened_ip),
      created_at: row.created_at,
      url: urlOf(row.seed),
    }));
  }

  async function one(actor: Actor, id: number): Promise<PortalRow> {
    requireShare(actor);
    const row: PortalRow | undefined = await seenBy(db, actor).where('p.id', id).first();
    if (!row) throw notFound('page');
    return row;
  }
  const view = async (actor: Actor, id: number): Promise<PortalView> =>
    (await viewsOf([await one(actor, id)]))[0]!;

  const about = ({ client, client_id }: Pick<PortalRow, 'client' | 'client_id'>) => ({
    subject: `client:${client_id}`,
    detail: { name: client },
  });

  /** Sets which addresses open the page, beside the client's. @returns whether any were added or removed. */
  async function name(trx: Knex.Transaction, id: number, emails: readonly string[]): Promise<boolean> {
    const before: string[] = await trx('portal_emails').where({ portal_id: id }).pluck('email');
    const removed = before.filter((email) => !emails.includes(email));
    const added = emails.filter((email) => !before.includes(email));
    await trx('portal_emails').where({ portal_id: id }).whereIn('email', removed).delete();
    for (const email of added) await trx('portal_emails').insert({ portal_id: id, email });
    return removed.length + added.length > 0;
  }

  return {
    /** Those of the clients that the actor sees, the newest first, a page at a time. @throws {AppError} 403. */
    async list(actor: Actor, { client, before }: PortalsQuery = {}): Promise<PortalView[]> {
      requireShare(actor);
      const query = seenBy(db, actor).orderBy('p.id', 'desc').limit(PORTALS_PAGE);
      if (client !== undefined) query.where('p.client_id', client);
      if (before !== undefined) query.where('p.id', '<', before);
      return viewsOf(await query);
    },

    /** A client has one page: where there is one, its addresses are changed. @throws {AppError} 403, 404, 422. */
    async make(actor: Actor, { client_id, emails }: MakePortal): Promise<PortalView> {
      await requireOn(actor);
      const { id, links } = await db.transaction(async (trx) => {
        const client: { name: string; email: string | null } | undefined = await clientsSeen(trx, actor)
          .where({ id: client_id })
          .first('name', 'email');
        if (!client) throw notFound('client');
        const there: { id: number } | undefined = await portalsOf(trx)
          .where({ 'p.firm_id': actor.firmId, 'p.client_id': client_id })
          .first();
        if (!client.email && emails.length === 0)
          throw invalid({
            emails: ['This client has no e-mail address. Give at least one that opens the page'],
          });
        const made =
          there?.id ??
          (
            await trx('portals')
              .insert({
                ...tokens.newToken(),
                firm_id: actor.firmId,
                client_id,
                made_by: actor.userId,
                created_at: clock().toISOString(),
              })
              .returning('id')
          )[0].id;
        const changed = await name(trx, made, emails);
        // A new page shows what others have shared as well, to whichever address the client has been given before.
        if ((changed || !there) && !mayLetIn(actor)) throw forbidden(MORE);
        if (there && !changed) return { id: made as number, links: [] };
        const { subject, detail } = about({ client: client.name, client_id });
        await audit.record(trx, {
          actor,
          did: there ? 'portal.change' : 'portal.create',
          subject,
          detail: { ...detail, to: [client.email, ...emails].filter(Boolean).join(', ') },
        });
        return { id: made as number, links: await shutOutRemoved(trx, [client_id]) };
      });
      for (const link of links) openRequests.cutLink(link);
      return view(actor, id);
    },

    /** Sends the address of the page to people who can open it. @throws {AppError} 403, 404, 422, 429. */
    async send(actor: Actor, id: number, { emails, language }: SendPortal): Promise<number> {
      await requireOn(actor);
      const row = await one(actor, id);
      for (const email of emails)
        if (!(await opensFor(db, row, email)))
          throw invalid({ emails: [`${email} cannot open this page. Add the address to it first`] });
      for (const _ of emails) await dependencies.limits.check({ limit: SENT, subject: String(actor.userId) });
      const from = await dependencies.viewer(actor);
      await tokens.makeCurrent(db, [row]);
      await db.transaction(async (trx) => {
        for (const email of emails)
          await mail.send(trx, linkEmail(row, { email, language }, { url: urlOf(row.seed), from }));
        const { subject, detail } = about(row);
        await audit.record(trx, {
          actor,
          did: 'portal.send',
          subject,
          detail: { ...detail, to: emails.join(', ') },
        });
      });
      return emails.length;
    },

    /** Another address; the one before leads nowhere, and whoever had it open has to come anew. @throws {AppError} 403, 404. */
    async renew(actor: Actor, id: number): Promise<PortalView> {
      const row = await one(actor, id);
      const links = await db.transaction(async (trx) => {
        await trx('portals').where({ id }).update(tokens.newToken());
        await audit.record(trx, { actor, did: 'portal.renew', ...about(row) });
        return shutPages(trx, [id]);
      });
      for (const link of links) openRequests.cutLink(link);
      return view(actor, id);
    },

    /** Ends the page. What was asked for and shared by links of their own goes on. @throws {AppError} 403, 404. */
    async revoke(actor: Actor, id: number): Promise<void> {
      const row = await one(actor, id);
      const links = await db.transaction(async (trx) => {
        await trx('portals').where({ id }).update({ revoked_at: clock().toISOString() });
        await audit.record(trx, { actor, did: 'portal.revoke', ...about(row) });
        return shutPages(trx, [id]);
      });
      for (const link of links) openRequests.cutLink(link);
    },
  };
}
