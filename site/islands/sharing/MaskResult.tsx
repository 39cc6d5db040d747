import type { ShareView } from '#server/sharing/contract.ts';
import * as t from '#messages/sharing.ts';
import { useMaskCheck } from './useMaskCheck.ts';

/** Withheld files that are listed by name; the rest are counted. */
const MAX_NAMES = 5;

/** Which files a link that covers Aadhaar numbers gives and withholds, why, and what to do. */
export function MaskResult({
  ids,
  link,
}: {
  /** The ids of the shared items. */
  ids: readonly number[];
  link: Pick<ShareView, 'mask_aadhaar' | 'open_locked'>;
}) {
  const check = useMaskCheck(ids, link);
  if (!check) return null;
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
              <li key={index} className="wrap-anywhere">
                {t.maskName(name, t.maskReasons[why])} {t.maskRemedies[why]}
              </li>
            ))}
            {withheld > named.length && <li>{t.maskMoreNames(withheld - named.length)}</li>}
          </ul>
          <p>{t.maskOtherLink}</p>
        </>
      )}
      <p className="text-muted">{t.maskLimits}</p>
      {more && <p className="text-muted">{t.maskMore}</p>}
    </div>
  );
}
