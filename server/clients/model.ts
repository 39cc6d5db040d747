import { Model } from 'objection';
import type { ClientStatus, ClientType, ClientView } from './contract.ts';

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
  declare created_at: string;
  declare updated_at: string;

  toView(): ClientView {
    const { id, name, email, phone, client_type, city, status } = this;
    return { id, name, email, phone, client_type, city, status };
  }
}
