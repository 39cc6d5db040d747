// Labels on the binder spines in the drawing beside the public forms

export const form16 = 'Form 16';
export const gst2526 = 'GST 2025-26';
export const gst2425 = 'GST 2024-25';
export const audit = 'Audit';
export const bank = 'Bank';
export const tds = 'TDS';
export const form26AS = '26AS';
export const deeds = 'Deeds';
export const accounts = 'Accounts';
export const notices = 'Notices';
export const payroll = 'Payroll';
export const partners = 'Partners';
export const roc = 'ROC';
export const vouchers = 'Vouchers';
export const invoices = 'Invoices';
export const ledgers = 'Ledgers';
export const pan = 'PAN';
export const agreements = 'Agreements';
export const licences = 'Licences';
