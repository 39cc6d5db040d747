import type { Knex } from 'knex';
import { renderSVG } from 'uqr';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import { CLOCKS_DIFFER_MS } from '#server/clock.ts';
import type { Collecting, DoorKind } from '#server/collecting/service.ts';
import type { Door, Sender } from '#server/collecting/contract.ts';
import type { Incoming } from '#server/documents/incoming/service.ts';
import { AppError, forbidden, notFound } from '#server/http/errors.ts';
import { networkName } from '#server/http/network-name.ts';
import { createDerivedTokens } from '#server/links/derived-tokens.ts';
import type { Mail } from '#server/mail/service.ts';
import type { Language } from '#server/text/language.ts';
import { refreshActor } from '#server/visibility/refresh-actor.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { DropKinds, DropPage, DropsQuery, DropView, MakeDrop } from './contract.ts';
import { DROPS_PAGE, FOLDER } from './contract.ts';

const MB = 1024 * 1024;
/** The limit per link. */
const BYTES_MAX = 20 * 1024 * MB;
/** One e-mail for all that comes within so long. */
const TOLD_EVERY = 6 * 60 * 60_000;
/** Milliseconds for which what is done by the link belongs to one opening. */
const ONE_OPENING = 30 * 60_000;
const KIND = 'drop';

interface DropRow {
  id: number;
  firm_id: number;
  client_id: number;
  made_by: number;
  seed: string;
  token_hash: string;
  file_mb: number;
  max_files: number;
  kinds: DropKinds;
  folder_id: number | null;
  received: number;
  last_received_at: string | null;
  told_at: string | null;
  opened: number;
  last_opened_at: string | null;
  last_opened_ip: string | null;
  revoked_at: string | null;
  created_at: string;
  client: string;
  language: Language;
  firm: string;
  maker: string;
  maker_email: string;
  maker_gone: string | null;
}

interface DropDependencies {
  db: Knex;
  clock: Clock;
  audit: Audit;
  mail: Pick<Mail, 'send'>;
  incoming: Incoming;
  collecting: Collecting;
  sharingOn: (db: Knex, firmId: number) => Promise<boolean>;
  logoOf: (firmId: number) => Promise<string | null>;
  secret: Buffer;
  baseUrl: string;
}

const linkGone = (): AppError =>
  new AppError(404, 'link_gone', 'This link is not available. Ask the office that gave it for a new one.');

