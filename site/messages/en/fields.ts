import type { FieldKey, TableKey, TypeGroup } from '#server/recognition/contract.ts';
import { plural } from './language.ts';

// Document types
export const typeGroups: Record<TypeGroup, string> = {
  income_tax: 'Income tax',
  gst: 'GST',
  trade: 'Sales and purchases',
  payments: 'Challans',
  bank: 'Bank',
  accounts: 'Accounts and audit',
  letters: 'Letters',
  identity: 'Identity and registration',
  payroll: 'Payroll',
  other: 'None of these',
};

// Values that are recognised in documents
export const keys: Record<FieldKey, string> = {
  pan: 'PAN',
  tan: 'TAN',
  gstin: 'GSTIN',
  cin: 'CIN',
  llpin: 'LLPIN',
  din: 'DIN',
  udin: 'UDIN',
  mrn: 'Membership no.',
  frn: 'Firm registration no.',
  aadhaar: 'Aadhaar',
  ifsc: 'IFSC',
  vpa: 'UPI ID',
  account_no: 'Account no.',
  irn: 'IRN',
  eway_bill_no: 'E-way bill no.',
  arn: 'ARN',
  acknowledgement_no: 'Acknowledgement no.',
  bsr: 'BSR code',
  udyam: 'Udyam no.',
  uan: 'UAN',
  micr: 'MICR',
  crn: 'CRN',
  cpin: 'CPIN',
  trrn: 'TRRN',
  esi_code: 'ESI code',
  pf_code: 'PF code',
  irn_ack_no: 'IRN acknowledgement no.',
  document_din: 'DIN of the document',
  employer_pan: 'PAN of the employer',
  employer_tan: 'TAN of the employer',
  employee_pan: 'PAN of the employee',
  deductor_pan: 'PAN of the deductor',
  deductor_tan: 'TAN of the deductor',
  deductee_pan: 'PAN of the deductee',
  supplier_gstin: 'GSTIN of the supplier',
  buyer_gstin: 'GSTIN of the buyer',
  supplier_pan: 'PAN of the supplier',
  buyer_pan: 'PAN of the buyer',
  transporter_gstin: 'GSTIN of the transporter',
  name: 'Name',
  father_name: "Father's name",
  address: 'Address',
  gender: 'Gender',
  legal_name: 'Legal name',
  trade_name: 'Trade name',
  issuer: 'Issued by',
  employer_name: 'Employer',
  employee_name: 'Employee',
  deductor_name: 'Deductor',
  deductee_name: 'Deductee',
  supplier_name: 'Supplier',
  buyer_name: 'Buyer',
  certificate_no: 'Certificate no.',
  section: 'Section',
  opted_out_115bac: 'Opted out of 115BAC',
  form_name: 'Form',
  filed_under: 'Filed under section',
  status: 'Status',
  invoice_no: 'Invoice no.',
  original_invoice_no: 'Original invoice no.',
  place_of_supply: 'Place of supply',
  reverse_charge: 'Reverse charge',
  vehicle_no: 'Vehicle no.',
  constitution: 'Constitution',
  registration_type: 'Type of registration',
  bank_name: 'Bank',
  branch: 'Branch',
  holder_name: 'Account holder',
  currency: 'Currency',
  challan_no: 'Challan no.',
  bank_reference: 'Bank reference',
  major_head: 'Major head',
  minor_head: 'Minor head',
  nature_of_payment: 'Nature of payment',
  mode: 'Mode of payment',
  notice_no: 'Notice no.',
  subject: 'Subject',
  signed_by: 'Signed by',
  place: 'Place',
  firm_name: 'Firm',
  opinion: 'Opinion',
  unit: 'Amounts in',
  cheque_no: 'Cheque no.',
  employee_id: 'Employee ID',
  designation: 'Designation',
  registrar: 'Registrar',
  deed_kind: 'Kind of deed',
  partners: 'Partners',
  pay_to: 'Pay to',
  hsn: 'HSN',
  date: 'Date',
  date_of_birth: 'Date of birth',
  date_of_incorporation: 'Date of incorporation',
  last_updated: 'Last updated',
  period_from: 'Period from',
  period_to: 'Period to',
  date_of_filing: 'Date of filing',
  arn_date: 'Date of ARN',
  invoice_date: 'Invoice date',
  due_date: 'Due date',
  valid_from: 'Valid from',
  valid_until: 'Valid until',
  original_invoice_date: 'Original invoice date',
  deposit_date: 'Date of deposit',
  date_of_liability: 'Date of liability',
  reply_by: 'Reply by',
  irn_date: 'Date of IRN',
  year: 'Year',
  period: 'Period',
  paid_days: 'Paid days',
  employees: 'Employees',
  tax_rate: 'Tax rate',
  shares: 'Shares',
  amount_paid: 'Amount paid or credited',
  tax_deducted: 'Tax deducted',
  tax_deposited: 'Tax deposited',
  gross_salary: 'Gross salary',
  salary_17_1: 'Salary u/s 17(1)',
  perquisites_17_2: 'Perquisites u/s 17(2)',
  profits_17_3: 'Profits in lieu u/s 17(3)',
  exempt_allowances: 'Exempt allowances',
  standard_deduction: 'Standard deduction',
  professional_tax: 'Professional tax',
  income_salary: 'Income from salaries',
  income_house_property: 'Income from house property',
  income_business: 'Income from business',
  income_capital_gains: 'Capital gains',
  income_other_sources: 'Income from other sources',
  gross_total_income: 'Gross total income',
  deduction_80c: 'Deduction 80C',
  deduction_80ccd_1b: 'Deduction 80CCD(1B)',
  deduction_80d: 'Deduction 80D',
  deductions_via: 'Deductions, Chapter VI-A',
  total_income: 'Total income',
  tax_on_income: 'Tax on total income',
  rebate_87a: 'Rebate 87A',
  surcharge: 'Surcharge',
  cess: 'Cess',
  tax_payable: 'Tax payable',
  relief_89: 'Relief 89',
  net_tax_payable: 'Net tax payable',
  current_year_loss: 'Current year loss',
  interest_and_fee: 'Interest and fee',
  total_tax: 'Total tax',
  taxes_paid: 'Taxes paid',
  refund: 'Refund',
  payable: 'Payable',
  tds: 'TDS',
  tcs: 'TCS',
  advance_tax: 'Advance tax',
  self_assessment_tax: 'Self-assessment tax',
  outward_taxable: 'Outward taxable supplies',
  outward_igst: 'Outward IGST',
  outward_cgst: 'Outward CGST',
  outward_sgst: 'Outward SGST',
  outward_cess: 'Outward cess',
  zero_rated: 'Zero-rated supplies',
  exempt_supplies: 'Exempt supplies',
  inward_reverse_charge: 'Inward, reverse charge',
  non_gst: 'Non-GST supplies',
  itc_igst: 'ITC IGST',
  itc_cgst: 'ITC CGST',
  itc_sgst: 'ITC SGST',
  itc_cess: 'ITC cess',
  itc_reversed: 'ITC reversed',
  turnover: 'Turnover',
  itc_unavailable_igst: 'ITC not available, IGST',
  itc_unavailable_cgst: 'ITC not available, CGST',
  itc_unavailable_sgst: 'ITC not available, SGST',
  taxable_value: 'Taxable value',
  igst: 'IGST',
  cgst: 'CGST',
  sgst: 'SGST',
  gst_cess: 'GST cess',
  round_off: 'Round-off',
  total: 'Total',
  tax: 'Tax',
  interest: 'Interest',
  penalty: 'Penalty',
  fee: 'Fee',
  others: 'Others',
  employee_share: "Employees' share",
  employer_share: "Employer's share",
  wages: 'Wages',
  pension_fund: 'Pension fund',
  admin_charges: 'Administration charges',
  edli: 'EDLI',
  opening_balance: 'Opening balance',
  closing_balance: 'Closing balance',
  total_debits: 'Total debits',
  total_credits: 'Total credits',
  amount: 'Amount',
  total_assets: 'Total assets',
  equity: 'Equity',
  share_capital: 'Share capital',
  reserves: 'Reserves and surplus',
  borrowings: 'Borrowings',
  trade_payables: 'Trade payables',
  trade_receivables: 'Trade receivables',
  cash: 'Cash and bank',
  revenue: 'Revenue',
  total_expenses: 'Total expenses',
  profit_before_tax: 'Profit before tax',
  profit: 'Profit after tax',
  revenue_before: 'Revenue, previous year',
  profit_before: 'Profit, previous year',
  total_assets_before: 'Total assets, previous year',
  basic: 'Basic pay',
  hra: 'HRA',
  gross_earnings: 'Gross earnings',
  total_deductions: 'Total deductions',
  net_pay: 'Net pay',
  pf_deduction: 'PF deduction',
  esi_deduction: 'ESI deduction',
  demand: 'Demand',
  fees: 'Fees',
  capital: 'Capital',
  authorised_capital: 'Authorised capital',
};
/** Of a second and later value of the same key. */
export const numbered = (name: string, nth: string) => `${name} (${nth})`;

