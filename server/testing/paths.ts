import { suite } from 'uvu';
import type { Test } from 'uvu';
import type { Actor } from '../actor.ts';
import type { World, WorldOptions } from './world.ts';
import { freshWorld } from './world.ts';

/** An office for tests about paths. */
export interface PathOffice extends World {
  actor: Actor;
  /** `fillPaths`, as `actor`. */
  fill(...paths: string[]): Promise<Map<string, number>>;
  paths(): Promise<string[]>;
}

/** A suite whose tests each get an office, with a user who fills it. */
export function pathSuite(title: string, options: Pick<WorldOptions, 'trashDays'> = {}): Test<PathOffice> {
  const test = suite<PathOffice>(title);
  test.before.each(async (office) => {
    const world = await freshWorld(options);
    const actor = await world.build.actor();
    const fill = (...paths: string[]) => fillPaths(world, actor, paths);
    Object.assign(office, world, { actor, fill, paths: () => allPaths(world) });
  });
  test.after.each((office) => office.close());
  return test;
}

/** Creates files at paths below My Drive, with the folders above. @returns the id of each folder, by its path. */
export async function fillPaths(
  { build, services }: Pick<World, 'build' | 'services'>,
  actor: Actor,
  paths: readonly string[],
): Promise<Map<string, number>> {
  const folders = new Map<string, number>();
  for (const path of paths) {
    const names = path.split('/');
    const file = names.pop()!;
    let parent_id: number | null = null;
    for (const [depth, name] of names.entries()) {
      const key = names.slice(0, depth + 1).join('/');
      const known: number =
        folders.get(key) ??
        (await services.documents.createFolder(actor, { name, parent_id, client_id: null })).id;
      folders.set(key, known);
      parent_id = known;
    }
    if (file !== '') await build.file(actor, { name: file, parent_id });
  }
  return folders;
}

/** The paths of all files and empty folders. */
async function allPaths({ db }: Pick<World, 'db'>): Promise<string[]> {
  const rows: { id: number; parent_id: number | null; name: string }[] = await db('items');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = ({ parent_id, name }: (typeof rows)[number]): string =>
    parent_id === null ? name : `${pathOf(byId.get(parent_id)!)}/${name}`;
  const parents = new Set(rows.map(({ parent_id }) => parent_id));
  return rows
    .filter(({ id }) => !parents.has(id))
    .map(pathOf)
    .toSorted();
}
