import sax from 'sax';

/** An element of cleaned HTML. */
export interface Element {
  tag: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

/** Elements nested deeper are flattened into their ancestor. */
const DEPTH_MAX = 60;

/** Parses the body of a page from `reading/clean.ts`. */
export function treeOf(html: string): Element {
  const root: Element = { tag: 'body', attributes: {}, children: [] };
  const open = [root];
  let deeper = 0;
  const top = () => open.at(-1)!;
  const parser = sax.parser(false, { lowercase: true, trim: false, normalize: false });
  Object.assign(parser, {
    onopentag({ name, attributes }: sax.Tag) {
      if (open.length > DEPTH_MAX) {
        deeper += 1;
        return;
      }
      const element: Element = { tag: name, attributes, children: [] };
      top().children.push(element);
      open.push(element);
    },
    onclosetag() {
      if (deeper > 0) deeper -= 1;
      else if (open.length > 1) open.pop();
    },
    ontext: (text: string) => void top().children.push(text),
    // Malformed HTML is shown as it is.
    onerror: () => void Object.assign(parser, { error: null }),
  });
  const end = html.lastIndexOf('</body>');
  parser.write(html.slice(Math.max(0, html.indexOf('<body')), end < 0 ? undefined : end)).close();
  return root;
}

/** The number of letters in a node; a picture counts as 12. */
export const lengthOf = (node: Element | string): number =>
  typeof node === 'string'
    ? node.trim().length
    : node.tag === 'img'
      ? 12
      : node.children.reduce((sum, child) => sum + lengthOf(child), 0);
