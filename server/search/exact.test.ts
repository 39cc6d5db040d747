import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { fold } from '#server/text/fold.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { rank } from './rank.ts';

/** Compares the search with a naive one that examines every row, for so few items that the search finds all matches. */
interface Office extends World {
  actor: Actor;
  /** A pseudo-random integer from 0 to below `below`, in the same sequence on every run. */
  random: (below: number) => number;
}

const test = suite<Office>('a search finds all matches and nothing else');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld({ trashDays: 0 }));
  office.actor = await office.build.actor();
  let state = 20_261_122;
  office.random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
});
test.after.each((office) => office.close());

const NAMES =
  'Sharma Iyer GST Form-16 2024-25 16 Notice Résumé कर विवरणी ITR-V (new) a_b 1 7 26AS Straße'.split(' ');
const QUERY_WORDS = [
  ...NAMES,
  'sharma iyer gst gstr form16 form 2024 25 notice resume कर वि itr v new a_b 1 7 26 as strasse 202425 zzz / -'.split(
    ' ',
  ),
].flat();

/** Clients, folders in folders and files of names made of the same few words. */
async function fill({ build, services, actor, random }: Office): Promise<void> {
  const name = () => Array.from({ length: 1 + random(2) }, () => NAMES[random(NAMES.length)]).join(' ');
  const clients: number[] = [];
  for (const client of ['Form-16 Iyer', 'Sharma 7 & Co', `${name()} A`, `${name()} B`, 'Résumé'])
    clients.push(await build.client(actor, client));
  const anyOf = (ids: readonly number[]) => (random(3) === 0 ? null : ids[random(ids.length)]!);
  const folders: number[] = [];
  for (let index = 0; index < 9; index += 1) {
    const parent_id = folders.length > 0 ? anyOf(folders) : null;
    const folder = { name: `${name()} f${index}`, parent_id, client_id: anyOf(clients) };
    folders.push((await services.documents.createFolder(actor, folder)).id);
  }
  for (let index = 0; index < 60; index += 1)
    await build.file(actor, {
      name: `${name()} ${index}.pdf`,
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

/** Removes the separators between letters and digits. */
const withoutSeparators = (text: string): string =>
  text.replace(/(?<=\p{L}\p{M}*)[\s_.-]+(?=\p{Nd})|(?<=\p{Nd})[\s_.-]+(?=\p{L})/gu, '');
/** First letters of words, and digits. */
const WORD_STARTS = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]|(?<=[\p{L}\p{M}])\p{N}/gu;
/** Whether a text contains a word; a single letter or digit must start a word there. */
const contains = (text: string, word: string): boolean =>
  /^[\p{L}\p{N}]$/u.test(word)
    ? Array.from(text.matchAll(WORD_STARTS), ([letter]) => letter).includes(word)
    : text.includes(word) || withoutSeparators(text).includes(withoutSeparators(word));

/** The matches among all rows of the table. @param visible the clients whose items the user sees; null for all. */
async function naive({ db, actor }: Office, query: string, visible: ReadonlySet<number> | null) {
  const all = (await db('items').where('firm_id', actor.firmId)) as Item[];
  const items = all.filter((item) => !visible || visible.has(item.scope_client_id));
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
    const context = [fold(pathOf(parent_id).join(' / ')), nameOf.get(client_id ?? 0) ?? ''];
    if (!words.every((word) => [own, ...context].some((text) => contains(text, word)))) return [];
    return words.every((word) => contains(own, word)) ? [item] : [{ ...item, viaContext: true as const }];
  });
}

async function compare(office: Office, who: Actor, visible: ReadonlySet<number> | null): Promise<number> {
  const { services, random } = office;
  let matched = 0;
  for (let index = 0; index < 100; index += 1) {
    const query = Array.from({ length: 1 + random(3) }, () => QUERY_WORDS[random(QUERY_WORDS.length)]).join(
      ' ',
    );
    if (query.trim().length < 2) continue;
    const expected = await naive(office, query, visible);
    const top = await services.search.find(who, query, 200);
    // The index has no punctuation marks alone: they only filter the matches of other words.
    const indexed = /[\p{L}\p{N}]/u.test(query);
    if (!indexed) continue;
    const best = rank(expected, query).map(({ id }) => id);
    assert.equal([top.items.map(({ id }) => id), top.more], [best, false], `top bar: ${query}`);
    const documents = await services.documents.files(who, { search: query, limit: 200 });
    const newest = expected
      .filter(({ type }) => type === 'file')
      .toSorted((a, b) =>
        a.modified_at < b.modified_at ? 1 : a.modified_at > b.modified_at ? -1 : b.id - a.id,
      )
      .map(({ id }) => id);
    assert.equal([documents.items.map(({ id }) => id), documents.total], [newest, newest.length], query);
    matched += expected.length > 0 ? 1 : 0;
  }
  return matched;
}

test('for a user who sees the whole firm, in order of rank in the top bar and of date in the list of files', async (office) => {
  await fill(office);
  assert.ok((await compare(office, office.actor, null)) > 30, 'many of the searches find something');
});

test('for a user with assigned clients, only by names, folders and files of these', async (office) => {
  const { build, db, actor } = office;
  await fill(office);
  const own = await db('clients').where('firm_id', actor.firmId).limit(2).pluck('id');
  const { actor: ravi } = await build.colleague(actor, { client_scope: 'assigned' });
  await db('user_clients').insert(own.map((client_id) => ({ user_id: ravi.userId, client_id })));
  assert.ok((await compare(office, ravi, new Set(own))) > 10);
});

test.run();