// Tables that are recognised in documents
export const tables: Record<TableKey, string> = {
  quarters: 'Quarters',
  tax_challans: 'Challans',
  tax_deducted: 'Tax deducted at source',
  information: 'Information',
  payments_by_quarter: 'Payments by quarter',
  transactions: 'Transactions',
  lines: 'Lines',
  invoices: 'Invoices',
};
export const columns: Record<string, string> = {
  ...keys,
  quarter: 'Quarter',
  receipt_no: 'Receipt no.',
  serial: 'Serial no.',
  code: 'Code',
  description: 'Description',
  source: 'Source',
  count: 'Count',
  value_date: 'Value date',
  narration: 'Narration',
  reference: 'Reference',
  debit: 'Debit',
  credit: 'Credit',
  balance: 'Balance',
  quantity: 'Quantity',
  rate: 'Rate',
};

// FieldsBody.tsx, FieldRow.tsx
export const title = 'Values in this document';
export const type = 'Type of document';
export const noType = 'Not known';
export const groups = {
  details: 'Names and numbers',
  dates: 'Dates',
  amounts: 'Amounts',
  tables: 'Tables',
} as const;
export const readAgain = 'Read again';
export const waiting = 'Waiting to be read.';
export const waitingPaused = 'Not read yet: an admin has paused reading.';
export const nothingRecognised = 'Nothing was recognised in this document.';
export const noText = 'No text was found in it, so nothing could be recognised.';
export const typeNotRead = 'Files of this type are not read.';
export const unsureCount = (n: number) => plural(n, { one: '1 value to check', other: '# values to check' });
export const unsure = 'To check';
export const failedCheck = 'The check digit does not fit';
export const confirmedBy = (name: string) => `Confirmed by ${name}`;
export const correctedBy = (name: string) => `Corrected by ${name}`;
export const clearedBy = (name: string) => `Cleared by ${name}`;
export const readValue = (value: string) => `Read: ${value}`;
export const cleared = 'Cleared';
export const notFound = 'Not found';
export const showOnPage = (name: string, page: number) => `Show ${name} on page ${page}`;
export const actionsFor = (name: string) => `Actions for ${name}`;
export const correct = 'Correct';
export const confirmValue = 'Confirm';
export const clearValue = 'Clear';
export const backToRead = 'Back to what was read';
export const copy = 'Copy';
export const copied = 'Copied.';
export const copyFailed = 'This could not be copied.';
export const takenBack = (name: string) => `${name} is as it was before`;
export const notSaved = 'This could not be saved. Please try again.';
export const loadFailed = 'What was read could not be loaded. Please try again.';
export const addValue = 'Add a value';
export const aadhaarMasked = (last: string) => `XXXX XXXX ${last}`;

// TableDialog.tsx
export const openTable = (name: string, rows: string) => `${name} (${rows})`;
export const row = 'Row';
export const balancesFollow = 'Every balance follows from the one before.';
export const balancesBreakAt = (n: number, rows: string) =>
  plural(n, {
    one: `The balance does not follow in row ${rows}. Check it before you rely on this table.`,
    other: `The balance does not follow in rows ${rows}. Check them before you rely on this table.`,
  });
export const andMore = (n: number) => plural(n, { one: 'and 1 more', other: 'and # more' });
export const brokenRow = 'The balance does not follow from the row before';
export const asXlsx = 'Download as XLSX';
export const asCsv = 'Download as CSV';
export const downloadFailed = 'This could not be downloaded. Please try again.';
export const shownFirst = (n: string) => `The first ${n} rows are shown; a download has them all.`;
