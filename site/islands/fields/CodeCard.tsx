import type { LucideIcon } from 'lucide-react';
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react';
import type { CodeView, SignatureState } from '#server/fields/contract.ts';
import * as t from '#messages/eInvoiceCode.ts';
import * as fields from '#messages/fields.ts';
import { Button } from '../../components/Button.tsx';
import { cx } from '../../lib/cx.ts';
import { formatValue, nameOfField } from '../../lib/fieldValues.ts';

const LOOKS: Record<SignatureState, { icon: LucideIcon; tone: string }> = {
  checked: { icon: ShieldCheck, tone: 'text-success-text' },
  no_key: { icon: ShieldQuestionMark, tone: 'text-muted' },
  mismatch: { icon: ShieldAlert, tone: 'text-danger-text' },
  unsigned: { icon: ShieldAlert, tone: 'text-danger-text' },
};

/** The QR code of an e-invoice: its signer, and values that differ from the page. */
export function CodeCard({ code, onShow }: { code: CodeView; onShow: (() => void) | null }) {
  const { signature, key, said } = code;
  const { icon: Icon, tone } = LOOKS[signature];
  const others = said.filter(({ printed, same }) => printed !== null && !same);
  const same = said.filter((field) => field.same).length;
  return (
    <div className="py-1 text-sm">
      <p className={cx('flex items-start gap-1.5', tone)}>
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
        <span>{signature === 'checked' ? t.checked(key ?? '') : t.signature[signature]}</span>
      </p>
      {others.length === 0 && same > 0 && (
        <p className="pt-0.5 pl-5.5 text-muted">{t.matchingValues(same)}</p>
      )}
      {others.length > 0 && (
        <ul className="pt-0.5 pl-5.5">
          {others.map(({ key: id, kind, value, printed }) => (
            <li key={id} className="text-warning-text">
              {t.differingValue(
                nameOfField({ id, key: id }),
                formatValue(kind, value, id),
                formatValue(kind, printed!, id),
              )}
            </li>
          ))}
        </ul>
      )}
      {onShow && (
        <Button variant="quiet" size="sm" className="ml-3" onPress={onShow}>
          {fields.showOnPage(t.title, code.page)}
        </Button>
      )}
    </div>
  );
}
