import type { Browser } from 'puppeteer';

const ROWS = [
  ['Income from business', '', ''],
  ['Net profit as per profit and loss account', '14,82,360', ''],
  ['Add: depreciation as per books', '1,96,400', ''],
  ['Less: depreciation under section 32', '2,41,750', '14,37,010'],
  ['Income from other sources', '', ''],
  ['Interest on fixed deposits', '', '38,240'],
  ['Gross total income', '', '14,75,250'],
  ['Less: deductions under Chapter VI-A', '', ''],
  ['Section 80C', '1,50,000', ''],
  ['Section 80D', '25,000', '1,75,000'],
  ['Total income', '', '13,00,250'],
] as const;

/** A computation of total income, as every office prints it, as a PDF. */
export async function computation(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage();
  const rows = ROWS.map(([label, inner, outer]) => {
    const strong = /^(?:Income from|Gross|Total|Less: ded)/.test(label);
    return `<tr class="${strong ? 'strong' : ''}"><td>${label}</td><td>${inner}</td><td>${outer}</td></tr>`;
  });
  await page.setContent(`<style>
    body { font: 15px/1.5 'Noto Serif', Georgia, serif; margin: 56px 64px; color: #1b1f27 }
    header { border-bottom: 2px solid #1b1f27; padding-bottom: 14px; margin-bottom: 26px }
    h1 { font-size: 21px; margin: 0 } h2 { font-size: 17px; margin: 0 0 2px }
    p { margin: 0; color: #555 } table { width: 100%; border-collapse: collapse; margin-top: 22px }
    td { padding: 6px 4px; border-bottom: 1px solid #e3e3e3 } td + td { text-align: right; width: 120px }
    .strong td { font-weight: 700; padding-top: 14px } footer { margin-top: 70px; text-align: right }
  </style>
  <header><h1>Rao &amp; Associates</h1><p>Chartered Accountants, Pune</p></header>
  <h2>Sharma Traders</h2><p>Computation of total income · Previous year 2025-26 · Assessment year 2026-27</p>
  <table><tr class="strong"><td>Particulars</td><td>₹</td><td>₹</td></tr>${rows.join('')}</table>
  <footer>for Rao &amp; Associates<br /><br /><br />Asha Rao, Partner</footer>`);
  const bytes = await page.pdf({ format: 'A4' });
  await page.close();
  return Buffer.from(bytes);
}
