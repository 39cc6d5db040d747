import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { AccountHolder, KnownFields } from '#server/fields/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import type { DocumentType } from '#server/recognition/contract.ts';
import type { ClientMatch, Suggestion } from './contract.ts';
import { agreement, mentionIndex } from './mentions.ts';
import { isRegisteredName, nameWords } from './party-names.ts';

const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;
const GSTIN = /^\d{2}([A-Z]{5}\d{4}[A-Z])[A-Z\d]{3}$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;

type Known = Pick<KnownFields, 'type' | 'fields' | 'head'>;

/** Names that say nothing of whose a document is: of banks, fathers, and of the accountants who sign. */
const OTHERS = new Set(['bank_name', 'father_name', 'form_name']);

/** Names of those of whom a document may be, each with how its other fields about the same one begin. */
const partiesIn = ({ type, fields }: Omit<Known, 'head'>) =>
  fields
    .filter(
      ({ key, kind }) =>
        kind === 'text' &&
        (key === 'pay_to' || /(?:^|_)name$/.test(key)) &&
        !OTHERS.has(key) &&
        (key !== 'firm_name' || type === 'deed'),
    )
    .map(({ key, value, sure }) => ({
      value,
      sure,
      of: /^(?:employee|employer|deductee|deductor|buyer|supplier)_/.exec(key)?.[0] ?? '',
    }));

/**
 * Whether a document gives a party another number than the client of that name has: then it is somebody else. Only what
 * its type says of the party itself counts; a number in a corner may be anybody's.
 */
function isSomebodyElse({ type, fields }: Known, of: string, client: IdentifiedClient): boolean {
  const own: readonly string[] = DOCUMENT_TYPES[type as DocumentType]?.fields ?? [];
  const pan = client.pan ?? GSTIN.exec(client.gstin?.toUpperCase() ?? '')?.[1];
  const said = fields.filter(({ key, sure }) => sure && own.includes(key));
  const differs = (form: RegExp, keys: readonly string[], mine: string | null | undefined): boolean => {
    const numbers = said.flatMap(({ key, value }) => {
      const found = keys.includes(key) ? form.exec(value) : null;
      return found ? [found[1] ?? found[0]] : [];
    });
    return Boolean(mine) && numbers.length > 0 && !numbers.includes(mine!.toUpperCase());
  };
  return (
    differs(PAN, [`${of}pan`], pan) ||
    differs(GSTIN, [`${of}gstin`], pan) ||
    differs(TAN, [`${of}tan`], client.tan) ||
    (of === '' && differs(/^.+$/, ['cin', 'llpin'], client.cin))
  );
}

/** Whether names in its text may say whose a document is: where no field does, or where it is a deed between several. */
const mayMention = ({ type, fields }: Known, parties: number): boolean =>
  (parties === 0 || type === 'deed') &&
  !fields.some(({ key, sure }) => sure && (key === 'pan' || key === 'gstin'));

/** A CIN, or the LLPIN of a partnership. */
const CIN = /^(?:[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-\d{4})$/;

/** By what kind of number a client would be recognised; null for others. */
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

/** The firm's clients by what documents name them by. */
export function clientIndex(clients: readonly IdentifiedClient[]) {
  const byId = new Map<string, Set<IdentifiedClient>>();
  const byName = new Map<string, IdentifiedClient[]>();
  const put = (key: string | null | undefined, client: IdentifiedClient) => {
    if (!key) return;
    const plain = key.toUpperCase();
    byId.set(plain, (byId.get(plain) ?? new Set()).add(client));
  };
  for (const client of clients) {
    put(client.pan, client);
    put(client.gstin, client);
    // The PAN stands within a GSTIN.
    put(GSTIN.exec(client.gstin?.toUpperCase() ?? '')?.[1], client);
    put(client.tan, client);
    put(client.cin, client);
    const name = nameWords(client.name);
    byName.set(name, [...(byName.get(name) ?? []), client]);
  }

  const clientsNamed = mentionIndex(clients);
  const byKey = new Map(clients.map((client) => [client.id, client]));

  /**
   * Whose identifiers or registered names stand in a document, or whose account it is of, or without any whose name; each
   * client once.
   * @param holder by other statements of its account; left out where the client is none of these.
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
        .filter((client) => !isSomebodyElse(known, of, client))
        .map((client) => ({ client, value, sure })),
    );
    if (named.length === 0 && mayMention(known, parties.length))
      for (const client of clientsNamed(known.head))
        if (!isSomebodyElse(known, '', client)) named.push({ client, value: client.name, sure: false });
    for (const { client, value, sure } of named) {
      const words = nameWords(value);
      if (sure && isRegisteredName(words) && byName.get(words)!.length === 1)
        add(client, 'registered_name', value);
      const more = agreement(known, client);
      if (more !== null) add(client, 'name_and_more', `${value}, ${more}`);
    }
    const account = holder && byKey.get(holder.client);
    if (account) add(account, 'account', `…${holder.number.slice(-4)}`);
    const sureOnes = [...found.values()];
    if (sureOnes.some(({ by }) => by !== 'account')) return sureOnes;
    // The account says which of those of the same name it is; whom it is not of at all, the name contradicts.
    if (sureOnes.length > 0 && (named.length === 0 || named.some(({ client }) => found.has(client.id))))
      return sureOnes;
    for (const { client, value } of named) add(client, 'name', value);
    return [...found.values()];
  };
}

/** Whose document it most likely is, by the field that names them. */
const WHOSE = ['employee', 'deductee', 'buyer', 'supplier', 'employer', 'deductor'];

/** What a new client would be called and known by; null where the document names nobody. */
export function newClientOf({ fields }: Pick<KnownFields, 'fields'>): Suggestion['new_client'] {
  const of = (key: string, kind: RegExp) =>
    fields.find((one) => one.key === key && one.sure && kind.test(one.value))?.value;
  const ANY = /\S/;
  const pan = of('pan', PAN) ?? WHOSE.map((who) => of(`${who}_pan`, PAN)).find(Boolean);
  const gstin = of('gstin', GSTIN) ?? WHOSE.map((who) => of(`${who}_gstin`, GSTIN)).find(Boolean);
  const name =
    of('name', ANY) ??
    of('legal_name', ANY) ??
    of('holder_name', ANY) ??
    WHOSE.map((who) => of(`${who}_name`, ANY)).find(Boolean);
  if (!pan && !gstin) return null;
  return { name: name ?? '', pan: pan ?? GSTIN.exec(gstin ?? '')?.[1] ?? '', gstin: gstin ?? '' };
}
