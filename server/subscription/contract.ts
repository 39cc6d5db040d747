export interface PlanView {
  id: number;
  name: string;
  /** Whole rupees, GST included. */
  monthly_price: number;
  yearly_price: number;
  storage_gb: number;
  storage_formatted: string;
  max_users: number;
  is_popular: boolean;
  yearly_savings: number;
  yearly_savings_percentage: number;
  features: string[];
}

/** What the firm may use now, whatever gives it: free, trial or a plan. */
export interface Limits {
  bytes: number;
  users: number;
}

export const FREE: Limits = { bytes: 1024 ** 3, users: 1 };
export const TRIAL: Limits = { bytes: 5 * 1024 ** 3, users: 3 };
export const TRIAL_DAYS = 14;
export type Cycle = 'monthly' | 'yearly';

/** Used of allowed in percent, to one decimal, never above 100. */
export const percentOf = (used: number, allowed: number): number =>
  allowed <= 0 ? 100 : Math.min(100, Math.round((used / allowed) * 1000) / 10);
