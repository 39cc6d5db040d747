import type { RuleInput } from '#server/documents/retention/contract.ts';
import * as t from '#messages/retention.ts';

/** The option for a rule without a preset. */
export const OWN = 'own';

interface Preset extends Pick<
  RuleInput,
  'name' | 'source' | 'applies_to' | 'months' | 'counts_from' | 'client_type'
> {
  id: string;
}

/**
 * Retention periods from Indian law. For GST the 72 months begin nine months after the end of the year (the due date of the
 * annual return), which makes 81.
 */
export const PRESETS: readonly Preset[] = [
  { id: 'audit', ...t.presets.audit, applies_to: 'label', months: 84, counts_from: 'said_day' },
  {
    id: 'company',
    ...t.presets.company,
    applies_to: 'client_type',
    client_type: 'Company',
    months: 96,
    counts_from: 'year_end',
  },
  { id: 'tax', ...t.presets.tax, applies_to: 'everything', months: 84, counts_from: 'year_end' },
  { id: 'gst', ...t.presets.gst, applies_to: 'everything', months: 81, counts_from: 'year_end' },
];
