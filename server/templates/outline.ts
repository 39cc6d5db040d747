import type { FolderTree } from '#server/documents/contract.ts';
import { checkName, nameKey, repairName, tidyName } from '#server/documents/contract.ts';

export const FOLDERS_MAX = 200;
export const LEVELS_MAX = 8;

/** What stands for something else in a name, and is replaced when a template is applied. */
export interface Values {
  /** `2026-27`. */
  fy: string;
  /** The client's name. */
  client: string;
}

/** What is wrong with one line of an outline; lines count from 1. */
export interface Fault {
  line: number;
  message: string;
}

export interface Outline {
  folders: FolderTree[];
  /** How many folders there are in all. */
  count: number;
  faults: Fault[];
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const KNOWN: ReadonlySet<string> = new Set(['fy', 'client'] satisfies (keyof Values)[]);
/** Stands for what is not known yet while a name is checked. */
const SAMPLE: Values = { fy: '2026-27', client: 'Client' };

const fill = (name: string, values: Values): string =>
  name.replace(PLACEHOLDER, (whole, key: string) => values[key.toLowerCase() as keyof Values] ?? whole);

/** Levels of indentation, two spaces or a tab each; null for half a level. */
function levelOf(indent: string): number | null {
  const spaces = indent.replaceAll('\t', '').length;
  return spaces % 2 === 0 ? indent.length - spaces + spaces / 2 : null;
}

function faultOfName(name: string): string | null {
  for (const [whole, key = ''] of name.matchAll(PLACEHOLDER))
    if (!KNOWN.has(key.toLowerCase())) return `${whole} is not known. Use {fy} or {client}.`;
  return checkName(tidyName(fill(name, SAMPLE)));
}

/**
 * Reads an outline: one folder a line, in the folder above it that is indented less. What is wrong with a line is told,
 * and the line is left out of the tree.
 */
export function parseOutline(text: string): Outline {
  const top: FolderTree[] = [];
  /** The folder last read on each level. */
  const open: FolderTree[] = [];
  const faults: Fault[] = [];
  let count = 0;
  for (const [at, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (raw.trim() === '') continue;
    const indent = /^[ \t]*/.exec(raw)![0];
    const name = tidyName(raw);
    const level = levelOf(indent);
    const siblings = level === null ? undefined : level === 0 ? top : open[level - 1]?.folders;
    const message =
      level === null
        ? 'Indent with two spaces, or a tab, for each level.'
        : level >= LEVELS_MAX
          ? `Folders can be at most ${LEVELS_MAX} levels deep.`
          : !siblings
            ? level > 0 && open.length === 0
              ? 'The first folder cannot be indented.'
              : 'This is indented more than one level below the folder above it.'
            : (faultOfName(name) ??
              (siblings.some((one) => nameKey(one.name) === nameKey(name))
                ? `"${name}" is here twice in the same folder.`
                : null));
    if (message === null && count === FOLDERS_MAX) {
      faults.push({ line: at + 1, message: `A template can have at most ${FOLDERS_MAX} folders.` });
      break;
    }
    if (message !== null) faults.push({ line: at + 1, message });
    if (level === null || !siblings) continue;
    const folder: FolderTree = { name, folders: [] };
    // A faulty folder is still what the lines below it lie in, so that they are not called wrong as well.
    open.splice(level, open.length, folder);
    if (message !== null) continue;
    siblings.push(folder);
    count += 1;
  }
  return { folders: top, count, faults };
}

/** Whether a name says the placeholder. */
export const uses = (outline: string, key: keyof Values): boolean =>
  outline.toLowerCase().includes(`{${key}}`);

/** The folders with real names: repaired where a client's name cannot be that of a folder, and each once. */
export function expand(folders: readonly FolderTree[], values: Values): FolderTree[] {
  const found = new Map<string, FolderTree>();
  for (const folder of folders) {
    const name = repairName(fill(folder.name, values));
    const inside = expand(folder.folders, values);
    const same = found.get(nameKey(name));
    found.set(nameKey(name), { name, folders: same ? join(same.folders, inside) : inside });
  }
  return [...found.values()];
}

/** Two that have become the same name are one folder with what both hold. */
function join(a: readonly FolderTree[], b: readonly FolderTree[]): FolderTree[] {
  const found = new Map(a.map((one) => [nameKey(one.name), one]));
  for (const one of b) {
    const same = found.get(nameKey(one.name));
    found.set(nameKey(one.name), same ? { name: same.name, folders: join(same.folders, one.folders) } : one);
  }
  return [...found.values()];
}

/** The outline as it is kept: two spaces a level, no empty lines. */
export const tidyOutline = (folders: readonly FolderTree[], level = 0): string =>
  folders
    .map(({ name, folders: inside }) =>
      [`${'  '.repeat(level)}${name}`, tidyOutline(inside, level + 1)].filter(Boolean).join('\n'),
    )
    .join('\n');
