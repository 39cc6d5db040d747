import type { Parts } from './office-package.ts';

/** Built-in date and time formats, which workbooks need not define. */
const isBuiltInDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/**
 * Whether a number format shows a date or time. Quoted, escaped and bracketed parts, such as a currency, are ignored.
 */
function isDateFormat(code: string): boolean {
  const bare = code
    .replace(/\[(?:h+|m+|s+)\]/gi, 'h')
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|general|\.0+/gi, '');
  return /[dmyhs]/i.test(bare) && !/[#0?]/.test(bare);
}

/** For each cell style, whether numbers are shown as dates. @throws {SheetsUnreadable} */
export async function readDateStyles(parts: Parts, path: string | undefined): Promise<boolean[]> {
  const styles: boolean[] = [];
  if (path === undefined || !parts.has(path)) return styles;
  const ownFormats = new Map<number, boolean>();
  let inCells = false;
  await parts.read(path, {
    open(name, { numFmtId, formatCode = '' }) {
      const id = Number(numFmtId ?? 0);
      if (name === 'numFmt') ownFormats.set(id, isDateFormat(formatCode));
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) styles.push(ownFormats.get(id) ?? isBuiltInDateFormat(id));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
    enough: () => styles.length > 100_000,
  });
  return styles;
}
