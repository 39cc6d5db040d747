import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { AccountHolder, KnownFields } from '#server/fields/contract.ts';
import { distinctive } from '#server/text/distinctive.ts';
import type { ClientMatch, Suggestion } from './contract.ts';
import { otherEvidence, mentionIndex } from './mentions.ts';
import type { IdentifyingNumber } from './numbers.ts';
import { PATTERNS, certainOfType, isOfIssuer, numbersIn, panWithin } from './numbers.ts';
import { isRegisteredName, nameWords } from './party-names.ts';

type Known = Pick<KnownFields, 'type' | 'fields' | 'head'>;
type Evidence = Pick<ClientMatch, 'by' | 'value'>;

/** Name fields that do not identify the client: of banks, fathers, and signing accountants. */
const NOT_A_PARTY = new Set(['bank_name', 'father_name', 'form_name']);

/** The names of parties that a document may belong to, with the prefix of the keys of the party's other fields. */
const partiesIn = ({ type, fields }: Omit<Known, 'head'>) =>
  fields
    .filter(
      ({ key, kind }) =>
        kind === 'text' &&
        (key === 'pay_to' || /(?:^|_)name$/.test(key)) &&
        !NOT_A_PARTY.has(key) &&
        (key !== 'firm_name' || type === 'deed'),
    )
    .map(({ key, value, sure }) => ({
      value,
      sure,
      prefix: /^(?:employee|employer|deductee|deductor|buyer|supplier)_/.exec(key)?.[0] ?? '',
    }));

const panOf = ({ pan, gstin }: IdentifiedClient): string | undefined =>
  pan?.toUpperCase() ?? panWithin(gstin);

/**
 * Whether a document gives a party an identifier other than that of the client of the same name. Only fields of the
 * document type count; a number elsewhere may be anybody's.
 */
function contradicts(known: Known, prefix: string, client: IdentifiedClient): boolean {
  const certain = certainOfType(known);
  const differs = (
    pattern: RegExp,
    keys: readonly string[],
    expected: string | null | undefined,
  ): boolean => {
    const numbers = certain.flatMap(({ key, value }) => {
      const match = keys.includes(key) ? pattern.exec(value) : null;
      return match ? [match[1] ?? match[0]] : [];
    });
    return Boolean(expected) && numbers.length > 0 && !numbers.includes(expected!.toUpperCase());
  };
  const pan = panOf(client);
  return (
    differs(PATTERNS.pan, [`${prefix}pan`], pan) ||
    differs(PATTERNS.gstin, [`${prefix}gstin`], pan) ||
    differs(PATTERNS.tan, [`${prefix}tan`], client.tan) ||
    (prefix === '' && differs(/^.+$/, ['cin', 'llpin'], client.cin))
  );
}

/** Whether names in the text may identify the client: where no field names a party, or for a deed between several. */
const mayMention = ({ type, fields }: Known, parties: number): boolean =>
  (parties === 0 || type === 'deed') &&
  !fields.some(({ key, sure }) => sure && (key === 'pan' || key === 'gstin'));

