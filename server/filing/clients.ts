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

/**
 * Whether a document gives a party an identifier other than that of the client of the same name. Only fields of the
 * document type count; a number elsewhere may be anybody's.
 */
function contradicts({ type, fields }: Known, prefix: string, client: IdentifiedClient): boolean {
  const fieldsOfType: readonly string[] = DOCUMENT_TYPES[type as DocumentType]?.fields ?? [];
  const pan = client.pan ?? GSTIN.exec(client.gstin?.toUpperCase() ?? '')?.[1];
  const certain = fields.filter(({ key, sure }) => sure && fieldsOfType.includes(key));
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
  return (
    differs(PAN, [`${prefix}pan`], pan) ||
    differs(GSTIN, [`${prefix}gstin`], pan) ||
    differs(TAN, [`${prefix}tan`], client.tan) ||
    (prefix === '' && differs(/^.+$/, ['cin', 'llpin'], client.cin))
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
    // A GSTIN contains the PAN.
    addIdentifier(GSTIN.exec(client.gstin?.toUpperCase() ?? '')?.[1], client);
    addIdentifier(client.tan, client);
    addIdentifier(client.cin, client);
    const name = nameWords(client.name);
    byName.set(name, [...(byName.get(name) ?? []), client]);
  }

  const clientsNamed = mentionIndex(clients);
  const byId = new Map(clients.map((client) => [client.id, client]));

  /**
   * The clients that a document may belong to, each once: by identifier or registered name, else by account, else by
   * name.
   * @param holder the client by other statements of the account; left out if that client is not in the index.
   */
  return function clientsIn(known: Known, holder?: AccountHolder): ClientMatch[] {
    const { fields } = known;
    const matches = new Map<number, ClientMatch>();
    const add = ({ id, name }: IdentifiedClient, by: ClientMatch['by'], value: string) => {
      if (!matches.has(id)) matches.set(id, { id, name, by, value });
    };
    for (const { kind, value, sure } of fields) {
      if (kind !== 'identifier' || !sure) continue;
      const by = evidenceOf(value);
      if (by === null) continue;
      for (const client of byIdentifier.get(value) ?? []) add(client, by, value);
      const panInGstin = GSTIN.exec(value)?.[1];
      for (const client of panInGstin ? (byIdentifier.get(panInGstin) ?? []) : [])
        add(client, 'gstin', value);
    }
    const parties = partiesIn(known);
    const nameMatches = parties.flatMap(({ prefix, value, sure }) =>
      (byName.get(nameWords(value)) ?? [])
        .filter((client) => !contradicts(known, prefix, client))
        .map((client) => ({ client, value, sure })),
    );
    if (nameMatches.length === 0 && mayMention(known, parties.length))
      for (const client of clientsNamed(known.head))
        if (!contradicts(known, '', client)) nameMatches.push({ client, value: client.name, sure: false });
    for (const { client, value, sure } of nameMatches) {
      const words = nameWords(value);
      if (sure && isRegisteredName(words) && byName.get(words)!.length === 1)
        add(client, 'registered_name', value);
      const evidence = otherEvidence(known, client);
      if (evidence !== null) add(client, 'name_and_more', `${value}, ${evidence}`);
    }
    const accountHolder = holder && byId.get(holder.client);
    if (accountHolder) add(accountHolder, 'account', `…${holder.number.slice(-4)}`);
    const certainMatches = [...matches.values()];
    if (certainMatches.some(({ by }) => by !== 'account')) return certainMatches;
    // Among clients of the same name the account decides; a name that matches only other clients contradicts the
    // account.
    if (
      certainMatches.length > 0 &&
      (nameMatches.length === 0 || nameMatches.some(({ client }) => matches.has(client.id)))
    )
      return certainMatches;
    for (const { client, value } of nameMatches) add(client, 'name', value);
    return [...matches.values()];
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
    const gstin = certainValue(`${prefix}gstin`, GSTIN);
    const pan = certainValue(`${prefix}pan`, PAN) || (GSTIN.exec(gstin)?.[1] ?? '');
    const name = NAMES.map((key) => certainValue(prefix + key, /\S/)).find(Boolean) ?? '';
    return { name, pan, gstin };
  });
  return parties.find(({ pan }) => pan !== '') ?? parties.find(({ name }) => name !== '') ?? null;
}
