import { anyFont, amounts, grid, page, pairs } from './page.ts';
import { Paper } from './paper.ts';
import { company, individual } from './people.ts';

/** Papers of an office that are none of the types, though their words are near to some. */
function none(way: 'order' | 'quotation' | 'resume' | 'policy' | 'ledger' | 'electricity') {
  return (seed: number): Paper => {
    const paper = new Paper(null, way, seed);
    const { dice } = paper;
    const [a, b, c] = [company(dice), company(dice), individual(dice)];
    const day = paper.d(`2025-0${dice.int(4, 9)}-1${dice.int(0, 9)}`);
    const rows = [
      [1, 'MS Plate 10 mm', 40, paper.m(dice.paise(100, 900)), paper.m(dice.paise(10_000, 90_000))],
      [2, 'Welding rod', 12, paper.m(dice.paise(100, 900)), paper.m(dice.paise(10_000, 90_000))],
    ];
    const text = {
      order: `<h2 class="c">PURCHASE ORDER</h2><p>PO No: PO/${dice.digits(4)} &nbsp; Date: ${day}</p><p>To ${a.name}, GSTIN ${a.gstin}</p><p>Please supply the following to ${b.name}, GSTIN ${b.gstin}</p>${grid(['Sr', 'Item', 'Qty', 'Rate', 'Amount'], rows, [2, 3, 4])}<p>Delivery within 15 days. Invoice to be raised in duplicate.</p>`,
      quotation: `<h2 class="c">QUOTATION</h2><p>${a.name}, GSTIN: ${a.gstin}</p><p>Quotation No. Q-${dice.digits(3)}, ${day}. Valid for 30 days.</p><p>Kind attention: ${c.name}</p>${grid(['Sr', 'Item', 'Qty', 'Rate', 'Amount'], rows, [2, 3, 4])}<p>GST 18% extra. Payment 50% advance.</p>`,
      resume: `<h1>${c.name}</h1><p>${c.address}</p><h3>Experience</h3><p>Accounts executive, ${a.name}: preparation of GSTR-1 and GSTR-3B, TDS returns, Form 16, balance sheet, bank reconciliation.</p><h3>Education</h3><p>B.Com, 2017. CA Inter, Group I.</p>`,
      policy: `<h2>Motor Insurance - Certificate cum Policy Schedule</h2>${pairs([
        ['Policy No.', dice.digits(16)],
        ['Insured', c.name],
        ['Period of Insurance', `${day} to midnight`],
        ['IDV', paper.m(dice.rupees(100_000, 500_000))],
      ])}${amounts([
        ['Own damage premium', paper.m(dice.paise(2_000, 9_000))],
        ['GST @ 18%', paper.m(dice.paise(200, 900))],
        ['Total premium', paper.m(dice.paise(3_000, 9_900))],
      ])}`,
      ledger: `<h2 class="c">${a.name}</h2><h3 class="c">Ledger Account: ${b.name}</h3><p class="c">1-Apr-2025 to 31-Mar-2026</p>${grid(
        ['Date', 'Particulars', 'Vch Type', 'Vch No.', 'Debit', 'Credit'],
        [
          [day, 'To Opening Balance', '', '', paper.m(9_000_00), ''],
          [day, 'By HDFC Bank', 'Receipt', '12', '', paper.m(4_000_00)],
          [day, 'To Sales', 'Sales', '44', paper.m(1_200_00), ''],
        ],
        [4, 5],
      )}`,
      electricity: `<h2>Maharashtra State Electricity Distribution Co. Ltd.</h2><p>Electricity bill for the month of JUN 2025</p>${pairs(
        [
          ['Consumer No.', dice.digits(12)],
          ['Name', c.name],
          ['Bill Date', day],
          ['Units consumed', '412'],
        ],
      )}${amounts([
        ['Energy charges', paper.m(dice.paise(2_000, 9_000))],
        ['Amount payable', paper.m(dice.paise(3_000, 9_900))],
      ])}`,
    }[way];
    paper.html = page(text, anyFont(dice), 10);
    return paper;
  };
}

export const noneLayouts = (['order', 'quotation', 'resume', 'policy', 'ledger', 'electricity'] as const).map(
  none,
);