/** Lasting links by which clients send anything: nothing can be seen by one, and nothing overwritten. */
export function createDrops(dependencies: DropDependencies) {
  const { db, clock, audit, mail, incoming, collecting } = dependencies;

  const tokens = createDerivedTokens(dependencies.secret, 'drop link', 'drop_links');

  /** Drop links, including revoked ones. */
  const all = (on: Knex) =>
    on('drop_links as d')
      .join('clients as c', (join) => join.on('c.id', 'd.client_id').andOn('c.firm_id', 'd.firm_id'))
      .join('firms as f', 'f.id', 'd.firm_id')
      .join('users as u', 'u.id', 'd.made_by')
      .select(
        'd.*',
        'c.name as client',
        'c.language',
        'f.name as firm',
        'u.name as maker',
        'u.email as maker_email',
        'u.deactivated_at as maker_gone',
      );
  const rows = (on: Knex) => all(on).whereNull('d.revoked_at');

  const keyOf = (id: number): string => `${KIND}:${id}`;
  const doorFor = (row: DropRow): Door => ({
    key: keyOf(row.id),
    firmId: row.firm_id,
    firm: row.firm,
    ownerId: row.made_by,
    clientId: row.client_id,
    sender: row.client,
    allows: {
      file: row.file_mb * MB,
      bytes: BYTES_MAX,
      files: row.max_files,
      papers: row.kinds === 'papers',
    },
  });
  const clientsSeen = (on: Knex, actor: FirmViewer) =>
    only(on('clients'), isVisibleClient(actor)).where({ firm_id: actor.firmId });

  /** Who is told of what came: the link's maker or, of a client whom that person does not see any more, an admin. */
  async function toldOf(
    trx: Knex.Transaction,
    { made_by, firm_id, client_id, maker, maker_email, maker_gone }: DropRow,
  ): Promise<{ name: string; email: string } | undefined> {
    const makerNow = await refreshActor<FirmViewer>(trx, {
      userId: made_by,
      firmId: firm_id,
      role: 'viewer',
      permissions: [],
      clientScope: 'assigned',
    });
    const sees = await clientsSeen(trx, makerNow).where({ id: client_id }).first('id');
    if (sees && maker_gone === null) return { name: maker, email: maker_email };
    return trx('users')
      .where({ firm_id, role: 'admin', deactivated_at: null })
      .orderBy('id')
      .first('name', 'email');
  }
  const idOf = ({ key }: Door): number => Number(key.slice(key.indexOf(':') + 1));

  const kind: DoorKind = {
    async find(on, id, { taken }) {
      const row: DropRow | undefined = await all(on).where('d.id', id).first();
      if (!row) return null;
      const open = row.revoked_at === null && (await dependencies.sharingOn(on, row.firm_id));
      return open || taken ? doorFor(row) : null;
    },
    takes: async (_on, _id, slot) => slot === null,
    async place(trx, actor, door) {
      const id = idOf(door);
      const { folder_id: known } = await trx('drop_links').where({ id }).first('folder_id');
      const folder_id = await incoming.folderFor(trx, actor, {
        known,
        client_id: door.clientId,
        name: FOLDER,
      });
      if (folder_id !== known) await trx('drop_links').where({ id }).update({ folder_id });
      return { parent_id: folder_id, client_id: door.clientId, asked: null };
    },
    async filed(trx, actor, door, { itemId }) {
      const id = idOf(door);
      const now = clock();
      await trx('drop_links')
        .where({ id })
        .increment('received', 1)
        .update({ last_received_at: now.toISOString() });
      const detail = { name: door.sender, ids: [itemId] };
      await audit.record(trx, { actor, did: 'drop.received', subject: `item:${itemId}`, detail });
      const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
      const first = await trx('drop_links')
        .where({ id })
        // A time far ahead was set before the clock was set back.
        .where((of) =>
          of
            .whereNull('told_at')
            .orWhere('told_at', '<=', at(-TOLD_EVERY))
            .orWhere('told_at', '>', at(CLOCKS_DIFFER_MS)),
        )
        .update({ told_at: now.toISOString() });
      if (first === 0) return;
      const row: DropRow = await all(trx).where('d.id', id).first();
      const to = await toldOf(trx, row);
      if (!to) return;
      await mail.send(trx, {
        to,
        firm: row.firm,
        firmId: row.firm_id,
        kind: 'drop.received',
        email: {
          subject: `${row.client} has sent documents`,
          parts: [
            `Dear ${to.name},`,
            `${row.client} has sent something by their drop link. It is in the folder "${FOLDER}" of the client.`,
            { action: 'Open the folder', href: `${dependencies.baseUrl}/dashboard/folder/${row.folder_id}` },
            { note: 'You are told once in six hours for each client.' },
          ],
        },
      });
    },
  };
  collecting.kind(KIND, kind);
  incoming.registerLinkFolders((on, of) =>
    on('drop_links').where(of).whereNotNull('folder_id').pluck('folder_id'),
  );

  function viewOf(row: DropRow, drawn = true): DropView {
    const url = `${dependencies.baseUrl}/d/${tokens.tokenOf(row.seed)}`;
    return {
      id: row.id,
      client: { id: row.client_id, name: row.client },
      made_by: { id: row.made_by, name: row.maker },
      file_mb: row.file_mb,
      max_files: row.max_files,
      kinds: row.kinds,
      received: row.received,
      last_received_at: row.last_received_at,
      opened: row.opened,
      last_opened_at: row.last_opened_at,
      last_opened_from: row.last_opened_ip === null ? null : networkName(row.last_opened_ip),
      created_at: row.created_at,
      url,
      qr: drawn ? renderSVG(url, { ecc: 'M', border: 4 }) : '',
    };
  }

  function requireMayShare(actor: Actor): void {
    if (!may(actor, 'share') || !may(actor, 'documents.write')) throw forbidden();
  }
  async function rowOf(actor: Actor, id: number): Promise<DropRow> {
    requireMayShare(actor);
    const row: DropRow | undefined = await rows(db)
      .where({ 'd.id': id, 'd.firm_id': actor.firmId })
      .whereIn('d.client_id', clientsSeen(db, actor).select('id'))
      .first();
    if (!row) throw notFound('link');
    return row;
  }

  async function view(actor: Actor, id: number): Promise<DropView> {
    const row = await rowOf(actor, id);
    await tokens.makeCurrent(db, [row]);
    return viewOf(row);
  }

  /** The link to which the token leads. @throws {AppError} 404, 429. */
  async function standing(sender: Sender): Promise<DropRow> {
    const row: DropRow | undefined = await rows(db).where(tokens.matches(sender.token, 'd')).first();
    if (row && (await dependencies.sharingOn(db, row.firm_id))) return row;
    await collecting.noteGuess(sender);
    throw linkGone();
  }

  /** Notes that somebody does something with the link. A page that is only fetched is not opened. */
  async function noteOpened(row: DropRow, ip: string): Promise<void> {
    const now = clock();
    const last = row.last_opened_at === null ? 0 : Date.parse(row.last_opened_at);
    if (Math.abs(now.getTime() - last) < ONE_OPENING) return;
    await db('drop_links')
      .where({ id: row.id, last_opened_at: row.last_opened_at })
      .increment('opened', 1)
      .update({ last_opened_at: now.toISOString(), last_opened_ip: ip });
  }

  return {
    /** The drop links of clients that the actor sees, the newest first, a page at a time. @throws {AppError} 403. */
    async list(actor: Actor, { client, before }: DropsQuery = {}): Promise<DropView[]> {
      requireMayShare(actor);
      const query = rows(db)
        .where('d.firm_id', actor.firmId)
        .whereIn('d.client_id', clientsSeen(db, actor).select('id'))
        .orderBy('d.id', 'desc')
        .limit(DROPS_PAGE);
      if (client !== undefined) query.where('d.client_id', client);
      if (before !== undefined) query.where('d.id', '<', before);
      const found: DropRow[] = await query;
      await tokens.makeCurrent(db, found);
      return found.map((row) => viewOf(row, client !== undefined));
    },

    /** A client has one such link: where there is one, its limits are changed. @throws {AppError} 403, 404. */
    async make(
      actor: Actor,
      { client_id, file_mb = 50, max_files = 1000, kinds = 'any' }: MakeDrop,
    ): Promise<DropView> {
      requireMayShare(actor);
      const id = await db.transaction(async (trx) => {
        const client: { name: string } | undefined = await clientsSeen(trx, actor)
          .where({ id: client_id })
          .first('name');
        if (!client) throw notFound('client');
        const ofClient = { firm_id: actor.firmId, client_id };
        const there: { id: number } | undefined = await trx('drop_links')
          .where({ ...ofClient, revoked_at: null })
          .first('id');
        const did = there ? 'drop.change' : 'drop.create';
        const limits = { file_mb, max_files, kinds };
        if (there) await trx('drop_links').where({ id: there.id }).update(limits);
        const made =
          there ??
          (
            await trx('drop_links')
              .insert({
                ...ofClient,
                ...limits,
                ...tokens.newToken(),
                made_by: actor.userId,
                created_at: clock().toISOString(),
              })
              .returning('id')
          )[0];
        const detail = { name: client.name, ...limits };
        await audit.record(trx, { actor, did, detail, concerns: { clients: [client_id] } });
        return made!.id as number;
      });
      return view(actor, id);
    },

    /** Another address; the one before, also on printed cards, leads nowhere. @throws {AppError} 403, 404. */
    async renew(actor: Actor, id: number): Promise<DropView> {
      const { client, client_id } = await rowOf(actor, id);
      await db.transaction(async (trx) => {
        await trx('drop_links').where({ id }).update(tokens.newToken());
        const concerns = { clients: [client_id] };
        await audit.record(trx, { actor, did: 'drop.renew', detail: { name: client }, concerns });
      });
      await collecting.cancelUploads(keyOf(id));
      return view(actor, id);
    },

    /** Files that were received stay. @throws {AppError} 403, 404. */
    async revoke(actor: Actor, id: number): Promise<void> {
      const { client, client_id } = await rowOf(actor, id);
      await db.transaction(async (trx) => {
        await trx('drop_links').where({ id }).update({ revoked_at: clock().toISOString() });
        const concerns = { clients: [client_id] };
        await audit.record(trx, { actor, did: 'drop.revoke', detail: { name: client }, concerns });
      });
      await collecting.cancelClosed({ door: keyOf(id) });
    },

    /** The path at which a client sends anything, for the client's own page; null without such a link. */
    async pathFor(firmId: number, clientId: number): Promise<string | null> {
      const row: DropRow | undefined = await rows(db)
        .where({ 'd.firm_id': firmId, 'd.client_id': clientId })
        .first();
      if (!row || !(await dependencies.sharingOn(db, firmId))) return null;
      await tokens.makeCurrent(db, [row]);
      return `/d/${tokens.tokenOf(row.seed)}`;
    },

    /** What follows is asked by whoever comes with a link. */
    senders: {
      async page(sender: Sender): Promise<DropPage> {
        try {
          const { firm, firm_id, language, file_mb, kinds } = await standing(sender);
          const logo = await dependencies.logoOf(firm_id);
          return { state: 'open', firm, logo, language, form: collecting.formOf(sender), file_mb, kinds };
        } catch (error) {
          if (error instanceof AppError && error.status < 500) return { state: 'gone' };
          throw error;
        }
      },
      /** @throws {AppError} 404, 429. */
      async door(sender: Sender): Promise<Door> {
        const row = await standing(sender);
        await noteOpened(row, sender.ip);
        return doorFor(row);
      },
      /** @throws {AppError} 404, 429. */
      noteOpened: async (sender: Sender): Promise<void> => noteOpened(await standing(sender), sender.ip),
    },
  };
}
export type Drops = ReturnType<typeof createDrops>;
