import { badRequest, notFound } from '#server/http/errors.ts';
import { checkPreconditions } from './conditions.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { hrefOf } from './paths.ts';
import type { PropertyName } from './properties.ts';
import { WIN_NS, isLive, keyOf } from './properties.ts';
import { xmlOf } from './propfind.ts';
import { requireWrite } from './write.ts';
import { DAV_NS, XML_HEAD, childOf, propertyXml } from './xml.ts';

interface Change extends PropertyName {
  /** Null removes the property. */
  value: string | null;
  text: string;
}

/** Properties that hold the file's modification date. */
const DATES = new Set([`${WIN_NS} Win32LastModifiedTime`, `${DAV_NS} getlastmodified`]);
const isWindows = ({ ns }: PropertyName): boolean => ns === WIN_NS;

/** PROPPATCH: stores the file's date and dead properties; Windows' own attributes are accepted and ignored. */
export const proppatch =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { tree, locks, documents, deadProperties } = dependencies;
    const root = await xmlOf(ctx);
    if (!root || root.ns !== DAV_NS || root.name !== 'propertyupdate')
      throw badRequest('The request does not say which properties it changes.', 'malformed_xml');
    const resolved = await tree.find(actor, ctx.state.names as string[]);
    const { entry, names } = resolved;
    if (!entry) throw notFound('file');
    requireWrite(actor);
    const tokens = await checkPreconditions(dependencies, ctx, actor, resolved);
    if (entry.id !== null) await locks.requireTokens(actor, tokens, { items: [entry.id] });
    const changes = root.children
      .filter(({ ns, name }) => ns === DAV_NS && (name === 'set' || name === 'remove'))
      .flatMap((element): Change[] =>
        (childOf(element, 'prop')?.children ?? []).map(({ ns, name, inner, text }) => ({
          ns,
          name,
          text,
          value: element.name === 'set' ? inner : null,
        })),
      );
    const isOurs = (change: Change) => !isWindows(change) && !DATES.has(keyOf(change)) && isLive(change);
    const refused = changes.some(isOurs);
    if (!refused && entry.id !== null && !entry.scratch) {
      for (const change of changes)
        if (DATES.has(keyOf(change)) && change.value !== null && !Number.isNaN(Date.parse(change.text)))
          await documents.date(actor, entry.id, new Date(change.text).toISOString());
      const storedChanges = changes.filter((change) => !isWindows(change) && !DATES.has(keyOf(change)));
      await deadProperties.change(
        entry.id,
        new Map(storedChanges.map((change) => [keyOf(change), change.value])),
      );
    }
    const states = Map.groupBy(changes, (change) =>
      !refused ? '200 OK' : isOurs(change) ? '403 Forbidden' : '424 Failed Dependency',
    );
    const propstats = Array.from(
      states,
      ([state, some]) =>
        `<d:propstat><d:prop>${some.map(({ ns, name }) => propertyXml(ns, name)).join('')}</d:prop>` +
        `<d:status>HTTP/1.1 ${state}</d:status></d:propstat>`,
    );
    ctx.status = 207;
    ctx.set('Content-Type', 'application/xml; charset=utf-8');
    ctx.body =
      `${XML_HEAD}<d:multistatus xmlns:d="DAV:"><d:response><d:href>${hrefOf(names, entry.type === 'folder')}</d:href>` +
      `${propstats.join('')}</d:response></d:multistatus>\n`;
  };
