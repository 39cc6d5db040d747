import type { RequestTemplate } from './contract.ts';

const template = (id: string, name: string, rows: string): RequestTemplate => ({
  id,
  name,
  rows: rows
    .split('\n')
    .map((row) => row.trim())
    .filter(Boolean),
  own: false,
});

/**
 * The usual requests of accounting offices. `{year}` is the financial year (`FY 2025-26`), `{month}` a month and
 * `{quarter}` a quarter of it.
 */
export const BUILT_IN_TEMPLATES: readonly RequestTemplate[] = [
  template(
    'itr-salaried',
    'ITR, salaried',
    `Form 16 for {year}, from each employer
     PAN card and Aadhaar card
     Bank statements, all accounts, for {year}
     Interest certificates (savings, fixed deposits) for {year}
     Home loan interest certificate for {year}
     Rent receipts and landlord's PAN
     Proofs of investments under 80C and 80D for {year}
     Capital gains statements (shares, mutual funds) for {year}
     AIS and Form 26AS, if you have downloaded them`,
  ),
  template(
    'itr-business',
    'ITR, business or profession',
    `Books of account or Tally backup for {year}
     Bank statements, all accounts, for {year}
     Sales and purchase registers for {year}
     GST returns filed for {year}
     Loan statements and interest certificates for {year}
     Bills of assets bought or sold in {year}
     Stock statement as on 31 March
     TDS certificates (Form 16A) for {year}
     Proofs of investments under 80C and 80D for {year}`,
  ),
  template(
    'gst-monthly',
    'GST, monthly',
    `Sales register for {month}
     Purchase register for {month}
     Debit and credit notes for {month}
     E-way bills for {month}
     Bank statement for {month}
     Expense bills with GST for {month}`,
  ),
  template(
    'tds-quarter',
    'TDS, quarter',
    `TDS challans for {quarter}
     List of payments with PAN of payees for {quarter}
     Salary register for {quarter}
     Rent and professional fee bills for {quarter}
     Lower deduction certificates, if any`,
  ),
  template(
    'audit',
    'Audit',
    `Trial balance for {year}
     Tally backup for {year}
     Bank statements and reconciliations for {year}
     Confirmations of debtors and creditors as on 31 March
     Fixed asset register for {year}
     Stock statement and valuation as on 31 March
     Loan agreements and sanction letters
     Minutes of board and general meetings for {year}
     GST and TDS returns for {year}
     Last year's audited financial statements`,
  ),
  template(
    'incorporation',
    'Company incorporation',
    `PAN card of each director
     Aadhaar card of each director
     Photograph of each director
     Bank statement of each director, not older than two months
     Electricity bill of the registered office, not older than two months
     Rent agreement or sale deed of the registered office
     No-objection letter of the owner
     Two proposed names, and the main business in a few lines`,
  ),
];
