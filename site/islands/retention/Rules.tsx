import { Pencil, X } from 'lucide-react';
import type { RetentionOverview, RuleView } from '#server/documents/retention/contract.ts';
import * as t from '#messages/retention.ts';
import { Badge } from '../../components/Badge.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { formatPeriod } from '../../lib/retention.ts';

/** What a rule applies to, in words. */
function scopeOf({ applies_to, of }: RuleView): string {
  if (applies_to === 'everything') return t.appliesToNamed.everything;
  return of === null ? t.appliesToNamed.gone : t.appliesToNamed[applies_to](of);
}

interface RulesProps {
  rules: RetentionOverview['rules'];
  /** Whether the user may change the rules. */
  editable: boolean;
  onEdit: (rule: RuleView) => void;
  onRemove: (rule: RuleView) => void;
}

/** The list of rules. */
export const Rules = ({ rules, editable, onEdit, onRemove }: RulesProps) => (
  <ul aria-label={t.rules} className="divide-y divide-line">
    {rules.map((rule) => (
      <li key={rule.id} className="flex items-start gap-3 py-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            <span className="font-medium break-words">{rule.name}</span>
            {rule.run_out > 0 && <Badge tone="warning">{t.ranOut(rule.run_out)}</Badge>}
            {rule.undated > 0 && <Badge tone="accent">{t.withoutDay(rule.undated)}</Badge>}
          </p>
          <p className="text-pretty break-words">
            {scopeOf(rule)} · {t.periodFrom(formatPeriod(rule.months), t.countsFrom[rule.counts_from])}
          </p>
          <p className="tabular text-sm text-muted">{t.keepsFiles(rule.files, rule.formatted_bytes)}</p>
          {rule.source !== '' && <p className="text-sm text-pretty break-words text-muted">{rule.source}</p>}
        </div>
        {editable && (
          <div className="flex shrink-0">
            <IconButton label={t.editRule(rule.name)} onPress={() => onEdit(rule)}>
              <Pencil aria-hidden size={16} />
            </IconButton>
            <IconButton label={t.removeRule(rule.name)} onPress={() => onRemove(rule)}>
              <X aria-hidden size={16} />
            </IconButton>
          </div>
        )}
      </li>
    ))}
  </ul>
);
