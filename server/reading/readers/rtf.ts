/** Groups without text of the document. */
const SILENT = new Set(
  'fonttbl colortbl stylesheet info pict object listtable listoverridetable rsidtbl generator themedata datastore xmlnstbl latentstyles'.split(
    ' ',
  ),
);
const BREAKS: Record<string, string> = { par: '\n', line: '\n', sect: '\n', page: '\n', row: '\n' };
const SIGNS: Record<string, string> = {
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
};
const TOKEN = /\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)/g;

function decoderOf(codepage: number) {
  try {
    return new TextDecoder(codepage === 65001 ? 'utf-8' : `windows-${codepage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

interface Group {
  silent: boolean;
  /** The number of fallback characters after a `\u` character, which are skipped. */
  fallbackLength: number;
}

/** The plain text of an RTF document. */
export function rtfText(source: string): string {
  const decoder = decoderOf(Number(/\\ansicpg(\d{1,5})/.exec(source.slice(0, 2000))?.[1] ?? 1252));
  const outer: Group[] = [];
  let group: Group = { silent: false, fallbackLength: 1 };
  let out = '';
  let toSkip = 0;
  const put = (text: string) => {
    if (!group.silent) out += text;
  };
  /** Appends bytes of text without the fallback characters of `\u`. */
  const putBytes = (text: string) => {
    const rest = text.slice(Math.min(toSkip, text.length));
    toSkip -= text.length - rest.length;
    if (rest !== '') put(decoder.decode(Buffer.from(rest, 'latin1')));
  };
  for (const [, word, number, hex, sign, brace, text] of source.matchAll(TOKEN)) {
    if (brace === '{') outer.push({ ...group });
    else if (brace === '}') {
      group = outer.pop() ?? group;
      toSkip = 0;
    } else if (text !== undefined) putBytes(text);
    else if (hex !== undefined) putBytes(String.fromCharCode(parseInt(hex, 16)));
    else if (sign !== undefined) {
      if (sign === '*') group.silent = true;
      else if (/[\\{}]/.test(sign)) put(sign);
      else if (sign === '~') put(' ');
    } else if (word === 'u') {
      put(String.fromCharCode(Number(number ?? 0) & 0xffff));
      toSkip = group.fallbackLength;
    } else if (word === 'uc') group.fallbackLength = Math.min(8, Math.max(0, Number(number ?? 1)));
    else if (word && SILENT.has(word)) group.silent = true;
    else if (word) put(BREAKS[word] ?? SIGNS[word] ?? '');
  }
  return out;
}
