import { bestOf, findEach, locate } from './find.ts';

const [ALL, CURRENT] = ['words-found', 'words-found-now'];

/** The CSS Custom Highlight API of the element's window, which may be a frame's. */
type Marks = Pick<typeof globalThis, 'Highlight' | 'CSS' | 'CSSStyleSheet'>;

const STYLE = `
::highlight(${ALL}) { background-color: rgb(255 200 0 / 0.4); }
::highlight(${CURRENT}) { background-color: rgb(255 120 0 / 0.6); }`;

function textsIn(root: Node): Text[] {
  const walker = root.ownerDocument!.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  return texts;
}

/**
 * Highlights words in an element, each separately, and scrolls to the match with the most other matches around it.
 * @returns a function that removes the highlights; null without matches.
 */
export function markWords(root: HTMLElement, words: readonly string[]): (() => void) | null {
  const page = root.ownerDocument;
  const { CSS: css, Highlight: HighlightClass, CSSStyleSheet: Sheet } = page.defaultView as unknown as Marks;
  const nodes = textsIn(root);
  const pieces = nodes.map(({ data }) => data);
  // Line breaks count as spaces, so that phrases match across them.
  const text = pieces.join('').replace(/\s/g, ' ');
  const matches = findEach([text], words);
  const best = bestOf([text], matches);
  if (!best) return null;
  const rangeOf = ({ start, end }: (typeof matches)[number]): Range => {
    const range = page.createRange();
    const [from, to] = [locate(pieces, start + 1)!, locate(pieces, end)!];
    range.setStart(nodes[from.piece]!, from.offset - 1);
    range.setEnd(nodes[to.piece]!, to.offset);
    return range;
  };
  const current = rangeOf(best);
  current.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
  const { top, height } = current.getBoundingClientRect();
  const scroller = scrollerOf(current.startContainer.parentElement, page);
  const middle = scroller === page.documentElement ? page.defaultView!.innerHeight / 2 : middleOf(scroller);
  scroller.scrollBy({ top: top + height / 2 - middle });
  // Browsers without the API scroll to the match, but highlight nothing.
  if (!css || !('highlights' in css)) return () => {};
  const style = new Sheet();
  style.replaceSync(STYLE);
  page.adoptedStyleSheets.push(style);
  css.highlights.set(ALL, new HighlightClass(...matches.map(rangeOf)));
  css.highlights.set(CURRENT, new HighlightClass(current));
  return () => {
    css.highlights.delete(ALL);
    css.highlights.delete(CURRENT);
    page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => sheet !== style);
  };
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}

/** The nearest vertically scrollable ancestor of an element. */
function scrollerOf(element: Element | null, page: Document): Element {
  for (let ancestor = element; ancestor && ancestor !== page.body; ancestor = ancestor.parentElement) {
    const { overflowY } = page.defaultView!.getComputedStyle(ancestor);
    if (/auto|scroll/.test(overflowY) && ancestor.scrollHeight > ancestor.clientHeight) return ancestor;
  }
  return page.documentElement;
}
