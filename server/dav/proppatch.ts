import { badRequest, notFound } from '#server/http/errors.ts';
import { demandConditions } from './conditions.ts';
import type { DavParts, Method } from './parts.ts';
import { hrefOf } from './paths.ts';
import type { PropertyName } from './properties.ts';
import { WIN_NS, isLive, keyOf } from './properties.ts';
import { xmlOf } from './propfind.ts';
import { demandWrite } from './write.ts';
import { DAV_NS, XML_HEAD, childOf, written } from './xml.ts';

interface Change extends PropertyName {
  /** Null takes it away. */
  value: string | null;
  text: string;
}

/** What says when a file was changed. */
const DATES = new Set([`${WIN_NS} Win32LastModifiedTime`, `${DAV_NS} getlastmodified`]);
const isWindows = ({ ns }: PropertyName): boolean => ns === WIN_NS;

/** PROPPATCH: dates are kept, Windows' own attributes are accepted, and what means nothing to us is kept as it is. */
export const proppatch =
  (parts: DavParts): Method =>
  async (ctx, actor) => {
    const { tree, locks, documents, kept } = parts;
    const root = await xmlOf(ctx);
    if (!root || root.ns !== DAV_NS || root.name !== 'propertyupdate')
      throw badRequest('The request does not say which properties it changes.', 'malformed_xml');
    const place = await tree.find(actor, ctx.state.names as string[]);
    const { entry, names } = place;
    if (!entry) throw notFound('file');
    demandWrite(actor);
    const given = await demandConditions(parts, ctx, actor, place);
    if (entry.id !== null) await locks.demand(actor, given, { items: [entry.id] });
    const changes = root.children
      .filter(({ ns, name }) => ns === DAV_NS && (name === 'set' || name === 'remove'))
      .flatMap((one): Change[] =>
        (childOf(one, 'prop')?.children ?? []).map(({ ns, name, inner, text }) => ({
          ns,
          name,
          text,
          value: one.name === 'set' ? inner : null,
        })),
      );
    const isOurs = (change: Change) => !isWindows(change) && !DATES.has(keyOf(change)) && isLive(change);
    const refused = changes.some(isOurs);
    if (!refused && entry.id !== null && !entry.scratch) {
      for (const change of changes)
        if (DATES.has(keyOf(change)) && change.value !== null && !Number.isNaN(Date.parse(change.text)))
          await documents.date(actor, entry.id, new Date(change.text).toISOString());
      const own = changes.filter((change) => !isWindows(change) && !DATES.has(keyOf(change)));
      await kept.change(entry.id, new Map(own.map((change) => [keyOf(change), change.value])));
    }
    const states = Map.groupBy(changes, (change) =>
      !refused ? '200 OK' : isOurs(change) ? '403 Forbidden' : '424 Failed Dependency',
    );
    const told = Array.from(
      states,
      ([state, some]) =>
        `<d:propstat><d:prop>${some.map(({ ns, name }) => written(ns, name)).join('')}</d:prop>` +
        `<d:status>HTTP/1.1 ${state}</d:status></d:propstat>`,
    );
    ctx.status = 207;
    ctx.set('Content-Type', 'application/xml; charset=utf-8');
    ctx.body =
      `${XML_HEAD}<d:multistatus xmlns:d="DAV:"><d:response><d:href>${hrefOf(names, entry.type === 'folder')}</d:href>` +
      `${told.join('')}</d:response></d:multistatus>\n`;
  };
