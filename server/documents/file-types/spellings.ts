/** Extensions that are another spelling of a type. */
const SPELLINGS: Readonly<Record<string, string>> = { tif: 'tiff' };

const JPEG: ReadonlySet<string> = new Set(['jpg', 'jpeg']);

/** The type that an extension counts as. */
const countedAs = (extension: string): string => SPELLINGS[extension] ?? extension;

/** Whether a content of one extension may have a name of the other: the same type, also where it is counted apart. */
export const isSameType = (one: string, other: string): boolean =>
  countedAs(one) === countedAs(other) || [one, other].every((extension) => JPEG.has(extension));

/** All extensions that count as the same type as this one. */
export function spellingsOf(extension: string): string[] {
  const type = countedAs(extension);
  return [type, ...Object.keys(SPELLINGS).filter((other) => SPELLINGS[other] === type)];
}

interface TypeTotal {
  file_type: string;
  files: number;
  bytes: number;
}

/** Joins the totals of extensions that count as one type; largest first. */
export function joinSpellings(totals: readonly TypeTotal[]): TypeTotal[] {
  const joined = new Map<string, TypeTotal>();
  for (const { file_type: extension, files, bytes } of totals) {
    const file_type = countedAs(extension);
    const before = joined.get(file_type) ?? { files: 0, bytes: 0 };
    joined.set(file_type, { file_type, files: before.files + files, bytes: before.bytes + bytes });
  }
  return [...joined.values()].toSorted(
    (a, b) => b.bytes - a.bytes || b.files - a.files || (a.file_type < b.file_type ? -1 : 1),
  );
}
