import * as t from '#messages/sharing.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { MaskResult } from './MaskResult.tsx';
import type { Fields } from './linkFields.ts';
import { useMaskCheck } from './useMaskCheck.ts';

export interface MaskFieldsProps {
  /** The ids of the shared items. */
  ids: readonly number[];
  fields: Fields;
  set: (change: Partial<Fields>) => void;
}

/** The options for covering Aadhaar numbers, with a check of the shared items. */
export function MaskFields({ ids, fields, set }: MaskFieldsProps) {
  const { mask_aadhaar, open_locked } = fields;
  const check = useMaskCheck(ids, fields);
  return (
    <>
      <Checkbox
        isSelected={mask_aadhaar}
        description={t.maskHint}
        onChange={(on) => set({ mask_aadhaar: on })}
      >
        {t.mask}
      </Checkbox>
      {mask_aadhaar ? (
        <MaskResult ids={ids} link={fields} />
      ) : (
        check &&
        check.numbered > 0 && (
          <p role="status" className="text-sm text-warning-text">
            {t.maskNumbered(check.numbered)}
          </p>
        )
      )}
      {(open_locked || (check && check.locked > 0)) && (
        <Checkbox
          isSelected={open_locked}
          description={t.openLockedHint}
          onChange={(on) => set({ open_locked: on })}
        >
          {t.openLocked}
        </Checkbox>
      )}
    </>
  );
}
