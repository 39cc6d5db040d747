const hex = (head: Buffer, from: number, length: number) => head.toString('hex', from, from + length);
const MACH_O = new Set(['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe']);
/** An installer, a patch and a transform of Windows, as the file that holds many calls itself. */
const INSTALLER = /^8[246]100c0000000000c000000000000046$/;
/** Of a file that holds many (OLE): how large its sectors are, where the one is that names it, and where in that. */
const [SECTOR_SHIFT, FIRST_SECTOR, OWN_NAME] = [30, 48, 80];

/** Texts that Windows runs when they are opened under their own names. */
const SCRIPTS: [RegExp, string][] = [
  [/<hta:application/i, 'an HTML application of Windows'],
  [/^\s*@echo off\b/i, 'a batch file of Windows'],
  [/\bWScript\.(?:Shell|CreateObject|Network|Quit)\b/i, 'a script of Windows'],
  [/\bCreateObject\s*\(\s*["'](?:WScript|Shell|MSXML2|ADODB|Scripting)\b/i, 'a script of Windows'],
];

/**
 * Where the name of the file stands that holds many; null for any other content.
 * @param head the first `HEAD_BYTES` bytes of a store.
 */
export function namePlaceOf(head: Buffer): { start: number; end: number } | null {
  if (head.length < 512 || hex(head, 0, 8) !== 'd0cf11e0a1b11ae1') return null;
  const shift = head.readUInt16LE(SECTOR_SHIFT);
  if (shift !== 9 && shift !== 12) return null;
  const start = (head.readUInt32LE(FIRST_SECTOR) + 1) * 2 ** shift + OWN_NAME;
  return { start, end: start + 16 };
}

export const isInstaller = (name: Buffer): boolean => INSTALLER.test(name.toString('hex'));

/**
 * What runs when it is opened, whatever the file is called, in words such as `a program of Windows`; null for what is no
 * program that is known.
 * @param head the first `HEAD_BYTES` bytes of a store.
 */
export function programIn(head: Buffer): string | null {
  // A text may begin with these two letters; a program has zeros before long.
  if (head.toString('latin1', 0, 2) === 'MZ' && head.subarray(0, 64).includes(0))
    return 'a program of Windows';
  if (hex(head, 0, 4) === '7f454c46') return 'a program of Linux';
  if (MACH_O.has(hex(head, 0, 4))) return 'a program of macOS or Java';
  if (hex(head, 0, 8) === '4c00000001140200') return 'a shortcut of Windows';
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  if (/^#! ?\//.test(text)) return 'a script';
  if (head.includes(0)) return null;
  return SCRIPTS.find(([says]) => says.test(text))?.[1] ?? null;
}
