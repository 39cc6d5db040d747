import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { AccountHolder, KnownFields } from '#server/fields/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import type { DocumentType } from '#server/recognition/contract.ts';
import type { ClientMatch, Suggestion } from './contract.ts';
import { otherEvidence, mentionIndex } from './mentions.ts';
import { isRegisteredName, nameWords } from './party-names.ts';

const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;
const GSTIN = /^\d{2}([A-Z]{5}\d{4}[A-Z])[A-Z\d]{3}$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;

type Known = Pick<KnownFields, 'type' | 'fields' | 'head'>;

/** Name fields that do not identify the client: of banks, fathers, and signing accountants. */
const NOT_A_PARTY = new Set(['bank_name', 'father_name', 'form_name']);

/** The names of parties that a document may belong to, with the key prefix of the party's other fields. */
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
      of: /^(?:employee|employer|deductee|deductor|buyer|supplier)_/.exec(key)?.[0] ?? '',
    }));

/**
 * Whether a document gives a party an identifier other than that of the client of the same name. Only fields of the
 * document type count; a number elsewhere may be anybody's.
 */
function contradicts({ type, fields }: Known, of: string, client: IdentifiedClient): boolean {
  const own: readonly string[] = DOCUMENT_TYPES[type as DocumentType]?.fields ?? [];
  const pan = client.pan ?? GSTIN.exec(client.gstin?.toUpperCase() ?? '')?.[1];
  const certain = fields.filter(({ key, sure }) => sure && own.includes(key));
  const differs = (
    pattern: RegExp,
    keys: readonly string[],
    expected: string | null | undefined,
  ): boolean => {
    const numbers = certain.flatMap(({ key, value }) => {
      const found = keys.includes(key) ? pattern.exec(value) : null;
      return found ? [found[1] ?? found[0]] : [];
    });
    return Boolean(expected) && numbers.length > 0 && !numbers.includes(expected!.toUpperCase());
  };
  return (
    differs(PAN, [`${of}pan`], pan) ||
    differs(GSTIN, [`${of}gstin`], pan) ||
    differs(TAN, [`${of}tan`], client.tan) ||
    (of === '' && differs(/^.+$/, ['cin', 'llpin'], client.cin))
  );
}

/** Whether names in the text may identify the client: where no field names a party, or for a deed between several. */
const mayMention = ({ type, fields }: Known, parties: number): boolean =>
  (parties === 0 || type === 'deed') &&
  !fields.some(({ key, sure }) => sure && (key === 'pan' || key === 'gstin'));

/** A CIN, or the LLPIN of a partnership. */
const CIN = /^(?:[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-\d{4})$/;

/** The kind of identifier; null for others. */
const evidenceOf = (value: string): ClientMatch['by'] | null =>
  PAN.test(value)
    ? 'pan'
    : GSTIN.test(value)
      ? 'gstin'
      : TAN.test(value)
        ? 'tan'
        : CIN.test(value)
          ? 'cin'
          : null;

/** Finds the firm's clients by the identifiers and names in documents. */
export function clientIndex(clients: readonly IdentifiedClient[]) {
  const byId = new Map<string, Set<IdentifiedClient>>();
  const byName = new Map<string, IdentifiedClient[]>();
  const index = (key: string | null | undefined, client: IdentifiedClient) => {
    if (!key) return;
    const plain = key.toUpperCase();
    byId.set(plain, (byId.get(plain) ?? new Set()).add(client));
  };
  for (const client of clients) {
    index(client.pan, client);
    index(client.gstin, client);
    // A GSTIN contains the PAN.
    index(GSTIN.exec(client.gstin?.toUpperCase() ?? '')?.[1], client);
    index(client.tan, client);
    index(client.cin, client);
    const name = nameWords(client.name);
    byName.set(name, [...(byName.get(name) ?? []), client]);
  }

  const clientsNamed = mentionIndex(clients);
  const byKey = new Map(clients.map((client) => [client.id, client]));

  /**
   * The clients that a document may belong to, each once: by identifier or registered name, else by account, else by
   * name.
   * @param holder the client by other statements of the account; left out if that client is not in the index.
   */
  return function clientsIn(known: Known, holder?: AccountHolder): ClientMatch[] {
    const { fields } = known;
    const found = new Map<number, ClientMatch>();
    const add = ({ id, name }: IdentifiedClient, by: ClientMatch['by'], value: string) => {
      if (!found.has(id)) found.set(id, { id, name, by, value });
    };
    for (const { kind, value, sure } of fields) {
      if (kind !== 'identifier' || !sure) continue;
      const by = evidenceOf(value);
      if (by === null) continue;
      for (const client of byId.get(value) ?? []) add(client, by, value);
      const within = GSTIN.exec(value)?.[1];
      for (const client of within ? (byId.get(within) ?? []) : []) add(client, 'gstin', value);
    }
    const parties = partiesIn(known);
    const named = parties.flatMap(({ of, value, sure }) =>
      (byName.get(nameWords(value)) ?? [])
        .filter((client) => !contradicts(known, of, client))
        .map((client) => ({ client, value, sure })),
    );
    if (named.length === 0 && mayMention(known, parties.length))
      for (const client of clientsNamed(known.head))
        if (!contradicts(known, '', client)) named.push({ client, value: client.name, sure: false });
    for (const { client, value, sure } of named) {
      const words = nameWords(value);
      if (sure && isRegisteredName(words) && byName.get(words)!.length === 1)
        add(client, 'registered_name', value);
      const more = otherEvidence(known, client);
      if (more !== null) add(client, 'name_and_more', `${value}, ${more}`);
    }
    const account = holder && byKey.get(holder.client);
    if (account) add(account, 'account', `…${holder.number.slice(-4)}`);
    const certainMatches = [...found.values()];
    if (certainMatches.some(({ by }) => by !== 'account')) return certainMatches;
    // Among clients of the same name the account decides; a name that matches only other clients contradicts the
    // account.
    if (certainMatches.length > 0 && (named.length === 0 || named.some(({ client }) => found.has(client.id))))
      return certainMatches;
    for (const { client, value } of named) add(client, 'name', value);
    return [...found.values()];
  };
}

/** Parties by how likely the document is theirs. */
const PARTIES = ['employee', 'deductee', 'buyer', 'supplier', 'employer', 'deductor'];

/** The name and identifiers of a new client; null where the document has no identifier. */
export function newClientOf({ fields }: Pick<KnownFields, 'fields'>): Suggestion['new_client'] {
  const of = (key: string, kind: RegExp) =>
    fields.find((one) => one.key === key && one.sure && kind.test(one.value))?.value;
  const ANY = /\S/;
  const pan = of('pan', PAN) ?? PARTIES.map((party) => of(`${party}_pan`, PAN)).find(Boolean);
  const gstin = of('gstin', GSTIN) ?? PARTIES.map((party) => of(`${party}_gstin`, GSTIN)).find(Boolean);
  const name =
    of('name', ANY) ??
    of('legal_name', ANY) ??
    of('holder_name', ANY) ??
    PARTIES.map((party) => of(`${party}_name`, ANY)).find(Boolean);
  if (!pan && !gstin) return null;
  return { name: name ?? '', pan: pan ?? GSTIN.exec(gstin ?? '')?.[1] ?? '', gstin: gstin ?? '' };
}
