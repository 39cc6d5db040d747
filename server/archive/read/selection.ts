import type { Plan } from '../extract/plan.ts';
import type { PlannedFile } from '../extract/tree.ts';

/** Finds what a plan holds by its path: names from the top down, joined by `/`; '' is the top itself. */
export function indexOf({ folders, files }: Pick<Plan, 'folders' | 'files'>) {
  const folderAt = new Map(folders.map(({ parent, name }, n) => [`${parent}/${name}`, n]));
  const fileAt = new Map(files.map((file) => [`${file.folder}/${file.name}`, file]));

  function folder(path: string): number | undefined {
    let parent: number | undefined = -1;
    for (const name of path === '' ? [] : path.split('/')) {
      parent = folderAt.get(`${parent}/${name}`);
      if (parent === undefined) return undefined;
    }
    return parent;
  }

  return {
    folder,
    file(path: string): PlannedFile | undefined {
      const slash = path.lastIndexOf('/');
      return fileAt.get(`${folder(path.slice(0, Math.max(0, slash)))}/${path.slice(slash + 1)}`);
    },
  };
}

/** Names from the top down to a folder, joined by `/`; '' for the top itself. */
export function folderPath({ folders }: Pick<Plan, 'folders'>, folder: number): string {
  const names: string[] = [];
  for (let at = folder; at >= 0; at = folders[at]!.parent) names.push(folders[at]!.name);
  return names.toReversed().join('/');
}

/**
 * The part of a plan that these paths choose, with the folders that lead to it. A folder stands for all it holds.
 * @returns undefined when one of them is not in the archive.
 */
export function choose(plan: Plan, paths: readonly string[]): Plan | undefined {
  const index = indexOf(plan);
  const inside = new Set<number>();
  const chosen = new Set<PlannedFile>();
  for (const path of paths) {
    const folder = index.folder(path);
    const file = folder === undefined ? index.file(path) : undefined;
    if (folder !== undefined) inside.add(folder);
    else if (file) chosen.add(file);
    else return undefined;
  }
  // Folders come before what they hold: one pass takes in everything below the chosen ones.
  for (const [n, { parent }] of plan.folders.entries()) if (inside.has(parent)) inside.add(n);
  const kept = plan.files.filter((file) => inside.has(file.folder) || chosen.has(file));

  const needed = new Set<number>();
  for (const start of [...inside, ...kept.map(({ folder }) => folder)]) {
    for (let at = start; at >= 0 && !needed.has(at); at = plan.folders[at]!.parent) needed.add(at);
  }
  const moved = new Map([[-1, -1]]);
  const folders = plan.folders.flatMap(({ name, parent }, n) => {
    if (!needed.has(n)) return [];
    moved.set(n, moved.size - 1);
    return [{ name, parent: moved.get(parent)! }];
  });
  const files = kept.map((file) => ({ ...file, folder: moved.get(file.folder)! }));
  const bytes = kept.reduce((sum, { entry }) => sum + entry.size, 0);
  return { folders, files, bytes, skipped: [], skippedCount: 0 };
}
