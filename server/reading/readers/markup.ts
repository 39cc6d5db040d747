import sax from 'sax';
import { clean } from '#server/previews/convert/clean.ts';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
const entity = (_: string, name: string): string => ENTITIES[name] ?? ' ';
const BLOCK =
  /<\/?(?:p|div|br|hr|h[1-6]|li|ul|ol|dl|dt|dd|tr|table|blockquote|pre|section|article|header|footer|main|figure|figcaption|caption|address|center)\b[^>]*>/g;

/** The text of an HTML page. */
export const htmlText = (source: string): string =>
  clean(source)
    .html.replace(/\s+/g, ' ')
    .replace(BLOCK, '\n')
    .replace(/<\/?(?:td|th)\b[^>]*>/g, '\t')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, entity)
    .replace(/[ \t]*\n\s*/g, '\n');

/** The texts and attribute values of XML, a line per element. Input that is not XML is returned as it is. */
export function xmlText(source: string): string {
  const parser = sax.parser(true, { position: false });
  const lines: string[] = [];
  let line = '';
  let isValid = true;
  const end = () => {
    if (line.trim() !== '') lines.push(line.trim());
    line = '';
  };
  Object.assign(parser, {
    onopentag: ({ attributes }: { attributes: Record<string, string> }) => {
      end();
      line = Object.entries(attributes)
        .filter(([key]) => !key.startsWith('xmlns'))
        .map(([, value]) => value)
        .join(' ');
    },
    onclosetag: end,
    ontext: (text: string) => (line += ` ${text}`),
    oncdata: (text: string) => (line += ` ${text}`),
    onerror: (error: Error) => {
      isValid &&= error.message.startsWith('Invalid character');
      Object.assign(parser, { error: null });
    },
  });
  for (let start = 0; start < source.length && isValid; start += 65_536)
    parser.write(source.slice(start, start + 65_536));
  end();
  return isValid && lines.length > 0 ? lines.join('\n') : source;
}

/** JSON with a line per value, as a preview shows it. Input that is not JSON is returned as it is. */
export function jsonText(source: string): string {
  try {
    return JSON.stringify(JSON.parse(source), null, 1);
  } catch {
    return source;
  }
}
