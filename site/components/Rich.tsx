import { pieces } from '../messages/pieces.ts';

export interface RichProps {
  /** Parts stand in tags: `<b>` is strong, `<code>` what a program writes, each other is the link of that name. A language may put them where it likes. */
  text: string;
  /** Addresses by tag; what has none is plain text. */
  links?: Record<string, string | null>;
  /** Opens links in a tab of their own. */
  blank?: boolean;
}

/** A text of ours with links or emphasis in it, which stays one text. */
export function Rich({ text, links = {}, blank = false }: RichProps) {
  const tab = blank ? { target: '_blank', rel: 'noopener' } : {};
  return pieces(text).map(({ tag, words }) => {
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
