import { anyFont, page, pairs } from './page.ts';
import { Paper } from './paper.ts';
import { aadhaar, cin, company, individual, limited, person, tan } from './people.ts';

const born = (paper: Paper): string =>
  `19${paper.dice.int(50, 99)}-0${paper.dice.int(1, 9)}-2${paper.dice.int(0, 8)}`;

function panCard(way: 'card' | 'e-pan' | 'company') {
  return (seed: number): Paper => {
    const paper = new Paper('pan_card', way, seed);
    const { dice } = paper;
    const party = way === 'company' ? limited(dice) : individual(dice);
    paper.text('pan', party.pan);
    const name = paper.text('name', party.name, party.name.toUpperCase());
    const day = paper.date(
      way === 'company' ? 'date_of_incorporation' : 'date_of_birth',
      born(paper),
      'd/m/Y',
    );
    paper.allow('gender');
    const father = way === 'company' ? '' : paper.text('father_name', person(dice)).toUpperCase();
    const top = `<div class="two"><b>आयकर विभाग<br>INCOME TAX DEPARTMENT</b><b class="r">भारत सरकार<br>GOVT. OF INDIA</b></div>`;
    if (way === 'e-pan')
      paper.html = page(
        `${top}<h2 class="c">ई- स्थायी लेखा संख्या कार्ड<br>e - Permanent Account Number (e-PAN) Card</h2><h1 class="c">${party.pan}</h1>${pairs(
          [
            ['नाम / Name', name],
            ["पिता का नाम / Father's Name", father],
            ['जन्म की तारीख / Date of Birth', day],
            ['लिंग / Gender', 'Male'],
          ],
          ' ',
        )}<p class="small">Permanent Account Number (PAN) facilitate Income Tax Department linking of various documents, including payment of taxes, assessment, tax demand tax arrears, matching of information.</p>`,
        'arial',
        10,
      );
    else {
      paper.size = '340px 215px';
      paper.html = page(
        `${top}${way === 'card' ? `<p class="c small">स्थायी लेखा संख्या कार्ड<br>Permanent Account Number Card</p><h2 class="c">${party.pan}</h2><p class="small">नाम / Name</p><b>${name}</b><p class="small">पिता का नाम/ Father's Name</p><b>${father}</b><p class="small">जन्म की तारीख / Date of Birth</p><b>${day}</b>` : `<p><b>${name}</b></p><p class="small">निगमन/गठन की तारीख<br>Date of Incorporation/Formation</p><b>${day}</b><p class="small">Permanent Account Number</p><h2>${party.pan}</h2>`}`,
        'arial',
        8,
        '@page{margin:3mm}',
      );
    }
    return paper;
  };
}

function aadhaarCard(way: 'card' | 'letter') {
  return (seed: number): Paper => {
    const paper = new Paper('aadhaar', way, seed);
    const { dice } = paper;
    const party = individual(dice);
    const number = aadhaar(dice);
    paper.text('aadhaar', number.slice(8));
    const shown = `${number.slice(0, 4)} ${number.slice(4, 8)} ${number.slice(8)}`;
    const name = paper.text('name', party.name);
    const day = paper.date('date_of_birth', born(paper), 'd/m/Y');
    const gender = paper.text('gender', dice.pick(['Male', 'Female']));
    paper.allow('address');
    const face = `<p class="b">भारत सरकार &nbsp; Government of India</p><p>नंदिनी<br>${name}</p><p>जन्म तिथि / DOB : ${day}</p><p>${gender === 'Male' ? 'पुरुष' : 'महिला'} / ${gender.toUpperCase()}</p><h2 class="c">${shown}</h2><p class="c small">VID : 91${dice.digits(2)} ${dice.digits(4)} ${dice.digits(4)} ${dice.digits(4)}</p><p class="c">मेरा आधार, मेरी पहचान</p>`;
    paper.html = page(
      way === 'card'
        ? `<div class="box">${face}</div><div class="box"><p class="b">भारतीय विशिष्ट पहचान प्राधिकरण<br>Unique Identification Authority of India</p><p>Address: S/O ${person(dice)}, ${party.address}</p><h2 class="c">${shown}</h2></div>`
        : `<p class="b">भारतीय विशिष्ट पहचान प्राधिकरण<br>Unique Identification Authority of India</p><p>नामांकन क्रम/ Enrolment No.: ${dice.digits(4)}/${dice.digits(5)}/${dice.digits(5)}</p><p>To<br>${name}<br>S/O ${person(dice)}<br>${party.address}<br>Mobile: 98${dice.digits(8)}</p><p class="c">आपका आधार क्रमांक / Your Aadhaar No. :</p><h1 class="c">${shown}</h1><p class="c">मेरा आधार, मेरी पहचान</p><hr>${face}`,
      'arial',
      10,
    );
    return paper;
  };
}

