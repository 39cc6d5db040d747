import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { fold } from '#server/text/fold.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { rank } from './rank.ts';

/** A search of few enough items to find them all, beside one that looks at every row of the table and at each of its words. */
interface Office extends World {
  actor: Actor;
  /** A number from 0 to below `below`, the same ones at every run. */
  any: (below: number) => number;
}

const test = suite<Office>('a search finds all that matches, and nothing else');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ trashDays: 0 }));
  office.actor = await office.build.actor();
  let state = 20_261_122;
  office.any = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
});
test.after.each((office) => office.close());

const NAMES =
  'Sharma Iyer GST Form-16 2024-25 16 Notice Résumé कर विवरणी ITR-V (new) a_b 1 7 26AS Straße'.split(' ');
const ASKED = [
  ...NAMES,
  'sharma iyer gst gstr form16 form 2024 25 notice resume कर वि itr v new a_b 1 7 26 as strasse 202425 zzz / -'.split(
    ' ',
  ),
].flat();

/** Clients, folders in folders and files of names made of the same few words. */
async function fill({ build, services, actor, any }: Office): Promise<void> {
  const name = () => Array.from({ length: 1 + any(2) }, () => NAMES[any(NAMES.length)]).join(' ');
  const clients: number[] = [];
  for (const client of ['Form-16 Iyer', 'Sharma 7 & Co', `${name()} A`, `${name()} B`, 'Résumé'])
    clients.push(await build.client(actor, client));
  const anyOf = (ids: readonly number[]) => (any(3) === 0 ? null : ids[any(ids.length)]!);
  const folders: number[] = [];
  for (let at = 0; at < 9; at += 1) {
    const parent_id = folders.length > 0 ? anyOf(folders) : null;
    const folder = { name: `${name()} f${at}`, parent_id, client_id: anyOf(clients) };
    folders.push((await services.documents.createFolder(actor, folder)).id);
  }
  for (let at = 0; at < 60; at += 1)
    await build.file(actor, {
      name: `${name()} ${at}.pdf`,
      parent_id: anyOf(folders),
      client_id: anyOf(clients),
    });
}

interface Item {
  id: number;
  name: string;
  type: 'folder' | 'file';
  modified_at: string;
  parent_id: number | null;
  client_id: number | null;
  scope_client_id: number;
}

/** The seams between letters and digits are left out, and a single letter or digit begins a word. */
const bare = (text: string): string =>
  text.replace(/(?<=\p{L}\p{M}*)[\s_.-]+(?=\p{Nd})|(?<=\p{Nd})[\s_.-]+(?=\p{L})/gu, '');
const FIRST = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]|(?<=[\p{L}\p{M}])\p{N}/gu;
const has = (text: string, word: string): boolean =>
  /^[\p{L}\p{N}]$/u.test(word)
    ? Array.from(text.matchAll(FIRST), ([letter]) => letter).includes(word)
    : text.includes(word) || bare(text).includes(bare(word));

/** The items in each row of which, as the table is, every word stands. @param seen by whom the items are seen. */
async function naive({ db, actor }: Office, query: string, seen: ReadonlySet<number> | null) {
  const all = (await db('items').where('firm_id', actor.firmId)) as Item[];
  const items = all.filter((item) => !seen || seen.has(item.scope_client_id));
  const clients = (await db('clients').where('firm_id', actor.firmId)) as { id: number; name: string }[];
  const nameOf = new Map(clients.map(({ id, name }) => [id, fold(name)]));
  const byId = new Map(items.map((item) => [item.id, item]));
  const pathOf = (id: number | null): string[] => {
    const folder = id === null ? undefined : byId.get(id);
    return folder ? [...pathOf(folder.parent_id), folder.name] : [];
  };
  const words = fold(query).split(/\s+/).filter(Boolean);
  return items.flatMap(({ parent_id, client_id, ...item }) => {
    const own = fold(item.name);
    const around = [fold(pathOf(parent_id).join(' / ')), nameOf.get(client_id ?? 0) ?? ''];
    if (!words.every((word) => [own, ...around].some((text) => has(text, word)))) return [];
    return words.every((word) => has(own, word)) ? [item] : [{ ...item, viaContext: true as const }];
  });
}

async function compare(office: Office, who: Actor, seen: ReadonlySet<number> | null): Promise<number> {
  const { services, any } = office;
  let matched = 0;
  for (let at = 0; at < 100; at += 1) {
    const query = Array.from({ length: 1 + any(3) }, () => ASKED[any(ASKED.length)]).join(' ');
    if (query.trim().length < 2) continue;
    const right = await naive(office, query, seen);
    const top = await services.search.find(who, query, 200);
    // A sign alone is in no index: it narrows down what the other words find.
    const indexed = /[\p{L}\p{N}]/u.test(query);
    if (!indexed) continue;
    const best = rank(right, query).map(({ id }) => id);
    assert.equal([top.items.map(({ id }) => id), top.more], [best, false], `top bar: ${query}`);
    const documents = await services.documents.files(who, { search: query, limit: 200 });
    const newest = right
      .filter(({ type }) => type === 'file')
      .toSorted((a, b) =>
        a.modified_at < b.modified_at ? 1 : a.modified_at > b.modified_at ? -1 : b.id - a.id,
      )
      .map(({ id }) => id);
    assert.equal([documents.items.map(({ id }) => id), documents.total], [newest, newest.length], query);
    matched += right.length > 0 ? 1 : 0;
  }
  return matched;
}

test('for whoever sees the whole firm, in the order of the rank and of the dates', async (office) => {
  await fill(office);
  assert.ok((await compare(office, office.actor, null)) > 30, 'many of the searches find something');
});

test('for whoever has clients assigned, of whom alone they see names, folders and files', async (office) => {
  const { build, db, actor } = office;
  await fill(office);
  const own = await db('clients').where('firm_id', actor.firmId).limit(2).pluck('id');
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert(own.map((client_id) => ({ user_id: ravi.userId, client_id })));
  assert.ok((await compare(office, ravi, new Set(own))) > 10);
});

test.run();
