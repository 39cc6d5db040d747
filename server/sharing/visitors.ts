import type { Knex } from 'knex';
import type { Actor, Recipient } from '#server/actor.ts';
import type { Permission } from '#server/permissions.ts';
import { may } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { AppError } from '#server/http/errors.ts';
import { networkName } from '#server/http/network-name.ts';
import { networkOf } from '#server/http/network.ts';
import { currentRequest } from '#server/http/request-context.ts';
import { fingerprint } from '#server/http/secrets.ts';
import { PROOF_LIFETIME_MS } from '#server/links/contract.ts';
import { createVisitorForms } from '#server/links/visitor-forms.ts';
import type { Language } from '#server/text/language.ts';
import { hasAllClients } from '#server/visibility/visible.ts';
import type { LinkRow } from './model.ts';
import { stateOf } from './model.ts';
import type { SharingDependencies } from './dependencies.ts';
import { mayShare } from './policy.ts';
import { clientOfPage, isSharedWith } from './shared-with-client.ts';
import { settingsOf } from './settings.ts';

/** A visitor with a link: the token of its address, and the cookie of the browser for it, '' without one. */
export interface Visitor {
  token: string;
  cookie: string;
  ip: string;
  /** The visitor's language; English by default. */
  language?: Language;
}

/** An open link with its maker and its items. */
interface OpenLink {
  link: LinkRow;
  maker: Actor;
  /** The shared items; the link shows everything in them and nothing else. */
  tops: ItemView[];
  firm: string;
  logo: string | null;
  from: { name: string; email: string };
  /** The pass that was used instead of the link's own address. */
  pass: Pass | null;
}

/** A pass from a client's page to a link, for the one browser that has opened the page. */
export interface Pass {
  link_id: number;
  client_id: number;
  /** The address that was proved for the page. */
  email: string;
}

/** An open link, with the visitor as an actor. */
export interface AdmittedVisitor extends OpenLink {
  actor: Actor & { recipient: Recipient };
  /** The address that the visitor has proved; null for links for anyone. */
  email: string | null;
  language: Language;
}

/** The same error for every address that shows nothing, whatever the reason. */
export const goneLink = () =>
  new AppError(404, 'link_gone', 'This link is not available. Ask the person who sent it for a new one.');

/** A maker who sees nothing, so that a missing link takes as long to look up as an existing one. */
const NO_ACTOR: Actor = {
  userId: 0,
  firmId: 0,
  sessionId: 0,
  role: 'viewer',
  permissions: ['documents.read'],
  clientScope: 'all',
  seated: true,
  owesTwoStep: false,
  dailyDownloads: null,
};

interface VisitorSession {
  email: string | null;
  password_given: number;
}

