const hex = (head: Buffer, from: number, length: number) => head.toString('hex', from, from + length);
const MACH_O = new Set(['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe']);
/** The CLSID of a Windows installer, patch or transform (MSI, MSP, MST): the root entry of the OLE file has it. */
const INSTALLER_CLSID = /^8[246]100c0000000000c000000000000046$/;
/**
 * Offsets in an OLE compound file: the sector size, the first directory sector, and the CLSID within the root entry.
 */
const [SECTOR_SHIFT, FIRST_DIRECTORY_SECTOR, ROOT_CLSID] = [30, 48, 80];

/** Script types that Windows runs on opening, recognised by their text. */
const SCRIPTS: [RegExp, string][] = [
  [/<hta:application/i, 'an HTML application of Windows'],
  [/^\s*@echo off\b/i, 'a batch file of Windows'],
  [/\bWScript\.(?:Shell|CreateObject|Network|Quit)\b/i, 'a script of Windows'],
  [/\bCreateObject\s*\(\s*["'](?:WScript|Shell|MSXML2|ADODB|Scripting)\b/i, 'a script of Windows'],
];

/**
 * The byte range of the root CLSID of an OLE compound file; null for any other content.
 * @param head the first 4096 bytes of the file.
 */
export function rootClsidRange(head: Buffer): { start: number; end: number } | null {
  if (head.length < 512 || hex(head, 0, 8) !== 'd0cf11e0a1b11ae1') return null;
  const shift = head.readUInt16LE(SECTOR_SHIFT);
  if (shift !== 9 && shift !== 12) return null;
  const start = (head.readUInt32LE(FIRST_DIRECTORY_SECTOR) + 1) * 2 ** shift + ROOT_CLSID;
  return { start, end: start + 16 };
}

export const isInstaller = (name: Buffer): boolean => INSTALLER_CLSID.test(name.toString('hex'));

/**
 * Describes an executable in words such as `a program of Windows`, whatever the file is called; null for anything
 * else.
 * @param head the first 4096 bytes of the file.
 */
export function executableKind(head: Buffer): string | null {
  // A text may begin with `MZ`; a program has zero bytes in its header.
  if (head.toString('latin1', 0, 2) === 'MZ' && head.subarray(0, 64).includes(0))
    return 'a program of Windows';
  if (hex(head, 0, 4) === '7f454c46') return 'a program of Linux';
  if (MACH_O.has(hex(head, 0, 4))) return 'a program of macOS or Java';
  if (hex(head, 0, 8) === '4c00000001140200') return 'a shortcut of Windows';
  // Scripts are text, except what may follow their first line.
  if (/^(?:\u00ef\u00bb\u00bf)?#! ?\//.test(head.toString('latin1', 0, 8))) return 'a script';
  if (head.includes(0)) return null;
  const text = head.toString('utf8').replace(/^\uFEFF/, '');
  return SCRIPTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
