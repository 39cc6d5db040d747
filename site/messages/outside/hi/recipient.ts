import { grammarOf } from '../../grammar.ts';

const { plural, count } = grammarOf('hi-IN');

// pages/s: a shared link, for people outside the firm
export const sharedBy = (firm: string) => `${firm} ने साझा किया`;
export const from = (name: string, firm: string) => `${firm} से ${name} ने आपके साथ यह साझा किया है।`;
export const until = (day: string) => `${day} तक उपलब्ध।`;
export const viewOnly = 'आप इसे देख सकते हैं, डाउनलोड नहीं कर सकते। हर पेज पर लिखा रहता है कि उसे किसने और कब खोला।';
export const downloadsLeft = (n: number) =>
  plural(n, {
    one: '1 बार और डाउनलोड हो सकता है: एक फ़ाइल, या सब एक साथ।',
    other: '# बार और डाउनलोड हो सकता है: हर बार एक फ़ाइल, या सब एक साथ।',
  });
export const laterFilesIncluded = 'साझा फ़ोल्डर में बाद में जो जोड़ा जाएगा, वह भी यहाँ दिखेगा।';
export const files = 'साझा की गई फ़ाइलें';
export const path = 'फ़ोल्डर';
export const all = 'सभी';
export const downloadAll = 'सभी डाउनलोड करें';
export const downloadFolder = 'यह फ़ोल्डर डाउनलोड करें';
export const downloadChosen = 'चुनी हुई डाउनलोड करें';
export const download = 'डाउनलोड करें';
export const downloadOne = (name: string) => `${name} डाउनलोड करें`;
export const choose = (name: string) => `${name} चुनें`;
export const folder = 'फ़ोल्डर';
export const empty = 'इस फ़ोल्डर में अभी कुछ नहीं है।';
export const more = 'और दिखाएँ';
export const asList = 'सूची';
export const asGrid = 'ग्रिड';
export const page = (n: number, of: number) => `पेज ${n}, कुल ${of}`;
/** Which pages of a long document are shown. */
export const pageRange = (from: number, to: number, of: number) =>
  `पेज ${count(from)}–${count(to)}, कुल ${count(of)}`;
export const previousPages = 'पिछले पेज';
export const pages = (n: number) => plural(n, { other: '# पेज' });
export const back = 'सूची पर वापस';
export const notShown = {
  kind: {
    withDownload: 'इस तरह की फ़ाइल यहाँ नहीं दिखाई जा सकती। खोलने के लिए डाउनलोड करें।',
    withoutDownload: 'इस तरह की फ़ाइल यहाँ नहीं दिखाई जा सकती।',
  },
  unreadable: {
    withDownload:
      'यह फ़ाइल नहीं दिखाई जा सकती: यह ख़राब है, बहुत बड़ी है, या केवल पासवर्ड से खुलती है। खोलने के लिए डाउनलोड करें।',
    withoutDownload: 'यह फ़ाइल नहीं दिखाई जा सकती: यह ख़राब है, बहुत बड़ी है, या केवल पासवर्ड से खुलती है।',
  },
  locked: {
    withDownload: 'यह PDF केवल पासवर्ड से खुलती है, इसलिए यहाँ नहीं दिखाई जाती। डाउनलोड करके पासवर्ड से खोलें।',
    withoutDownload: 'यह PDF केवल पासवर्ड से खुलती है, इसलिए यहाँ नहीं दिखाई जाती।',
  },
  withheld: {
    withDownload:
      'इस लिंक में आधार नंबर ढके जाते हैं। इस फ़ाइल में ऐसा नहीं हो सकता, इसलिए यह नहीं दी जाती। भेजने वाले से माँगें।',
    withoutDownload:
      'इस लिंक में आधार नंबर ढके जाते हैं। इस फ़ाइल में ऐसा नहीं हो सकता, इसलिए यह नहीं दी जाती। भेजने वाले से माँगें।',
  },
  waiting: {
    withDownload: 'इस फ़ाइल में आधार नंबर ढके जा रहे हैं। कृपया कुछ मिनट बाद फिर कोशिश करें।',
    withoutDownload: 'इस फ़ाइल में आधार नंबर ढके जा रहे हैं। कृपया कुछ मिनट बाद फिर कोशिश करें।',
  },
  busy: {
    withDownload: 'सर्वर अभी व्यस्त है। कृपया एक मिनट में फिर कोशिश करें।',
    withoutDownload: 'सर्वर अभी व्यस्त है। कृपया एक मिनट में फिर कोशिश करें।',
  },
};
export const masked = 'यहाँ आधार नंबर ढके हुए हैं, केवल आख़िरी चार अंक दिखते हैं।';
export const withheld = 'नहीं दी जाती: इसमें आधार नंबर नहीं ढके जा सकते';
export const withheldLocked = 'नहीं दी जाती: यह केवल पासवर्ड से खुलती है';
export const preparing = 'अभी तैयार नहीं: आधार नंबर ढके जा रहे हैं';
export const tryAgain = 'फिर कोशिश करें';
export const opening = 'खुल रहा है…';

export const insideZip = 'इस ZIP में';
export const attached = 'इस ई-मेल के साथ';
export const insideMore = (n: number) => plural(n, { one: '# और है।', other: '# और हैं।' });
export const insideLocked = 'पासवर्ड से खुलती है';
export const insideViewOnly = 'आप केवल नाम देख सकते हैं। यह लिंक केवल देखने के लिए है, इसलिए ये फ़ाइलें यहाँ नहीं खुल सकतीं।';
export const insideUp = 'ऊपर';
export const insideBack = (name: string) => `${name} पर वापस`;

