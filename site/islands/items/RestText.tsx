import { MAX_ITEMS_PER_CALL } from '#server/documents/contract.ts';
import * as t from '#messages/documents.ts';

/** `Select all 12,345 that match`, limited to the number that one call accepts. */
export function RestText({ total }: { total: number | null }) {
  const count = total === null ? null : Math.min(total, MAX_ITEMS_PER_CALL);
  const texts = total !== null && total > MAX_ITEMS_PER_CALL ? t.selectFirst : t.selectRest;
  return (
    <>
      <span className="lg:hidden">{texts.short(count)}</span>
      <span className="max-lg:hidden">{texts.long(count)}</span>
    </>
  );
}