/** Finds the firm's clients by the identifiers and names in documents. */
export function clientIndex(clients: readonly IdentifiedClient[]) {
  const byIdentifier = new Map<string, Set<IdentifiedClient>>();
  const byName = new Map<string, IdentifiedClient[]>();
  const addIdentifier = (identifier: string | null | undefined, client: IdentifiedClient) => {
    if (!identifier) return;
    const key = identifier.toUpperCase();
    byIdentifier.set(key, (byIdentifier.get(key) ?? new Set()).add(client));
  };
  for (const client of clients) {
    addIdentifier(client.pan, client);
    addIdentifier(client.gstin, client);
    addIdentifier(panWithin(client.gstin), client);
    addIdentifier(client.tan, client);
    addIdentifier(client.cin, client);
    const name = nameWords(client.name);
    byName.set(name, [...(byName.get(name) ?? []), client]);
  }

  /** A name as written, or without the town behind it if only that is a client's. */
  function nameOfClient(written: string): string {
    const [name = ''] = written.split(',');
    const isName = name.trim().includes(' ') && byName.has(nameWords(name));
    return isName && !byName.has(nameWords(written)) ? name : written;
  }

  const clientsNamed = mentionIndex(clients);
  const byId = new Map(clients.map((client) => [client.id, client]));

  /** The PANs within those GSTINs that clients have. */
  const exactIn = (numbers: readonly IdentifyingNumber[]): ReadonlySet<string> =>
    new Set(
      numbers.flatMap(({ by, value }) =>
        by === 'gstin' && byIdentifier.has(value) ? panWithin(value)! : [],
      ),
    );

  /**
   * The clients with one of these numbers, or with the PAN within a GSTIN. Registrations of one company may be several
   * clients: of those, only the ones with the GSTIN of the document count.
   * @param exact see `exactIn`.
   */
  const clientsWith = (numbers: readonly IdentifyingNumber[], exact: ReadonlySet<string>) =>
    numbers.flatMap(({ by, value }) => {
      const pan = panWithin(value) ?? value;
      const found = exact.has(pan)
        ? by === 'gstin' && byIdentifier.get(value)
        : (byIdentifier.get(value) ?? byIdentifier.get(pan));
      return [...(found || [])].map((client) => ({ client, by, value }));
    });

  /**
   * The clients that a document may belong to, each once: by identifier or registered name, else by account, else by
   * name, by having issued it, or by being mentioned in it.
   * @param holder the client by other statements of the account; left out if that client is not in the index.
   */
  return function clientsIn(known: Known, holder?: AccountHolder): ClientMatch[] {
    const matches = new Map<number, ClientMatch>();
    const doubtful = new Map<number, ClientMatch>();
    const add = (to: Map<number, ClientMatch>, client: IdentifiedClient, evidence: Evidence) => {
      const { id, name } = client;
      if (to.has(id)) return;
      const namesakes = byName.get(nameWords(name))!;
      const others = (['pan', 'gstin', 'phone', 'email'] as const).filter(
        (key) => client[key] !== evidence.value,
      );
      const apart = namesakes.length > 1 && distinctive(client, namesakes, others);
      to.set(id, { id, name, ...evidence, ...(apart && { distinct_by: client[apart]! }) });
    };
    const { own, issuer, others, isOwned } = numbersIn(known);
    const exact = exactIn([...own, ...issuer, ...others]);
    for (const { client, by, value } of clientsWith(own, exactIn(own))) add(matches, client, { by, value });
    const isOfClient = matches.size > 0;
    for (const { client, by, value } of clientsWith(issuer, exact))
      if (isOfClient) add(matches, client, { by, value });
      else add(doubtful, client, { by: 'issuer', value });
    for (const { client, by, value } of clientsWith(others, exact))
      if (isOfClient || !(isOwned || contradicts(known, '', client))) add(matches, client, { by, value });
      else add(doubtful, client, { by: 'mentioned', value });
    const parties = partiesIn(known);
    const nameMatches = parties.flatMap(({ prefix, value: written, sure }) => {
      const value = nameOfClient(written);
      return (byName.get(nameWords(value)) ?? [])
        .filter((client) => !contradicts(known, prefix, client) && !exact.has(panOf(client) ?? ''))
        .map((client) => ({ client, value, sure, isIssuer: isOfIssuer(prefix) && !isOfClient }));
    });
    if (nameMatches.length === 0 && mayMention(known, parties.length))
      for (const client of clientsNamed(known.head))
        if (!contradicts(known, '', client))
          nameMatches.push({ client, value: client.name, sure: false, isIssuer: false });
    for (const { client, value, sure, isIssuer } of nameMatches) {
      const words = nameWords(value);
      const found: Evidence[] = [];
      if (sure && isRegisteredName(words) && byName.get(words)!.length === 1)
        found.push({ by: 'registered_name', value });
      const evidence = otherEvidence(known, client);
      if (evidence !== null) found.push({ by: 'name_and_more', value: `${value}, ${evidence}` });
      for (const one of found)
        if (isIssuer) add(doubtful, client, { ...one, by: 'issuer' });
        else add(matches, client, one);
    }
    const accountHolder = holder && byId.get(holder.client);
    if (accountHolder) add(matches, accountHolder, { by: 'account', value: `…${holder.number.slice(-4)}` });
    const certainMatches = [...matches.values()];
    if (certainMatches.some(({ by }) => by !== 'account')) return certainMatches;
    // Among clients of the same name the account decides; a name that matches only other clients contradicts the
    // account.
    if (
      certainMatches.length > 0 &&
      (nameMatches.length === 0 || nameMatches.some(({ client }) => matches.has(client.id)))
    )
      return certainMatches;
    for (const { client, value } of nameMatches)
      if (!doubtful.has(client.id)) add(matches, client, { by: 'name', value });
    return [...matches.values(), ...doubtful.values()];
  };
}

/** The key prefixes of parties by how likely the document is theirs; without a prefix are numbers that may be anybody's. */
const PARTIES = ['employee_', 'deductee_', 'buyer_', 'supplier_', 'employer_', 'deductor_', ''];
const NAMES = ['name', 'legal_name', 'holder_name'];

/** The certain name and identifiers of one party, as a new client; null where the document has none. */
export function newClientOf({ fields }: Pick<KnownFields, 'fields'>): Suggestion['new_client'] {
  const certainValue = (key: string, pattern: RegExp) =>
    fields.find((field) => field.key === key && field.sure && pattern.test(field.value))?.value ?? '';
  const parties = PARTIES.map((prefix) => {
    const gstin = certainValue(`${prefix}gstin`, PATTERNS.gstin);
    const pan = certainValue(`${prefix}pan`, PATTERNS.pan) || (panWithin(gstin) ?? '');
    const name = NAMES.map((key) => certainValue(prefix + key, /\S/)).find(Boolean) ?? '';
    return { name, pan, gstin };
  });
  return parties.find(({ pan }) => pan !== '') ?? parties.find(({ name }) => name !== '') ?? null;
}
