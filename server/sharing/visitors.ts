import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Actor, Permission, Recipient } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { AppError } from '#server/http/errors.ts';
import { placeName } from '#server/http/place-name.ts';
import { currentScope } from '#server/http/scope.ts';
import { fingerprint } from '#server/http/secrets.ts';
import type { Language } from '#server/text/language.ts';
import { seesAll } from '#server/visibility/visible.ts';
import type { LinkRow } from './model.ts';
import { stateOf } from './model.ts';
import type { SharingParts } from './parts.ts';
import { mayShare } from './policy.ts';
import { isSharedWith } from './shared-with.ts';
import { settingsOf } from './settings.ts';

/** Somebody who comes with a link: the token of its address, and the browser's cookie for it, '' without one. */
export interface Visitor {
  token: string;
  cookie: string;
  ip: string;
  /** In which the visitor reads; English when left out. */
  language?: Language;
}

/** A link that is open, with whom it was made by and what it shows. */
export interface Standing {
  link: LinkRow;
  maker: Actor;
  /** Of these the link shows everything, and of nothing else. */
  tops: ItemView[];
  firm: string;
  logo: string | null;
  from: { name: string; email: string };
  /** By which the visitor comes, instead of the link's own address. */
  pass: Pass | null;
}

/** A way from a client's page to a link, for the one browser that has opened the page. */
export interface Pass {
  link_id: number;
  client_id: number;
  /** The address that was proved for the page. */
  email: string;
}

/** A standing link, and the visitor as whoever its maker has let in. */
export interface Entered extends Standing {
  actor: Actor & { recipient: Recipient };
  /** The address that the visitor has proved; null where nobody is asked. */
  email: string | null;
  language: Language;
}

/** One answer to every address that shows nothing, whatever the reason. */
export const goneLink = () =>
  new AppError(404, 'link_gone', 'This link is not available. Ask the person who sent it for a new one.');

/** Nobody's: a maker who sees nothing, so that a link that is not there is looked for as long as one that is. */
const NOBODY: Actor = {
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

export interface SessionOf {
  email: string | null;
  password_given: number;
}

export function createVisitors(parts: SharingParts) {
  const { db, clock, documents, secret } = parts;

  /** @param used whether a link of which every download was used still counts, as for one that goes on. @throws {AppError} 404. */
  async function standing(
    { token, cookie }: Pick<Visitor, 'token' | 'cookie'>,
    { used = false } = {},
  ): Promise<Standing> {
    const own: LinkRow | undefined = await db('share_links')
      .where({ token_hash: fingerprint(token) })
      .first();
    const pass = own ? null : await parts.passOf(token, cookie);
    const link = own ?? (pass ? await db('share_links').where({ id: pass.link_id }).first() : undefined);
    const { enabled } = await settingsOf(db, link?.firm_id ?? 0);
    const maker = (await parts.actorOf(link?.made_by ?? 0)) ?? NOBODY;
    const ids: number[] = await db('share_link_items')
      .where({ link_id: link?.id ?? 0 })
      .pluck('item_id');
    const tops = await documents.views(maker, ids.length > 0 ? ids : [0]);
    const state = link && stateOf(link, clock());
    const open = state === 'open' || (used && state === 'used_up');
    if (!link || !open || !enabled || !mayShare(maker) || tops.length === 0) throw goneLink();
    // What was taken from the client's page meanwhile is not seen by way of it either.
    if (pass && !(await isSharedWith(parts, link, tops, pass))) throw goneLink();
    const { name, email, firm_name } = await parts.viewer(maker);
    const logo = await parts.logoOf(link.firm_id);
    return { link, maker, tops, firm: firm_name, logo, from: { name, email }, pass };
  }

  const visitorOf = (link: LinkRow, cookie: string): string => fingerprint(`${link.id} ${cookie}`);

  async function sessionOf(
    { link, pass }: Pick<Standing, 'link' | 'pass'>,
    cookie: string,
  ): Promise<SessionOf | undefined> {
    if (cookie === '') return undefined;
    const row: SessionOf | undefined = await db('share_sessions')
      .where({ link_id: link.id, visitor: visitorOf(link, cookie) })
      .where('expires_at', '>', clock().toISOString())
      .first('email', 'password_given');
    // The address was proved for the client's page.
    return pass ? { password_given: row?.password_given ?? 0, email: pass.email } : row;
  }

  /** What the visitor has to prove yet; null when nothing. */
  const lacks = (link: LinkRow, session: SessionOf | undefined): 'code' | 'password' | null => {
    if (link.audience === 'named' && !session?.email) return 'code';
    return link.password_hash !== null && session?.password_given !== 1 ? 'password' : null;
  };

  /** The maker's eyes without the maker's hands: it reads, and takes originals along only where both the link and its maker may. */
  function recipientOf(
    { link, maker, firm }: Standing,
    { cookie, ip }: Visitor,
    email: string | null,
  ): Entered['actor'] {
    const kept: Permission[] = ['documents.read'];
    if (link.mode === 'download' && may(maker, 'documents.download')) kept.push('documents.download');
    if (may(maker, 'documents.unassigned')) kept.push('documents.unassigned');
    const scope = currentScope();
    if (scope) Object.assign(scope, { userId: maker.userId, shareLinkId: link.id });
    return {
      ...maker,
      role: 'viewer',
      permissions: kept,
      clientScope: seesAll(maker) ? 'all' : 'assigned',
      recipient: {
        linkId: link.id,
        name: email ?? `Anyone with the link, ${placeName(ip)}`,
        firmName: firm,
        visitor: visitorOf(link, cookie),
        masked: link.mask_aadhaar === 1,
        opensLocked: link.open_locked === 1,
      },
    };
  }

  return {
    standing,
    sessionOf,
    lacks,
    visitorOf,

    /** @throws {AppError} 404 as every address that shows nothing; 401 `not_proved` before the code or the password. */
    async enter(visitor: Visitor, how: { used?: boolean } = {}): Promise<Entered> {
      const found = await standing(visitor, how);
      const session = await sessionOf(found, visitor.cookie);
      if (lacks(found.link, session)) throw new AppError(401, 'not_proved', 'Open the link first.');
      const email = session?.email ?? null;
      const { language = 'en' } = visitor;
      return { ...found, email, language, actor: recipientOf(found, visitor, email) };
    },

    /** What a form of a page has to bring along, so that no other site can send it. */
    formOf: ({ token, cookie }: Pick<Visitor, 'token' | 'cookie'>): string =>
      createHmac('sha256', secret).update(`share form\0${token}\0${cookie}`).digest('base64url'),

    isOurs(visitor: Pick<Visitor, 'token' | 'cookie'>, form: string): boolean {
      const [right, given] = [Buffer.from(this.formOf(visitor)), Buffer.from(form)];
      return visitor.cookie !== '' && right.length === given.length && timingSafeEqual(right, given);
    },
  };
}
export type Visitors = ReturnType<typeof createVisitors>;
