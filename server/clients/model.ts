import { Model } from 'objection';
import type { ClientStatus, ClientType, ClientView } from './contract.ts';
import { maskAadhaar } from './identifiers.ts';

export class Client extends Model {
  static override tableName = 'clients';

  declare id: number;
  declare firm_id: number;
  declare name: string;
  declare email: string | null;
  declare phone: string | null;
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

  toView(): ClientView {
    return {
      id: this.id,
      name: this.name,
      email: this.email,
      phone: this.phone,
      client_type: this.client_type,
      city: this.city,
      status: this.status,
      pan: this.pan,
      gstin: this.gstin,
      tan: this.tan,
      cin: this.cin,
      born_on: this.born_on,
      address: this.address && maskAadhaar(this.address),
      group_name: this.group_name,
      notes: this.notes && maskAadhaar(this.notes),
      version: this.version,
      created_at: this.created_at,
      updated_at: this.updated_at,
    };
  }
}
