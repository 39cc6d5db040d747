import { pieces } from '../messages/pieces.ts';

export interface RichProps {
  /** May contain tags: `<b>` is strong, `<code>` is code, every other tag is the link of that name in `links`. Tags do not nest. */
  text: string;
  /** URLs by tag; a tag without a URL is plain text. */
  links?: Record<string, string | null>;
  /** Whether links open in a new tab. */
  blank?: boolean;
}

/** A message with links or emphasis. The message stays one text, so that a translation can reorder its parts. */
export function Rich({ text, links = {}, blank = false }: RichProps) {
  const tab = blank ? { target: '_blank', rel: 'noopener' } : {};
  return pieces(text).map(({ tag, text: words }) => {
    const key = `${tag} ${words}`;
    if (tag === 'b')
      return (
        <strong key={key} className="font-semibold text-text">
          {words}
        </strong>
      );
    if (tag === 'code') return <code key={key}>{words}</code>;
    const href = tag && links[tag];
    if (!href) return words;
    return (
      <a key={key} href={href} {...tab} className="link">
        {words}
      </a>
    );
  });
}
