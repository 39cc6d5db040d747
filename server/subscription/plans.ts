import { Model } from 'objection';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { PlanView } from './contract.ts';

export class Plan extends Model {
  static override tableName = 'plans';

  declare id: number;
  declare name: string;
  declare monthly_price: number;
  declare yearly_price: number;
  declare storage_gb: number;
  declare max_users: number;
  declare is_popular: number | boolean;
  /** A JSON list of strings. */
  declare features: string;
  /** Set when the plan is no longer sold. */
  declare retired_at: string | null;

  toView(): PlanView {
    const { id, name, monthly_price, yearly_price, storage_gb, max_users } = this;
    const savings = Math.max(0, monthly_price * 12 - yearly_price);
    return {
      id,
      name,
      monthly_price,
      yearly_price,
      storage_gb,
      storage_formatted: formatBytes(storage_gb * 1024 ** 3),
      max_users,
      is_popular: Boolean(this.is_popular),
      yearly_savings: savings,
      yearly_savings_percentage: monthly_price > 0 ? Math.round((savings / (monthly_price * 12)) * 100) : 0,
      features: JSON.parse(this.features) as string[],
    };
  }
}
