import { Model } from 'objection';
import type { Language } from '#server/text/language.ts';
import type { ClientStatus, ClientType, ClientView } from './contract.ts';

export class Client extends Model {
  static override tableName = 'clients';

  declare id: number;
  declare firm_id: number;
  declare name: string;
  declare email: string | null;
  declare phone: string | null;
  declare language: Language;
  declare client_type: ClientType;
  declare city: string | null;
  declare status: ClientStatus;
  declare pan: string | null;
  declare gstin: string | null;
  declare tan: string | null;
  declare cin: string | null;
  declare born_on: string | null;
  declare address: string | null;
  declare group_name: string | null;
  declare notes: string | null;
  declare version: number;
  declare sort_key: string;
  declare search_text: string;
  declare created_at: string;
  declare updated_at: string;
}

/** Converts a raw row: creating model instances for a list would be wasteful. */
export function toView(row: ClientView): ClientView {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    language: row.language,
    client_type: row.client_type,
    city: row.city,
    status: row.status,
    pan: row.pan,
    gstin: row.gstin,
    tan: row.tan,
    cin: row.cin,
    born_on: row.born_on,
    address: row.address,
    group_name: row.group_name,
    notes: row.notes,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
