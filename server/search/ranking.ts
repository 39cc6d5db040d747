import { fold } from './contract.ts';
import { join, matches, stem, words } from './grams.ts';

/** What a ranking looks at. */
export interface Candidate {
  id: number;
  name: string;
  type: 'folder' | 'file';
  modified_at: string;
}

/** The candidates that match, best first: by how the name matches, then folders, then the newer. */
export function rank<C extends Candidate>(candidates: readonly C[], query: string): C[] {
  const score = scorer(query);
  return candidates
    .filter(({ name }) => matches(name, query))
    .map((candidate) => ({ candidate, score: score(candidate.name) }))
    .toSorted(
      (a, b) =>
        a.score - b.score ||
        Number(b.candidate.type === 'folder') - Number(a.candidate.type === 'folder') ||
        compare(b.candidate.modified_at, a.candidate.modified_at) ||
        b.candidate.id - a.candidate.id,
    )
    .map(({ candidate }) => candidate);
}

/** 0 the name itself, 1 its beginning, 2 every word begins a word of the name, 3 elsewhere. */
function scorer(query: string): (name: string) => number {
  const folded = fold(query).trim();
  const wanted = join(folded);
  const parts = words(folded);
  return (name) => {
    const text = fold(name);
    const forms = [text, join(text), stem(text), join(stem(text))];
    if (forms.some((form) => form === folded || form === wanted)) return 0;
    if (text.startsWith(folded) || join(text).startsWith(wanted)) return 1;
    return parts.every((part) => beginsWord(text, part)) ? 2 : 3;
  };
}

function beginsWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || !/[\p{L}\p{M}\p{N}]/u.test(text[at - 1]!)) return true;
  }
  return false;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
