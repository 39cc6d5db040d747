import type { IdentifiedClient } from '#server/clients/contract.ts';
import type { KnownFields } from '#server/fields/contract.ts';
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

  /** Whose identifiers stand in a document, or without any whose name; each client once. */
  return function clientsIn({ fields }: Pick<KnownFields, 'fields'>): ClientMatch[] {
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
    if (found.size > 0) return [...found.values()];
    for (const { key, kind, value } of fields)
      if (kind === 'text' && /(?:^|_)name$/.test(key) && key !== 'bank_name' && key !== 'father_name')
        for (const client of byName.get(words(value)) ?? []) add(client, 'name', value);
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
