import { may } from '#server/actor.ts';
import type { Actor } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Language } from '#server/text/language.ts';
import type { SharedWith } from './contract.ts';
import type { LinkRow } from './model.ts';
import { lastDay } from './model.ts';
import type { SharingDependencies } from './dependencies.ts';
import { mayShare } from './policy.ts';
import { settingsOf } from './settings.ts';
import { textsIn } from './email-texts/index.ts';
import type { Pass } from './visitors.ts';

/** The maximum number of listed links. */
const MAX_LINKS = 200;

/** A client, and the address that the visitor has proved for the client's page. */
type ClientVisitor = Pick<Pass, 'client_id' | 'email'>;

/**
 * Whether a link counts as shared with a client, for a visitor who has proved an address. The documents alone do not
 * decide: a client's own papers may have been shared with a bank.
 *  - A link to named people counts for a named visitor, unless it shows something of another client.
 *  - A link for anyone counts when the office has put it on the client's page and all of its items belong to this client.
 * @param tops the items that the link shows now.
 */
export async function isSharedWith(
  { db, audit }: Pick<SharingDependencies, 'db' | 'audit'>,
  link: Pick<LinkRow, 'id' | 'audience' | 'on_portal'>,
  tops: readonly Pick<ItemView, 'id'>[],
  { client_id, email }: ClientVisitor,
): Promise<boolean> {
  const clients = await audit.clientsOf(
    db,
    tops.map(({ id }) => id),
  );
  if (link.audience === 'anyone') return link.on_portal === 1 && clients.every((id) => id === client_id);
  if (clients.some((id) => id !== null && id !== client_id)) return false;
  return (await db('share_recipients').where({ link_id: link.id, email }).first('id')) !== undefined;
}

/**
 * The client to which a link is narrowed: a folder may contain, or get later, something of another client, which nobody
 * may come upon from this client's page. Null for a link that stands on no page.
 */
export const clientOfPage = (
  link: Pick<LinkRow, 'audience' | 'on_portal' | 'client_id'>,
  pass: Pick<ClientVisitor, 'client_id'> | null,
): number | null =>
  pass?.client_id ?? (link.audience === 'anyone' && link.on_portal === 1 ? link.client_id : null);

/** Lists the open links shared with a client. */
export function createSharedWith(dependencies: SharingDependencies) {
  const { db, clock, documents, actorOf, viewer } = dependencies;
  async function linksFor(firmId: number, { client_id, email }: ClientVisitor): Promise<LinkRow[]> {
    return db('share_links as l')
      .where('l.firm_id', firmId)
      .whereNull('l.revoked_at')
      .where('l.expires_at', '>', clock().toISOString())
      .where((of) => of.whereNull('l.max_downloads').orWhere('l.downloads', '<', db.ref('l.max_downloads')))
      .where((of) =>
        of
          .where((any) => any.where({ 'l.audience': 'anyone', 'l.on_portal': 1, 'l.client_id': client_id }))
          .orWhere((query) =>
            query
              .where('l.audience', 'named')
              .whereIn('l.id', db('share_recipients').where({ email }).select('link_id')),
          ),
      )
      .orderBy('l.id', 'desc')
      .limit(MAX_LINKS)
      .select('l.*');
  }

  return async function sharedWith({
    firmId,
    language,
    ...who
  }: ClientVisitor & { firmId: number; language: Language }): Promise<SharedWith[]> {
    if (!(await settingsOf(db, firmId)).enabled) return [];
    const makers = new Map<number, Actor | null>();
    const found: SharedWith[] = [];
    for (const link of await linksFor(firmId, who)) {
      if (!makers.has(link.made_by)) makers.set(link.made_by, await actorOf(link.made_by));
      const maker = makers.get(link.made_by);
      if (!maker || !mayShare(maker)) continue;
      const ids: number[] = await db('share_link_items').where({ link_id: link.id }).pluck('item_id');
      const tops = ids.length === 0 ? [] : await documents.views(maker, ids);
      const [item] = tops;
      if (!item || !(await isSharedWith(dependencies, link, tops, who))) continue;
      const name = link.mask_aadhaar === 1 ? dependencies.masking.maskName(item.name) : item.name;
      found.push({
        link_id: link.id,
        title: tops.length > 1 ? textsIn(language).andMore(name, tops.length - 1) : name,
        file_type: tops.length === 1 ? item.file_type : null,
        from: (await viewer(maker)).name,
        until: lastDay(link.expires_at),
        may_download: link.mode === 'download' && may(maker, 'documents.download'),
        lives: tops.some(({ type }) => type === 'folder'),
        has_password: link.password_hash !== null,
        created_at: link.created_at,
      });
    }
    return found;
  };
}
