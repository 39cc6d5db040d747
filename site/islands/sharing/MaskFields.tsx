import { useQuery } from '@tanstack/react-query';
import type { MaskCheck } from '#server/masking/contract.ts';
import { MAX_SHARED_ITEMS } from '#server/sharing/contract.ts';
import * as t from '#messages/sharing.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { calls } from './calls.ts';
import type { Fields } from './linkFields.ts';

/** The polling interval while files are still being read. */
const POLL_MS = 4000;
/** Withheld files that are listed by name; the rest are counted. */
const MAX_NAMES = 5;

export interface MaskFieldsProps {
  /** The ids of the shared items. */
  ids: readonly number[];
  fields: Fields;
  set: (change: Partial<Fields>) => void;
}

/** The options for covering Aadhaar numbers, with a check of the shared items. */
export function MaskFields({ ids, fields, set }: MaskFieldsProps) {
  const { mask_aadhaar, open_locked } = fields;
  const { data: check } = useQuery({
    queryKey: ['share-check', mask_aadhaar, open_locked, ...ids],
    queryFn: ({ signal }) => calls.check(ids, { open_locked, prepare: mask_aadhaar }, signal),
    enabled: ids.length > 0 && ids.length <= MAX_SHARED_ITEMS,
    refetchInterval: ({ state }) => (mask_aadhaar && state.data && state.data.waiting > 0 ? POLL_MS : false),
    staleTime: 0,
    placeholderData: (before) => before,
  });
  return (
    <>
      <Checkbox
        isSelected={mask_aadhaar}
        description={t.maskHint}
        onChange={(on) => set({ mask_aadhaar: on })}
      >
        {t.mask}
      </Checkbox>
      {mask_aadhaar && check && <CheckResult check={check} />}
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

/** Which files a link with these options shows and withholds. */
function CheckResult({ check }: { check: MaskCheck }) {
  const { files, masked, waiting, withheld, names, more } = check;
  const named = names.slice(0, MAX_NAMES);
  return (
    <div
      role="status"
      className="flex flex-col gap-1 rounded-md border border-line bg-sunken px-3 py-2 text-sm"
    >
      {waiting + withheld === 0 && files > 0 && <p>{t.maskChecked(files)}</p>}
      {masked > 0 && <p>{t.maskCovered(masked)}</p>}
      {waiting > 0 && <p>{t.maskWaiting(waiting)}</p>}
      {withheld > 0 && (
        <>
          <p className="font-medium text-warning-text">{t.maskWithheld(withheld)}</p>
          <ul className="list-disc pl-5">
            {named.map(({ name, why }, index) => (
              <li key={index} className="break-words">
                {t.maskName(name, t.maskReasons[why])}
              </li>
            ))}
            {withheld > named.length && <li>{t.maskMoreNames(withheld - named.length)}</li>}
          </ul>
        </>
      )}
      <p className="text-muted">{t.maskLimits}</p>
      {more && <p className="text-muted">{t.maskMore}</p>}
    </div>
  );
}
