const ACRONYMS = new Set(
  'pan tan gstin cin llpin din udin mrn frn ifsc vpa irn arn bsr uan micr crn cpin trrn esi pf hra igst cgst sgst itc tds tcs hsn gst gstr itr ais tis edli ids id 26as 16a'.split(
    ' ',
  ),
);
const SPECIAL_NAMES: Record<string, string> = {
  salary_17_1: 'Salary u/s 17(1)',
  perquisites_17_2: 'Perquisites u/s 17(2)',
  profits_17_3: 'Profits in lieu u/s 17(3)',
  deduction_80c: 'Deduction 80C',
  deduction_80ccd_1b: 'Deduction 80CCD(1B)',
  deduction_80d: 'Deduction 80D',
  rebate_87a: 'Rebate 87A',
  opted_out_115bac: 'Opted out of 115BAC',
  deductions_via: 'Deductions, Chapter VI-A',
  itr_v: 'ITR-V',
  gstr_1: 'GSTR-1',
  gstr_2b: 'GSTR-2B',
  gstr_3b: 'GSTR-3B',
  gstr_9: 'GSTR-9',
};

/** The name of a type, a value or a column in exported tables: `Employee PAN` for `employee_pan`. */
export function nameOf(id: string): string {
  const [key = '', nth] = id.split('~');
  const words = key.split('_').map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  const text = SPECIAL_NAMES[key] ?? words.join(' ').replace(/^\w/, (letter) => letter.toUpperCase());
  return nth === undefined ? text : `${text} (${nth})`;
}
