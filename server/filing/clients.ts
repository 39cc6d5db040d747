import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { AccountHolder, KnownFields } from '#server/fields/contract.ts';
import { fold } from '#server/text/fold.ts';
import type { ClientMatch, Suggestion } from './contract.ts';

const PAN = /^[A-Z]{5}\d{4}[A-Z]$/;
const GSTIN = /^\d{2}([A-Z]{5}\d{4}[A-Z])[A-Z\d]{3}$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;

const words = (name: string): string =>
  fold(name)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

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
    const name = words(client.name);
    byName.set(name, [...(byName.get(name) ?? []), client]);
  }

  const known = new Map(clients.map((client) => [client.id, client]));

  /**
   * Whose identifiers stand in a document, or whose account it is of, or without any whose name; each client once.
   * @param holder by other statements of its account; left out where the client is none of these.
   */
  return function clientsIn({ fields }: Pick<KnownFields, 'fields'>, holder?: AccountHolder): ClientMatch[] {
    const found = new Map<number, ClientMatch>();
    const add = ({ id, name }: IdentifiedClient, by: ClientMatch['by'], value: string) => {
      if (!found.has(id)) found.set(id, { id, name, by, value });
    };
    for (const { kind, value, sure } of fields) {
      if (kind !== 'identifier' || !sure) continue;
      const by = PAN.test(value) ? 'pan' : GSTIN.test(value) ? 'gstin' : TAN.test(value) ? 'tan' : null;
      if (by === null) continue;
      for (const client of byId.get(value) ?? []) add(client, by, value);
      const within = GSTIN.exec(value)?.[1];
      for (const client of within ? (byId.get(within) ?? []) : []) add(client, 'gstin', value);
    }
    const account = holder && known.get(holder.client);
    if (account) add(account, 'account', `…${holder.number.slice(-4)}`);
    const byIds = [...found.values()];
    if (byIds.some(({ by }) => by !== 'account')) return byIds;
    const names = fields.filter(
      ({ key, kind }) =>
        kind === 'text' && /(?:^|_)name$/.test(key) && key !== 'bank_name' && key !== 'father_name',
    );
    const named = names.flatMap(({ value }) =>
      (byName.get(words(value)) ?? []).map((client) => ({ client, value })),
    );
    // The account says which of those of the same name it is; whom it is not of at all, the name contradicts.
    if (byIds.length > 0 && (named.length === 0 || named.some(({ client }) => found.has(client.id))))
      return byIds;
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
