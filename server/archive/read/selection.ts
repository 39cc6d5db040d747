import type { Plan } from '../extract/plan.ts';
import type { PlannedFile } from '../extract/tree.ts';

/** Finds files and folders of a plan by path: names from the root, joined by `/`; '' is the root. */
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

/** The path of a folder: names from the root, joined by `/`; '' for the root. */
export function folderPath({ folders }: Pick<Plan, 'folders'>, folder: number): string {
  const names: string[] = [];
  for (let index = folder; index >= 0; index = folders[index]!.parent) names.push(folders[index]!.name);
  return names.toReversed().join('/');
}

/**
 * Selects paths of a plan, together with the folders above them. A folder includes all of its contents.
 * @returns undefined if one of the paths is not in the archive.
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
  // Folders precede their contents, so one pass includes everything below the chosen ones.
  for (const [n, { parent }] of plan.folders.entries()) if (inside.has(parent)) inside.add(n);
  const files = plan.files.filter((file) => inside.has(file.folder) || chosen.has(file));

  const needed = new Set<number>();
  for (const start of [...inside, ...files.map(({ folder }) => folder)]) {
    for (let index = start; index >= 0 && !needed.has(index); index = plan.folders[index]!.parent)
      needed.add(index);
  }
  const newIndexes = new Map([[-1, -1]]);
  const folders = plan.folders.flatMap(({ name, parent }, n) => {
    if (!needed.has(n)) return [];
    newIndexes.set(n, newIndexes.size - 1);
    return [{ name, parent: newIndexes.get(parent)! }];
  });
  return {
    folders,
    files: files.map((file) => ({ ...file, folder: newIndexes.get(file.folder)! })),
    bytes: files.reduce((sum, { entry }) => sum + entry.size, 0),
    skipped: [],
    skippedCount: 0,
  };
}