// Forms that ask for an e-mail address, a code or a password
export const proveTitle = 'अपने ई-मेल पते की पुष्टि करें';
export const proveAbout = (firm: string) =>
  `${firm} ने कुछ ख़ास लोगों के साथ दस्तावेज़ साझा किए हैं। अपना ई-मेल पता दें, उस पर एक कोड भेजा जाएगा।`;
export const proveAboutNoEmail = (firm: string) =>
  `यह केवल कुछ ख़ास लोगों के लिए है, जो कोड से अपने पते की पुष्टि करते हैं। ${firm} का सर्वर अभी ई-मेल नहीं भेजता, इसलिए कोड आप तक नहीं पहुँच सकता: कृपया उन्हें बताएँ।`;
export const email = 'ई-मेल पता';
export const sendCode = 'कोड भेजें';
export const next = 'आगे';
export const codeTitle = 'कोड लिखें';
export const codeAbout =
  'अगर आपका पता उन लोगों में है जिनके साथ यह साझा किया गया है, तो छह अंकों का कोड भेज दिया गया है। यह 10 मिनट तक चलेगा।';
export const codeAboutNoEmail = (firm: string) =>
  `कोड नहीं भेजा गया, क्योंकि ${firm} का सर्वर अभी ई-मेल नहीं भेजता। कृपया उन्हें बताएँ, और जब भेजने लगे तब नया कोड लें।`;
export const code = 'कोड';
export const open = 'खोलें';
export const otherAddress = 'दूसरा पता दें, या नया कोड लें';
export const passwordTitle = 'पासवर्ड लिखें';
export const passwordAbout = (firm: string) =>
  `${firm} ने इसे पासवर्ड से सुरक्षित किया है। जिसने आपको लिंक भेजा है, वह आपको पासवर्ड बताएगा।`;
export const password = 'पासवर्ड';
export const notices: Record<string, string> = {
  again: 'कृपया फिर कोशिश करें। अगर यह बार-बार आए, तो ब्राउज़र में इस पेज के लिए कुकी की अनुमति दें।',
  code: 'यह कोड सही नहीं है, या इसका समय बीत गया है। जाँचें, या नया कोड मँगाएँ।',
  codes: 'बहुत बार ग़लत कोड लिखा गया। नया कोड मँगाएँ।',
  password: 'यह पासवर्ड सही नहीं है। बड़े और छोटे अक्षर अलग माने जाते हैं।',
  wait: 'बहुत बार कोशिश हो चुकी है। कृपया पंद्रह मिनट बाद फिर कोशिश करें, तब भी न हो तो कल।',
  none: 'पहले कम से कम एक फ़ाइल चुनें।',
  locked: 'यह फ़ाइल पासवर्ड से खुलती है। पूरी फ़ाइल डाउनलोड करके अपने कंप्यूटर पर खोलें।',
  withheld: 'इसमें आधार नंबर नहीं ढके जा सकते, इसलिए यह नहीं दी जाती। लिंक भेजने वाले से माँगें।',
  preparing: 'इसमें आधार नंबर अभी ढके जा रहे हैं। कृपया कुछ मिनट बाद फिर कोशिश करें।',
  tomorrow: 'आज इस लिंक से और डाउनलोड नहीं हो सकता। कृपया कल कोशिश करें, या भेजने वाले से पूछें।',
  fault: 'हमारी ओर से कुछ गड़बड़ हुई। कृपया कुछ मिनट बाद फिर कोशिश करें, और फिर भी हो तो लिंक भेजने वाले को बताएँ।',
};

// A page for people outside the firm that cannot be shown
export const pageFailed = 'यह पेज अभी नहीं दिखाया जा सकता';
export const pageFailedAbout =
  'हमारी ओर से कुछ गड़बड़ हुई। कृपया कुछ मिनट बाद फिर कोशिश करें। फिर भी हो, तो कार्यालय को यह नंबर बताएँ।';
export const formFailedAbout =
  'हमारी ओर से कुछ गड़बड़ हुई, और जो आपने अभी भेजा वह शायद नहीं पहुँचा। कृपया कुछ मिनट बाद फिर कोशिश करें: तब पेज बताएगा कि क्या करना है। फिर भी हो, तो कार्यालय को यह नंबर बताएँ।';

// The page of a link that has ended or never existed
export const goneTitle = 'यह लिंक उपलब्ध नहीं है';
export const goneAbout = 'हो सकता है इसका समय बीत गया हो, या पता अधूरा हो। जिसने इसे भेजा था, उनसे नया लिंक माँगें।';
// The page of a link that has ended, for a visitor who was inside before
export const usedUpTitle = 'सभी डाउनलोड हो चुके हैं';
export const usedUpAbout =
  'इस लिंक से जितनी बार डाउनलोड हो सकता था, उतनी बार हो चुका है। जो डाउनलोड शुरू हो चुका है, वह चलता रहेगा।';
export const endedTitle = 'इस लिंक का समय बीत गया है';
export const endedAbout = (day: string) => `यह ${day} तक उपलब्ध था।`;
export const askForNew = (name: string, firm: string) => `नए लिंक के लिए ${firm} से ${name} को कहें।`;
export const keptInProduct = (firm: string, product: string) => `${firm} अपने दस्तावेज़ ${product} में रखता है।`;
export const language = 'भाषा';

// The text that the sender passes on with the link, for example by WhatsApp
export const message = (firm: string, what: string, until: string, url: string) =>
  `${firm} ने आपके साथ यह साझा किया है: ${what}, ${until} तक उपलब्ध।\n${url}`;
export const items = (n: number) => plural(n, { other: '# आइटम' });
