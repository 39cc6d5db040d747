import type { FolderTree } from '#server/documents/contract.ts';
import { checkName, nameKey, repairName, tidyName } from '#server/documents/contract.ts';

export const MAX_FOLDERS = 200;
export const MAX_LEVELS = 8;

/** The values of the placeholders in folder names. */
export interface Values {
  /** `2026-27`. */
  fy: string;
  /** The client's name. */
  client: string;
}

/** An error in one line of an outline; lines count from 1. */
export interface OutlineError {
  line: number;
  message: string;
}

export interface Outline {
  folders: FolderTree[];
  /** The total number of folders. */
  count: number;
  errors: OutlineError[];
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const KNOWN: ReadonlySet<string> = new Set(['fy', 'client'] satisfies (keyof Values)[]);
/** Placeholder values for checking a name. */
const SAMPLE_VALUES: Values = { fy: '2026-27', client: 'Client' };

const fill = (name: string, values: Values): string =>
  name.replace(
    PLACEHOLDER,
    (placeholder, key: string) => values[key.toLowerCase() as keyof Values] ?? placeholder,
  );

/** The indentation level, two spaces or one tab each; null for half a level. */
function levelOf(indent: string): number | null {
  const spaces = indent.replaceAll('\t', '').length;
  return spaces % 2 === 0 ? indent.length - spaces + spaces / 2 : null;
}

function nameError(name: string): string | null {
  for (const [placeholder, key = ''] of name.matchAll(PLACEHOLDER))
    if (!KNOWN.has(key.toLowerCase())) return `${placeholder} is not known. Use {fy} or {client}.`;
  return checkName(tidyName(fill(name, SAMPLE_VALUES)));
}

/** The folders in one folder. Their names are looked up: an outline may repeat one in thousands of lines. */
class Siblings {
  readonly folders: FolderTree[] = [];
  private readonly keys = new Set<string>();

  has(name: string): boolean {
    return this.keys.has(nameKey(name));
  }

  add(folder: FolderTree): void {
    this.keys.add(nameKey(folder.name));
    this.folders.push(folder);
  }
}

/** Parses an outline: one folder per line, nested by indentation. A faulty line is reported and left out of the tree. */
export function parseOutline(text: string): Outline {
  const top = new Siblings();
  /** What the last parsed folder of each level holds. */
  const lastAtLevel: Siblings[] = [];
  const errors: OutlineError[] = [];
  let count = 0;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (raw.trim() === '') continue;
    const indent = /^[ \t]*/.exec(raw)![0];
    const name = tidyName(raw);
    const level = levelOf(indent);
    const siblings = level === null ? undefined : level === 0 ? top : lastAtLevel[level - 1];
    const message =
      level === null
        ? 'Indent with two spaces, or a tab, for each level.'
        : level >= MAX_LEVELS
          ? `Folders can be at most ${MAX_LEVELS} levels deep.`
          : !siblings
            ? level > 0 && lastAtLevel.length === 0
              ? 'The first folder cannot be indented.'
              : 'This is indented more than one level below the folder above it.'
            : (nameError(name) ??
              (siblings.has(name) ? `"${name}" is here twice in the same folder.` : null));
    if (message === null && count === MAX_FOLDERS) {
      errors.push({ line: index + 1, message: `A template can have at most ${MAX_FOLDERS} folders.` });
      break;
    }
    if (message !== null) errors.push({ line: index + 1, message });
    if (level === null || !siblings) continue;
    const inside = new Siblings();
    // A faulty folder still contains the lines below it, so that they are not reported as well.
    lastAtLevel.splice(level, lastAtLevel.length, inside);
    if (message !== null) continue;
    siblings.add({ name, folders: inside.folders });
    count += 1;
  }
  return { folders: top.folders, count, errors };
}

/** Whether the outline contains the placeholder. */
export const usesPlaceholder = (outline: string, key: keyof Values): boolean =>
  outline.toLowerCase().includes(`{${key}}`);

/** Fills the placeholders. Repairs names that a folder cannot have, and merges folders that get the same name. */
export function expand(folders: readonly FolderTree[], values: Values): FolderTree[] {
  const merged = new Map<string, FolderTree>();
  for (const folder of folders) {
    const name = repairName(fill(folder.name, values));
    const children = expand(folder.folders, values);
    const existing = merged.get(nameKey(name));
    merged.set(nameKey(name), {
      name,
      folders: existing ? mergeTrees(existing.folders, children) : children,
    });
  }
  return [...merged.values()];
}

/** Merges two trees: folders of the same name become one folder with the contents of both. */
function mergeTrees(a: readonly FolderTree[], b: readonly FolderTree[]): FolderTree[] {
  const merged = new Map(a.map((folder) => [nameKey(folder.name), folder]));
  for (const folder of b) {
    const existing = merged.get(nameKey(folder.name));
    merged.set(
      nameKey(folder.name),
      existing ? { name: existing.name, folders: mergeTrees(existing.folders, folder.folders) } : folder,
    );
  }
  return [...merged.values()];
}

/** The stored form of an outline: two spaces per level, no empty lines. */
export const formatOutline = (folders: readonly FolderTree[], level = 0): string =>
  folders
    .map(({ name, folders: children }) =>
      [`${'  '.repeat(level)}${name}`, formatOutline(children, level + 1)].filter(Boolean).join('\n'),
    )
    .join('\n');