function incorporation(way: 'company' | 'llp') {
  return (seed: number): Paper => {
    const paper = new Paper('incorporation', way, seed);
    const { dice } = paper;
    const party = limited(dice);
    const name = way === 'llp' ? party.name.replace('Private Limited', 'LLP') : party.name;
    paper.text('name', name);
    const day = `${dice.int(2018, 2025)}-0${dice.int(1, 9)}-1${dice.int(0, 9)}`;
    paper.date('date_of_incorporation', day);
    paper.allow('registrar', 'date', 'tan', 'pan', 'year', 'address');
    const words = `${new Date(day).toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })} two thousand and some`;
    const shown = paper.d(day, 'D Month, Y');
    if (way === 'company') {
      const number = paper.text('cin', cin(dice, party.state[1]).replace(/\d{4}(?=PTC)/, day.slice(0, 4)));
      paper.text('pan', party.pan);
      const of = paper.text('tan', tan(dice, name));
      paper.html = page(
        `<p class="c">GOVERNMENT OF INDIA<br>MINISTRY OF CORPORATE AFFAIRS</p><p class="c">Central Registration Centre</p><h2 class="c">Certificate of Incorporation</h2><p class="c small">[Pursuant to sub-section (2) of section 7 and sub-section (1) of section 8 of the Companies Act, 2013 (18 of 2013) and rule 18 of the Companies (Incorporation) Rules, 2014]</p><p>I hereby certify that <b>${name.toUpperCase()}</b> is incorporated on this ${shown} under the Companies Act, 2013 (18 of 2013) and that the company is limited by shares.</p><p>The Corporate Identity Number of the company is <b>${number}</b>.</p><p>The Permanent Account Number (PAN) of the company is <b>${party.pan}</b>*</p><p>The Tax Deduction and Collection Account Number (TAN) of the company is <b>${of}</b>*</p><p>Given under my hand at Manesar this ${shown}.</p><p class="r">Registrar of Companies<br>For and on behalf of the Jurisdictional Registrar of Companies</p>`,
        anyFont(dice),
        11,
      );
    } else {
      const number = paper.text('llpin', `A${dice.letters(2)}-${dice.digits(4)}`);
      paper.html = page(
        `<p class="c">FORM 16<br>[Refer Rule 11(3) of the LLP Rules, 2009]</p><h2 class="c">CERTIFICATE OF INCORPORATION</h2><p>LLP Identification Number : <b>${number}</b></p><p>It is hereby certified that <b>${name}</b> is incorporated on this ${shown} (${words}) pursuant to section 12(1) of the Limited Liability Partnership Act, 2008.</p><p>Given at ${party.state[3]} this ${shown}.</p><p class="r">REGISTRAR<br>Ministry of Corporate Affairs</p>`,
        anyFont(dice),
        11,
      );
    }
    return paper;
  };
}

function deed(way: 'partnership' | 'lease' | 'sale' | 'trust') {
  return (seed: number): Paper => {
    const paper = new Paper('deed', way, seed);
    const { dice } = paper;
    const first = individual(dice);
    const second = individual(dice);
    const firm = company(dice);
    const day = paper.date(
      'date',
      `${dice.int(2015, 2025)}-0${dice.int(4, 9)}-1${dice.int(0, 9)}`,
      dice.pick(['D Month, Y', 'd/m/Y'] as const),
    );
    paper.allow('deed_kind', 'partners', 'place', 'capital', 'firm_name', 'pan', 'name', 'year', 'amount');
    const city = firm.state[3];
    const parties = `<p><b>${first.name}</b>, son of ${person(dice)}, aged 44 years, residing at ${first.address} (hereinafter called the Party of the FIRST PART)</p><p class="c">AND</p><p><b>${second.name}</b>, aged 39 years, residing at ${second.address} (hereinafter called the Party of the SECOND PART)</p>`;
    const text = {
      partnership: `<h1 class="c">DEED OF PARTNERSHIP</h1><p>THIS DEED OF PARTNERSHIP is made and executed at ${city} on this ${day} BETWEEN</p>${parties}<p>WHEREAS the parties have agreed to carry on business in partnership under the name and style of <b>M/s. ${firm.name}</b>.</p><p>1. That the business shall be carried on at ${firm.address}.</p><p>2. The profits and losses shall be shared equally by the partners.</p><p>3. The capital shall be contributed as mutually agreed. Interest @ 12% p.a. as per section 40(b).</p>`,
      lease: `<h1 class="c">LEASE DEED</h1><p>This Deed of Lease is made at ${city} on ${day} between</p>${parties}<p>WHEREAS the Lessor is the absolute owner of the premises at ${firm.address}; NOW THIS DEED WITNESSETH that the Lessor demises the premises to the Lessee for eleven months at a monthly rent of Rs. 45,000/-.</p>`,
      sale: `<h1 class="c">SALE DEED</h1><p>THIS SALE DEED executed on ${day} at ${city} by</p>${parties}<p>The Vendor hereby conveys to the Purchaser the schedule property for a consideration of Rs. 62,50,000/- paid by RTGS. SCHEDULE OF PROPERTY: Survey No. 112/2, bounded on the East by road.</p>`,
      trust: `<h1 class="c">TRUST DEED</h1><p>THIS DEED OF TRUST is made at ${city} on this ${day} by ${first.name}, hereinafter called the SETTLOR, and ${second.name}, hereinafter called the TRUSTEE.</p><p>The Settlor is desirous of creating a public charitable trust by the name of ${firm.name.split(' ')[0]} Charitable Trust with a corpus of Rs. 11,000/-.</p>`,
    }[way];
    paper.html = page(
      `${text}<p>IN WITNESS WHEREOF the parties have set their hands on the day and year first above written.</p><p>WITNESSES:<br>1.<br>2.</p>`,
      anyFont(dice),
      11,
    );
    return paper;
  };
}

export const identityLayouts = {
  pan_card: [panCard('card'), panCard('e-pan'), panCard('company')],
  aadhaar: [aadhaarCard('card'), aadhaarCard('letter')],
  incorporation: [incorporation('company'), incorporation('llp')],
  deed: [deed('partnership'), deed('lease'), deed('sale'), deed('trust')],
};
