/** A template that every firm has. The id never changes: links and API calls use it. */
interface BuiltIn {
  id: string;
  name: string;
  outline: string;
}

const trimOutline = (text: string) => text.trim();

export const BUILT_IN: readonly BuiltIn[] = [
  {
    id: 'income-tax',
    name: 'Income tax',
    outline: trimOutline(`
{fy}
  ITR
  Form 16 and 26AS
  Computation
  Bank statements
`),
  },
  {
    id: 'gst',
    name: 'GST',
    outline: trimOutline(`
{fy}
  GST
    GSTR-1
    GSTR-3B
    GSTR-2B
    Annual return
`),
  },
  {
    id: 'tds',
    name: 'TDS',
    outline: trimOutline(`
{fy}
  TDS
    Q1
    Q2
    Q3
    Q4
    Form 16 and 16A
`),
  },
  {
    id: 'audit',
    name: 'Audit',
    outline: trimOutline(`
{fy}
  Audit
    Planning and engagement
    Trial balance and ledgers
    Bank and confirmations
    Fixed assets and stock
    Working papers
    Financial statements
    Audit report
`),
  },
  {
    id: 'roc',
    name: 'ROC (companies)',
    outline: trimOutline(`
Incorporation documents
{fy}
  ROC
    AOC-4
    MGT-7
    ADT-1
    DIR-3 KYC
    Minutes and resolutions
    Financial statements
`),
  },
];