export function createVisitors(dependencies: SharingDependencies) {
  const { db, clock, documents, secret } = dependencies;

  /**
   * Finds the open link of a visitor. @param used whether a link without remaining downloads still counts, for a
   * download in progress. @param ended whether one that has expired does too. @throws {AppError} 404.
   */
  async function requireOpen(
    { token, cookie }: Pick<Visitor, 'token' | 'cookie'>,
    { used = false, ended = false } = {},
  ): Promise<OpenLink> {
    const directLink: LinkRow | undefined = await db('share_links')
      .where({ token_hash: fingerprint(token) })
      .first();
    const pass = directLink ? null : await dependencies.passOf(token, cookie);
    const link =
      directLink ?? (pass ? await db('share_links').where({ id: pass.link_id }).first() : undefined);
    const { enabled } = await settingsOf(db, link?.firm_id ?? 0);
    const maker = (await dependencies.actorOf(link?.made_by ?? 0)) ?? NO_ACTOR;
    const ids: number[] = await db('share_link_items')
      .where({ link_id: link?.id ?? 0 })
      .pluck('item_id');
    const tops = await documents.views(maker, ids.length > 0 ? ids : [0]);
    const state = link && stateOf(link, clock());
    const open = state === 'open' || (used && state === 'used_up') || (ended && state === 'ended');
    if (!link || !open || !enabled || !mayShare(maker) || tops.length === 0) throw goneLink();
    // A link that was removed from the client's page is not reachable through it either.
    if (pass && !(await isSharedWith(dependencies, link, tops, pass))) throw goneLink();
    const { name, email, firm_name } = await dependencies.viewer(maker);
    const logo = await dependencies.logoOf(link.firm_id);
    const found = { link, firm: firm_name, logo, from: { name, email }, pass };
    const onlyClient = clientOfPage(link, pass);
    if (onlyClient === null) return { ...found, maker, tops };
    const narrowed = { ...maker, onlyClient };
    const shown = await documents.views(narrowed, ids);
    if (shown.length === 0) throw goneLink();
    return { ...found, maker: narrowed, tops: shown };
  }

  const visitorOf = (link: LinkRow, cookie: string): string => fingerprint(`${link.id} ${cookie}`);

  async function sessionOf(
    { link, pass }: Pick<OpenLink, 'link' | 'pass'>,
    cookie: string,
  ): Promise<VisitorSession | undefined> {
    if (cookie === '') return undefined;
    // A proved address counts as long as it is one of the recipients: it may be removed while it is being proved.
    const row: VisitorSession | undefined = await db('share_sessions as s')
      .leftJoin('share_recipients as r', (on) => on.on('r.link_id', 's.link_id').andOn('r.email', 's.email'))
      .where({ 's.link_id': link.id, 's.visitor': visitorOf(link, cookie) })
      .where('s.expires_at', '>', clock().toISOString())
      .first('r.email', 's.password_given');
    // The proof for the client's page counts for the link.
    return pass ? { password_given: row?.password_given ?? 0, email: pass.email } : row;
  }

  /** The next proof that the visitor has to give; null when none is missing. */
  const missingProof = (link: LinkRow, session: VisitorSession | undefined): 'code' | 'password' | null => {
    if (link.audience === 'named' && !session?.email) return 'code';
    return link.password_hash !== null && session?.password_given !== 1 ? 'password' : null;
  };

  /**
   * The link of a visitor who was inside before its downloads were used up or its time was over: that is told only to a
   * browser which has given all proofs, or has downloaded, and not after the link was revoked or got a new address.
   * @throws {AppError} 404 for all others, and for a link that is open.
   */
  async function requireOver(
    visitor: Pick<Visitor, 'token' | 'cookie'>,
  ): Promise<OpenLink & { state: 'used_up' | 'ended' }> {
    const found = await requireOpen(visitor, { used: true, ended: true });
    const state = stateOf(found.link, clock());
    const session = await sessionOf(found, visitor.cookie);
    if ((state !== 'used_up' && state !== 'ended') || !session || missingProof(found.link, session))
      throw goneLink();
    return { ...found, state };
  }

  /**
   * The recipient as an actor: sees what the maker sees, may only read, and may download only if both the link and
   * its maker may.
   */
  function recipientOf(
    { link, maker, firm }: OpenLink,
    { cookie, ip }: Visitor,
    email: string | null,
  ): AdmittedVisitor['actor'] {
    const permissions: Permission[] = ['documents.read'];
    if (link.mode === 'download' && may(maker, 'documents.download')) permissions.push('documents.download');
    if (may(maker, 'documents.unassigned')) permissions.push('documents.unassigned');
    const request = currentRequest();
    if (request) Object.assign(request, { userId: maker.userId, shareLinkId: link.id });
    return {
      ...maker,
      role: 'viewer',
      permissions,
      clientScope: hasAllClients(maker) ? 'all' : 'assigned',
      recipient: {
        linkId: link.id,
        name: email ?? `Anyone with the link, ${networkName(ip)}`,
        firmName: firm,
        // Visitors who send no cookie are told apart by their network, or the history would name only the first.
        visitor: visitorOf(link, cookie === '' ? networkOf(ip) : cookie),
        masked: link.mask_aadhaar === 1,
        opensLocked: link.open_locked === 1,
      },
    };
  }

  const nullIfGone = (error: unknown): null => {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  };

  return {
    requireOpen,
    requireOver,

    /** The language of the client whom a link is for; null without one, and for a link that shows this visitor nothing. */
    async clientLanguage(visitor: Pick<Visitor, 'token' | 'cookie'>): Promise<Language | null> {
      const open = await requireOpen(visitor).catch(nullIfGone);
      const found = open ?? (await requireOver(visitor).catch(nullIfGone));
      const id = found?.pass?.client_id ?? found?.link.client_id;
      if (!found || !id) return null;
      const client = await db('clients').where({ id, firm_id: found.link.firm_id }).first('language');
      return (client?.language as Language | undefined) ?? null;
    },
    sessionOf,
    missingProof,
    visitorOf,

    /** Records that this browser has downloaded by the link, so that it is told when nothing more can be downloaded. */
    async noteDownloaded(trx: Knex.Transaction, link: LinkRow, cookie: string): Promise<void> {
      const expires_at = new Date(clock().getTime() + PROOF_LIFETIME_MS).toISOString();
      await trx('share_sessions')
        .insert({ link_id: link.id, visitor: visitorOf(link, cookie), password_given: 0, expires_at })
        .onConflict(['link_id', 'visitor'])
        .merge({ expires_at })
        // A proof lasts no longer by a download.
        .where({ 'share_sessions.email': null, 'share_sessions.password_given': 0 });
    },

    /** @throws {AppError} 404 like every address that shows nothing; 401 `not_proved` before the code or the password. */
    async admit(visitor: Visitor, how: { used?: boolean } = {}): Promise<AdmittedVisitor> {
      const found = await requireOpen(visitor, how);
      const session = await sessionOf(found, visitor.cookie);
      if (missingProof(found.link, session)) throw new AppError(401, 'not_proved', 'Open the link first.');
      const email = session?.email ?? null;
      const { language = 'en' } = visitor;
      return { ...found, email, language, actor: recipientOf(found, visitor, email) };
    },

    ...createVisitorForms(secret, 'share form'),
  };
}
export type Visitors = ReturnType<typeof createVisitors>;
