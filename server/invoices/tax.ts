import type { InvoiceDocument } from './contract.ts';

/** Union territories without a legislature: their share of the tax is called UTGST. */
const UTGST = new Set(['04', '26', '31', '35', '38', '97']);

export type Taxes = Pick<InvoiceDocument, 'taxable_paise' | 'taxes' | 'rounding_paise'>;

/** Per cent; within a state, half of it is each of two taxes. An even number. */
const GST = 18;

/** Half a paisa goes up, as in the Act's own rounding. `percent` is a whole number. */
const taxOn = (taxable: number, percent: number): number => Math.floor((taxable * percent + 50) / 100);

/**
 * Takes a price that includes GST apart: each tax is rounded by itself, on the taxable value that is printed. For
 * some prices no whole number of paise gives exactly the sum; then the rest is shown as rounding.
 * @param total integer paise.
 * @param seller and `place`, the place of supply: state codes.
 */
export function taxesIn(total: number, seller: string, place: string): Taxes {
  const shares =
    seller === place
      ? ([
          { name: 'CGST', percent: GST / 2 },
          { name: UTGST.has(place) ? 'UTGST' : 'SGST', percent: GST / 2 },
        ] as const)
      : ([{ name: 'IGST', percent: GST }] as const);
  const sumOf = (taxable: number) =>
    shares.reduce((sum, { percent }) => sum + taxOn(taxable, percent), taxable);
  const near = Math.round((total * 100) / (100 + GST));
  const taxable_paise = [near, near - 1, near + 1, near - 2, near + 2].reduce((best, candidate) =>
    Math.abs(total - sumOf(candidate)) < Math.abs(total - sumOf(best)) ? candidate : best,
  );
  return {
    taxable_paise,
    taxes: shares.map(({ name, percent }) => ({ name, percent, paise: taxOn(taxable_paise, percent) })),
    rounding_paise: total - sumOf(taxable_paise),
  };
}
