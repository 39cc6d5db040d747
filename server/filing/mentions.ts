import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { KnownFields } from '#server/fields/contract.ts';
import { tenDigits } from '#server/text/phone.ts';
import { fold } from '#server/text/fold.ts';
import { nameWords } from './party-names.ts';

const PIN = /^[1-9]\d{5}$/;
const MOBILE = /(?<!\d)(?:\+?91[\s-]?|0)?[6-9]\d{4}[\s-]?\d{5}(?!\d)/g;
/** How many words of an address must occur in a document, and what share of them. */
const [ADDRESS_WORDS, ADDRESS_SHARE] = [5, 0.8];

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);

/** Finds clients by their names in running text; of overlapping names the longest counts. */
export function mentionIndex(clients: readonly IdentifiedClient[]) {
  const byFirst = new Map<string, { words: string[]; client: IdentifiedClient }[]>();
  for (const client of clients) {
    const words = wordsOf(nameWords(client.name));
    // A name of one word, such as Prakash, occurs in other names.
    if (words.length < 2) continue;
    byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), { words, client }]);
  }
  for (const group of byFirst.values()) group.sort((a, b) => b.words.length - a.words.length);

  return function clientsNamed(head: string): IdentifiedClient[] {
    const words = wordsOf(nameWords(head));
    const mentioned = new Set<IdentifiedClient>();
    for (let index = 0; index < words.length; index += 1) {
      const matches = (byFirst.get(words[index]!) ?? []).filter((name) =>
        name.words.every((word, nth) => words[index + nth] === word),
      );
      const longest = matches[0]?.words.length ?? 0;
      for (const match of matches) if (match.words.length === longest) mentioned.add(match.client);
    }
    return [...mentioned];
  };
}

/**
 * What else of a client occurs in a document beside the name: date of birth, e-mail address, phone or address; null
 * for nothing.
 */
export function otherEvidence(
  { fields, head }: Pick<KnownFields, 'fields' | 'head'>,
  client: IdentifiedClient,
): string | null {
  const birth = fields.find(
    ({ key, value, sure }) =>
      (key === 'date_of_birth' || key === 'date_of_incorporation') && sure && value === client.born_on,
  );
  if (birth) return birth.value.split('-').toReversed().join('-');
  const folded = fold(head);
  const email = client.email && fold(client.email);
  if (email && folded.split(/[\s,;:<>()|]+/).some((word) => word.replace(/\.$/, '') === email))
    return client.email;
  const phone = client.phone && tenDigits(client.phone);
  if (phone && (head.match(MOBILE) ?? []).some((number) => tenDigits(number) === phone)) return client.phone;
  const address = [...new Set(wordsOf(nameWords(client.address ?? '')))];
  const inText = new Set(wordsOf(nameWords(head)));
  const shared = address.filter((word) => inText.has(word));
  // The PIN and a house number: a town and a street would match every neighbour.
  const hasPinAndNumber =
    shared.some((word) => PIN.test(word)) && shared.some((word) => /\d/.test(word) && !PIN.test(word));
  return hasPinAndNumber && shared.length >= ADDRESS_WORDS && shared.length >= address.length * ADDRESS_SHARE
    ? client.address
    : null;
}
