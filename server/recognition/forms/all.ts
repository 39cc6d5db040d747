import { auditReport } from './accounts/audit-report.ts';
import { balanceSheet } from './accounts/balance-sheet.ts';
import { cheque } from './bank/cheque.ts';
import { bankStatement } from './bank/statement.ts';
import { gstr1 } from './gst/gstr-1.ts';
import { gstr2b } from './gst/gstr-2b.ts';
import { gstr3b } from './gst/gstr-3b.ts';
import { gstr9 } from './gst/gstr-9.ts';
import { gstRegistration } from './gst/registration.ts';
import { aadhaarCard, panCard } from './identity/cards.ts';
import { deed } from './identity/deed.ts';
import { incorporation } from './identity/incorporation.ts';
import { ais, tis } from './income-tax/ais.ts';
import { computation } from './income-tax/computation.ts';
import { form16 } from './income-tax/form-16.ts';
import { form16a } from './income-tax/form-16a.ts';
import { form26as } from './income-tax/form-26as.ts';
import { itr } from './income-tax/itr.ts';
import { itrV } from './income-tax/itr-v.ts';
import { engagementLetter } from './letters/engagement.ts';
import { notice } from './letters/notice.ts';
import { challanGst, challanIncomeTax, challanTds } from './payments/challans.ts';
import { challanEsi, challanPf } from './payments/payroll-challans.ts';
import { payslip } from './payroll/payslip.ts';
import type { TypeRules } from './rules.ts';
import { ewayBill } from './trade/eway-bill.ts';
import { creditNote, eInvoice, invoice } from './trade/invoice.ts';

/** The rules of all types. */
export const ALL: readonly TypeRules[] = [
  form16,
  form16a,
  form26as,
  ais,
  tis,
  itrV,
  itr,
  computation,
  gstr1,
  gstr2b,
  gstr3b,
  gstr9,
  gstRegistration,
  invoice,
  eInvoice,
  creditNote,
  ewayBill,
  challanIncomeTax,
  challanTds,
  challanGst,
  challanPf,
  challanEsi,
  bankStatement,
  cheque,
  balanceSheet,
  auditReport,
  notice,
  engagementLetter,
  panCard,
  aadhaarCard,
  incorporation,
  deed,
  payslip,
];
