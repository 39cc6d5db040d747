import type { Knex } from 'knex';
import type * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { MaskCheck } from '#server/masking/contract.ts';
import type { Language } from '#server/text/language.ts';
import { areReadable } from '#server/visibility/readable.ts';
import { forbidden, invalid, missing, notFound } from '#server/http/errors.ts';
import { auditSubject } from './audit-subject.ts';
import type {
  ChangeShare,
  checkShare,
  NewShare,
  MakeShare,
  ShareSettings,
  ShareView,
  SharesQuery,
} from './contract.ts';
import { isLarge } from './reach.ts';
import { linkEmail } from './emails.ts';
import { sentTry } from './limits.ts';
import { endOf } from './model.ts';
import type { SharingDependencies } from './dependencies.ts';
import { maySetSharing, mayShare, mayTakeLink } from './policy.ts';
import { requireWithinSettings, settingsOf } from './settings.ts';
import { titleOf } from './title.ts';
import { linksByIds, listLinks, openLinks } from './views.ts';

function requireShare(actor: Actor): void {
  if (!mayShare(actor)) throw forbidden();
}

/** Creates, changes, sends, revokes and lists the links of a firm, on behalf of its users. */
export function createLinks(dependencies: SharingDependencies) {
  const { db, clock, audit, mail, documents, passwords, openRequests } = dependencies;

  async function viewOne(actor: Actor, id: number): Promise<ShareView> {
    requireShare(actor);
    const [found] = await linksByIds(dependencies, actor, [id]);
    if (!found) throw notFound('link');
    return found;
  }

  async function requireTakeOver(
    actor: Actor,
    { made_by, items }: ShareView,
    { mode, open_locked }: Pick<ShareView, 'mode' | 'open_locked'>,
  ): Promise<void> {
    const folders = items.some(({ type }) => type === 'folder');
    const ids = items.map(({ id }) => id);
    const opensUnreadable = open_locked && !(await areReadable(db, actor, ids));
    if (mayTakeLink(actor, { made_by: made_by.id, mode, folders, opensUnreadable })) return;
    throw forbidden(
      `This link shows what ${made_by.name} may see and download, which is more than you may. Ask ${made_by.name} or ` +
        'an admin to change it, or make a link of your own.',
    );
  }

  function requireSingleClient({ audience, on_portal }: ChangeShare, clientId: number | null): void {
    if (!on_portal || audience !== 'anyone' || clientId !== null) return;
    throw invalid({
      on_portal: [
        'Only what belongs to a single client can stand on a client’s page. Share the rest by another link',
      ],
    });
  }

  /** The columns that the dialog sets. */
  const columns = ({
    audience,
    mode,
    expires_on,
    max_downloads,
    notify,
    on_portal,
    mask_aadhaar,
    open_locked,
  }: ChangeShare) => ({
    audience,
    mode,
    expires_at: endOf(expires_on).toISOString(),
    max_downloads,
    notify: notify ? 1 : 0,
    // An omitted flag stays unchanged.
    ...((on_portal !== undefined || audience === 'named') && {
      on_portal: on_portal && audience === 'anyone' ? 1 : 0,
    }),
    ...(mask_aadhaar !== undefined && { mask_aadhaar: mask_aadhaar ? 1 : 0 }),
    ...(open_locked !== undefined && { open_locked: open_locked ? 1 : 0 }),
    updated_at: clock().toISOString(),
  });

  async function setRecipients(
    trx: Knex.Transaction,
    link_id: number,
    { audience, emails }: ChangeShare,
  ): Promise<void> {
    const wanted = audience === 'named' ? emails : [];
    const now: string[] = await trx('share_recipients').where({ link_id }).pluck('email');
    const removed = now.filter((email) => !wanted.includes(email));
    await trx('share_recipients').where({ link_id }).whereIn('email', removed).delete();
    for (const email of wanted.filter((email) => !now.includes(email)))
      await trx('share_recipients').insert({ link_id, email });
    await trx('share_sessions').where({ link_id }).whereIn('email', removed).delete();
  }

  /** For the audit log: who may open the link, until when, and whether downloads are allowed. */
  const auditFacts = ({
    audience,
    emails,
    mode,
    expires_on,
    max_downloads,
    on_portal,
    mask_aadhaar,
    open_locked,
  }: ChangeShare) => ({
    to: audience === 'anyone' ? 'anyone with the link' : emails.join(', '),
    until: expires_on,
    may: mode,
    ...(max_downloads !== null && { downloads: max_downloads }),
    ...(on_portal && audience === 'anyone' && { on_client_page: true }),
    ...(mask_aadhaar !== undefined && { aadhaar: mask_aadhaar ? 'covered' : 'shown' }),
    ...(open_locked !== undefined && { locked_pdfs: open_locked ? 'shown' : 'locked' }),
  });

  const urlOf = (token: string): string => `${dependencies.baseUrl}/s/${token}`;

  return {
    /** See `isLarge`. */
    isLarge: (actor: Actor, ids: readonly number[]): Promise<boolean> => isLarge(documents, actor, ids),

    /** Whether a link shows that much now: its folders may have grown. @throws {AppError} 403, 404. */
    async showsMuch(actor: Actor, id: number): Promise<boolean> {
      const { items } = await viewOne(actor, id);
      return isLarge(
        documents,
        actor,
        items.map((item) => item.id),
      );
    },

    /** @throws {AppError} 403; 404 for a missing item; 422. */
    async make(actor: Actor, request: MakeShare): Promise<NewShare> {
      requireShare(actor);
      await requireWithinSettings(db, clock(), actor, request);
      const ids = [...new Set(request.ids)];
      const items = await documents.views(actor, ids);
      if (items.length < ids.length) throw notFound('item');
      const password_hash = request.password === null ? null : await passwords.hash(request.password);
      const token = newSecret();
      const id = await db.transaction(async (trx) => {
        const clients = await audit.clientsOf(trx, ids);
        requireSingleClient(request, clients.length === 1 ? clients[0]! : null);
        const now = clock().toISOString();
        const [row] = await trx('share_links')
          .insert({
            ...columns(request),
            firm_id: actor.firmId,
            made_by: actor.userId,
            client_id: clients.length === 1 ? clients[0] : null,
            token_hash: fingerprint(token),
            password_hash,
            created_at: now,
          })
          .returning('id');
        for (const item_id of ids) await trx('share_link_items').insert({ link_id: row.id, item_id });
        await setRecipients(trx, row.id, request);
        const { subject, detail } = auditSubject(items);
        const password = password_hash !== null;
        await audit.record(trx, {
          actor,
          did: 'share.create',
          subject,
          detail: { ...detail, ...auditFacts(request), password },
        });
        return row.id as number;
      });
      if (request.mask_aadhaar) void dependencies.masking.prepare(actor, ids);
      return { share: await viewOne(actor, id), url: urlOf(token) };
    },

    /**
     * What a link that masks Aadhaar numbers would give of these items; `prepare` starts missing preparation in the
     * background. @throws {AppError} 403, 404.
     */
    async check(
      actor: Actor,
      { ids, open_locked, prepare }: v.InferOutput<typeof checkShare>,
    ): Promise<MaskCheck> {
      requireShare(actor);
      const check = await dependencies.masking.check(actor, ids, { opensLocked: open_locked });
      if (prepare && (check.waiting > 0 || check.more)) void dependencies.masking.prepare(actor, ids);
      return check;
    },

    /** Changes take effect immediately, also for open pages. @throws {AppError} 403, 404, 409, 422. */
    async change(actor: Actor, id: number, request: ChangeShare): Promise<ShareView> {
      const before = await viewOne(actor, id);
      if (before.state === 'revoked') throw missing('This link was revoked. Make a new one.');
      const { mode, open_locked = before.open_locked } = request;
      await requireTakeOver(actor, before, { mode, open_locked });
      await requireWithinSettings(db, clock(), actor, request);
      requireSingleClient(request, before.client?.id ?? null);
      const { password } = request;
      const hash = password
        ? { password_hash: await passwords.hash(password) }
        : password === null && { password_hash: null };
      await db.transaction(async (trx) => {
        await trx('share_links')
          .where({ id })
          .update({ ...columns(request), ...hash });
        await setRecipients(trx, id, request);
        // Sessions that passed the old password or audience must start again.
        const stale = password !== undefined || before.audience !== request.audience;
        if (stale) await trx('share_sessions').where({ link_id: id }).delete();
        await trx('share_grants').where({ link_id: id }).delete();
        const { subject, detail } = auditSubject(before.items);
        await audit.record(trx, {
          actor,
          did: 'share.change',
          subject,
          detail: { ...detail, ...auditFacts(request) },
        });
      });
      openRequests.cutLink(id);
      const items = before.items.map((item) => item.id);
      if (request.mask_aadhaar) void dependencies.masking.prepare(actor, items);
      return viewOne(actor, id);
    },

    /**
     * Gives the link a new address; the old one becomes invalid. The old address cannot be shown again, because only
     * its hash is stored. @throws {AppError} 403, 404.
     */
    async renew(actor: Actor, id: number): Promise<NewShare> {
      const before = await viewOne(actor, id);
      if (before.state === 'revoked') throw missing('This link was revoked. Make a new one.');
      await requireTakeOver(actor, before, before);
      const token = newSecret();
      await db.transaction(async (trx) => {
        await trx('share_links')
          .where({ id })
          .update({ token_hash: fingerprint(token), updated_at: clock().toISOString() });
        for (const table of ['share_sessions', 'share_grants'])
          await trx(table).where({ link_id: id }).delete();
        await audit.record(trx, { actor, did: 'share.renew', ...auditSubject(before.items) });
      });
      openRequests.cutLink(id);
      return { share: await viewOne(actor, id), url: urlOf(token) };
    },

    /**
     * Sends the link by e-mail. @param url the URL from the response that created the link. @throws {AppError} 403,
     * 404, 422, 429.
     */
    async send(
      actor: Actor,
      id: number,
      { url, emails, language = 'en' }: { url: string; emails: string[]; language?: Language },
    ): Promise<number> {
      const share = await viewOne(actor, id);
      const token = url.slice(url.lastIndexOf('/') + 1);
      const known = await db('share_links')
        .where({ id, token_hash: fingerprint(token) })
        .first('id');
      if (!known) throw invalid({ url: ['This address leads nowhere any more. Make a new address first'] });
      if (share.state !== 'open') throw invalid({ url: ['This link is not open. Change it first'] });
      const addresses = share.recipients.map(({ email }) => email);
      const strangers =
        share.audience === 'named' ? emails.filter((email) => !addresses.includes(email)) : [];
      if (strangers.length > 0)
        throw invalid({ emails: [`${strangers[0]} cannot open this link. Add the address to it first`] });
      for (const _ of emails) await dependencies.limits.check(sentTry(actor.userId));
      const { name: from, email, firm_name } = await dependencies.viewer(actor);
      await db.transaction(async (trx) => {
        for (const to of emails)
          await mail.send(
            trx,
            linkEmail({
              firm: firm_name,
              firmId: actor.firmId,
              language,
              to,
              from: { name: from, email },
              title: titleOf(
                share.items.map((item) =>
                  share.mask_aadhaar ? { ...item, name: dependencies.masking.maskName(item.name) } : item,
                ),
                language,
              ),
              url: urlOf(token),
              until: share.expires_on,
              named: share.audience === 'named',
              password: share.has_password,
            }),
          );
        const { subject, detail } = auditSubject(share.items);
        await audit.record(trx, {
          actor,
          did: 'share.send',
          subject,
          detail: { ...detail, to: emails.join(', ') },
        });
      });
      return emails.length;
    },

    /** Revokes links and cuts running downloads. @returns the ids of the revoked links. @throws {AppError} 403. */
    async revoke(actor: Actor, ids: readonly number[]): Promise<number[]> {
      requireShare(actor);
      const found = (await linksByIds(dependencies, actor, ids)).filter(({ state }) => state !== 'revoked');
      await db.transaction(async (trx) => {
        const now = clock().toISOString();
        for (const { id, items } of found) {
          await trx('share_links')
            .where({ id })
            .update({ revoked_at: now, revoked_by: actor.userId, updated_at: now });
          for (const table of ['share_sessions', 'share_grants'])
            await trx(table).where({ link_id: id }).delete();
          await audit.record(trx, { actor, did: 'share.revoke', ...auditSubject(items) });
        }
      });
      for (const { id } of found) openRequests.cutLink(id);
      return found.map(({ id }) => id);
    },

    /** One page of the firm's links that the actor sees, newest first. @throws {AppError} 403. */
    async list(actor: Actor, query: SharesQuery = {}): Promise<ShareView[]> {
      requireShare(actor);
      return listLinks(dependencies, actor, query);
    },

    /** Ids of currently shared items, by links that the actor sees. @throws {AppError} 403. */
    async marked(actor: Actor): Promise<number[]> {
      requireShare(actor);
      const open = await openLinks(dependencies, actor);
      return [...new Set(open.flatMap(({ items }) => items.map(({ id }) => id)))];
    },

    /**
     * The open links that show any of these items, directly or through a folder, or that show something inside them.
     * @throws {AppError} 403.
     */
    async among(actor: Actor, ids: readonly number[]): Promise<ShareView[]> {
      requireShare(actor);
      const open = await openLinks(dependencies, actor);
      const lines = await documents.lineage(
        actor,
        open.flatMap(({ items }) => items.map(({ id }) => id)),
      );
      const wanted = new Set(ids);
      const over = await documents.lineage(actor, [...wanted]);
      const around = new Set([...over.values()].flat().map(({ id }) => id));
      const touches = (id: number) =>
        around.has(id) || (lines.get(id)?.some((above) => wanted.has(above.id)) ?? false);
      return open.filter(({ items }) => items.some(({ id }) => touches(id)));
    },

    /** @throws {AppError} 403. */
    async settings(actor: Actor): Promise<ShareSettings> {
      if (!mayShare(actor) && !maySetSharing(actor)) throw forbidden();
      return settingsOf(db, actor.firmId);
    },

    /** While sharing is off, no link of the firm opens. @throws {AppError} 403. */
    async set(actor: Actor, { enabled, max_days }: ShareSettings): Promise<ShareSettings> {
      if (!maySetSharing(actor)) throw forbidden();
      await db.transaction(async (trx) => {
        const row = { firm_id: actor.firmId, enabled: enabled ? 1 : 0, max_days };
        await trx('share_settings').insert(row).onConflict('firm_id').merge();
        await audit.record(trx, { actor, did: 'share.settings', detail: { enabled, max_days } });
      });
      if (!enabled) {
        const links: number[] = await db('share_links')
          .where({ firm_id: actor.firmId, revoked_at: null })
          .pluck('id');
        for (const id of links) openRequests.cutLink(id);
        await dependencies.cancelUploads(actor.firmId);
      }
      return settingsOf(db, actor.firmId);
    },
  };
}
