import { grammarOf } from '../../grammar.ts';

const { count, list } = grammarOf('hi-IN');

const plural = (n: number, forms: { one: string; other: string }): string =>
  (n === 0 || n === 1 ? forms.one : forms.other).replace('#', String(n));

// pages/r: the page of a document request, for the client
export const pageTitle = (firm: string) => `${firm} के लिए दस्तावेज़`;
export const askedBy = (name: string, firm: string) => `${firm} से ${name} को आपसे ये दस्तावेज़ चाहिए।`;
export const askedByFirm = (firm: string) => `${firm} को आपसे ये दस्तावेज़ चाहिए।`;
export const due = (day: string) => `कृपया ${day} तक भेजें`;
export const overdue = (day: string) => `${day} तक चाहिए था। कृपया जल्द से जल्द भेजें`;
export const progress = (done: number, all: number, unavailable: number) =>
  `${all} में से ${plural(done, { one: '# भेजा', other: '# भेजे' })}${unavailable > 0 ? `, ${unavailable} उपलब्ध नहीं` : ''}`;
export const rows = 'दस्तावेज़';
export const states = {
  wanted: 'चाहिए',
  arriving: 'मिल गया',
  received: 'मिल गया',
  accepted: 'स्वीकृत',
  returned: 'कृपया फिर भेजें',
  stillWanted: 'अब भी चाहिए',
  unavailable: 'उपलब्ध नहीं',
};
export const officeReason = (reason: string) => `कार्यालय से: ${reason}`;
export const arrivingPhotos = 'आपकी फ़ोटो से PDF बनाई जा रही है।';
export const arrivingFiles = 'कार्यालय के खोलने से पहले इसकी जाँच हो रही है।';
export const yourReason = (reason: string) => `आपने लिखा: ${reason}`;
export const locked = 'पासवर्ड से खुलता है: कार्यालय को पासवर्ड बताएँ';
export const pages = (n: number) => plural(n, { one: '1 फ़ोटो', other: '# फ़ोटो' });
export const arrivedFile = 'मिल गई';
export const acceptedFile = '· स्वीकृत';
export const notAccepted = 'अस्वीकृत';
export const notAcceptedBecause = (reason: string) => `अस्वीकृत: ${reason}`;
export const sentBack = (n: number) =>
  plural(n, {
    one: 'कार्यालय ने 1 दस्तावेज़ वापस भेजा है। कारण नीचे देखें, और उसे फिर भेजें।',
    other: 'कार्यालय ने # दस्तावेज़ वापस भेजे हैं। कारण नीचे देखें, और उन्हें फिर भेजें।',
  });
export const sendAgainOnly = 'जो स्वीकार नहीं हुआ, केवल वही फिर भेजें। बाकी फ़ाइलें वैसी ही रहेंगी।';
export const takeBack = 'वापस लें';
export const takeBackFile = (file: string) => `${file} वापस लें`;
export const takeBackAbout =
  'कार्यालय ने यह फ़ाइल अभी नहीं खोली है। अगर ग़लती से भेजी है, तो वापस लें: तब यह कार्यालय के ट्रैश में जाएगी, और आपकी भेजी फ़ाइलों में नहीं रहेगी।';
export const takeBackNow = 'हाँ, वापस लें';
export const chooseFiles = 'फ़ाइलें चुनें';
export const takePhotos = 'फ़ोटो लें';
export const filesFor = (row: string) => `${row} के लिए फ़ाइलें`;
export const photosFor = (row: string) => `${row} के लिए फ़ोटो`;
export const send = 'भेजें';
export const sendPhotosForms = {
  one: '1 फ़ोटो भेजें',
  other: '{n} फ़ोटो एक PDF में भेजें',
  several: '{n} फ़ोटो {pdfs} PDF में भेजें',
};
export const photosNotSent = 'अभी भेजा नहीं गया है। और पेज जोड़ें, या नीचे के बटन से भेजें।';
export const removePhoto = 'फ़ोटो {n} हटाएँ';
export const movePhoto = 'फ़ोटो {n} आगे करें';
export const uploading = '{name} भेजी जा रही है: {percent}%';
export const sendingPhotos = 'फ़ोटो भेजी जा रही हैं: अब तक {all} में से {n}';
export const offline = 'संपर्क नहीं हो पा रहा है। भेजना अपने आप आगे चलेगा: यह पेज खुला रखें।';
export const interrupted = '{name} नहीं पहुँची। आगे भेजने के लिए इसे फिर चुनें।';
export const makingPdf = 'आपकी फ़ोटो की PDF बन रही है…';
export const photosArrivedForms = {
  other: '{n} फ़ोटो एक PDF में पहुँच गईं',
  several: '{n} फ़ोटो {pdfs} PDF में पहुँच गईं',
};
export const unread =
  'ये फ़ोटो के रूप में पढ़ी नहीं जा सकीं, इसलिए PDF के पन्नों के रूप में नहीं, अलग फ़ाइलों के रूप में भेजी गईं: {names}। जाँच लें कि ये खुलती हैं, या फ़ोटो फिर से लें।';
export const sent = '{name} पहुँच गई';
export const alreadySent = '{name} आप पहले भेज चुके हैं। यह एक ही बार रखी गई है।';
export const alreadySentSeveral = 'इनमें से {n} फ़ाइलें आप पहले भेज चुके हैं। ये एक ही बार रखी गई हैं।';
export const retry = 'फिर कोशिश करें';
export const closeMessage = 'यह संदेश बंद करें';
export const doNotHave = 'यह मेरे पास नहीं है';
export const reason = 'क्यों? (लिखना ज़रूरी नहीं)';
export const reasonHint = 'जैसे: ऐसा कोई खाता नहीं, या नियोक्ता ने अभी नहीं दिया';
export const tellOffice = 'कार्यालय को बताएँ';
export const haveItAfterAll = 'यह मेरे पास है';
export const finish = 'जो भेजना संभव था, भेज दिया';
export const sendingFirst = 'पहले आपकी फ़ाइलें भेजी जा रही हैं…';
export const stillOpenForms = {
  one: '1 दस्तावेज़ अभी बाकी है। फिर भी समाप्त करें?',
  other: '{n} दस्तावेज़ अभी बाकी हैं। फिर भी समाप्त करें?',
};
export const notArrivedForms = {
  one: '1 फ़ाइल नहीं पहुँची। उसके बिना समाप्त करें?',
  other: '{n} फ़ाइलें नहीं पहुँचीं। उनके बिना समाप्त करें?',
};
export const moreNames = 'और {n} अन्य';
export const finishAnyway = 'हाँ, समाप्त करें';
export const goBack = 'नहीं, वापस जाएँ';
export const finishAbout = 'आपको नंबर के साथ रसीद मिलेगी। आप इस पेज पर लौटकर और भेज सकते हैं।';
export const receipt = (n: number) =>
  n === 0 ? 'आपका जवाब मिला' : plural(n, { one: '1 फ़ाइल मिली', other: '# फ़ाइलें मिलीं' });
export const receiptNumber = (number: string) => `रसीद सं. ${number}`;
export const receiptSoFar = (when: string) => `${when} को। जो बाकी है, वह आप अब भी भेज सकते हैं।`;
export const receiptAbout = (when: string) => `${when} को। अब आप यह पेज बंद कर सकते हैं।`;
export const receiptBefore = (when: string, n: number) =>
  `${when} को। ${plural(n, { one: 'उसके बाद 1 फ़ाइल आई है।', other: 'उसके बाद # फ़ाइलें आई हैं।' })} सबकी रसीद के लिए “${finish}” दबाएँ।`;
export const receiptTakenBack = (n: number) =>
  plural(n, {
    one: 'इनमें से 1 फ़ाइल आपने बाद में वापस ली है।',
    other: 'इनमें से # फ़ाइलें आपने बाद में वापस ली हैं।',
  });
export const complete = 'सब हो गया, धन्यवाद';
export const completeAbout = (firm: string) => `${firm} ने सब स्वीकार कर लिया है। अब और कुछ नहीं भेजना है।`;
export const closed = 'यह लिंक बंद है';
export const closedAsk = (name: string, firm: string) =>
  `इस लिंक से अभी कुछ नहीं भेजा जा सकता। अगर आपको अब भी कुछ भेजना है, तो ${firm} से ${name} से पूछें।`;
export const closedAskFirm = (firm: string) =>
  `इस लिंक से अभी कुछ नहीं भेजा जा सकता। अगर आपको अब भी कुछ भेजना है, तो ${firm} से पूछें।`;
export const notTaken = 'आपने अभी जो भेजा, वह नहीं लिया गया, क्योंकि यह लिंक बंद है।';
export const questions = 'कोई सवाल? लिखें:';
export const arrivedFor = (names: readonly string[]) => `आपकी फ़ाइलें पहुँच गईं: ${list(names)}।`;
export const refusedMore = (n: number) =>
  plural(n, {
    one: '1 और फ़ाइल नहीं ली गई। जो पहुँचा है, वह नीचे है।',
    other: '# और फ़ाइलें नहीं ली गईं। जो पहुँचा है, वह नीचे है।',
  });
const papersOnly = 'इस लिंक से केवल PDF और फ़ोटो भेजी जा सकती हैं। इसे PDF बनाकर भेजें।';
/** @param papers whether the link takes only PDFs and photos. */
export const notices = (mb: number, papers = false): Record<string, string> => ({
  arrived: 'आपकी फ़ाइलें पहुँच गईं।',
  done: 'धन्यवाद। आपकी रसीद नीचे है।',
  taken_back: 'फ़ाइल वापस ले ली गई।',
  in_use: 'कार्यालय इस फ़ाइल पर काम कर रहा है। ग़लती से भेजी हो, तो कार्यालय को लिखें।',
  none: 'पहले कम से कम एक फ़ाइल चुनें।',
  nothing: 'अभी कुछ नहीं पहुँचा। पहले कुछ भेजें, या बताएँ कि क्या आपके पास नहीं है।',
  not_ours: 'कृपया फिर कोशिश करें। अगर यह बार-बार आए, तो ब्राउज़र में इस पेज के लिए कुकी की अनुमति दें।',
  empty: 'यह फ़ाइल ख़ाली है। खोलकर जाँचें, और फिर भेजें।',
  program: 'यह दस्तावेज़ नहीं, प्रोग्राम है। इसे नहीं लिया गया।',
  not_what_it_says: 'यह फ़ाइल अपने नाम जैसी नहीं है, या ख़राब है। खोलकर जाँचें, और फिर भेजें।',
  papers_only: papersOnly,
  kind: papers ? papersOnly : 'इस तरह की फ़ाइलें नहीं ली जातीं। PDF, फ़ोटो, Word या Excel फ़ाइल भेजें।',
  infected: 'इस फ़ाइल में वायरस है। इसे नहीं लिया गया।',
  file_too_large: `यह फ़ाइल बहुत बड़ी है: ज़्यादा से ज़्यादा ${count(mb)} MB। टुकड़ों में भेजें, या कार्यालय से पूछें।`,
  too_large: 'एक साथ बहुत सारी या बहुत बड़ी फ़ाइलें हैं। कई बार में भेजें।',
  too_many: 'इस लिंक से और नहीं भेजा जा सकता। कार्यालय से दूसरा लिंक माँगें।',
  cannot_receive: 'कार्यालय इसे अभी नहीं ले सकता। आपकी फ़ाइल में कोई कमी नहीं: कार्यालय को बताएँ, और बाद में कोशिश करें।',
  wait: 'कम समय में बहुत हो गया। कृपया पंद्रह मिनट रुककर फिर कोशिश करें।',
  cut_off: 'भेजना बीच में रुक गया। कृपया फिर कोशिश करें।',
  stalled: 'भेजना बीच में रुक गया। कृपया फिर कोशिश करें।',
  lost: 'यह फ़ाइल रखी नहीं जा सकी। कृपया फिर भेजें।',
  unreadable: 'चुनने के बाद यह फ़ाइल बदली, हटाई या मिटाई गई है। इसे फिर से चुनें।',
  not_needed: 'कार्यालय ने यह दस्तावेज़ स्वीकार कर लिया है, या अब उसे यह नहीं चाहिए। इसके लिए कुछ नहीं भेजा गया।',
  file_gone: 'यह फ़ाइल अब आपकी भेजी हुई फ़ाइलों में नहीं है।',
  link_gone:
    'यह लिंक अब काम नहीं करता, इसलिए कुछ नहीं भेजा गया। अगर कार्यालय को अब भी कुछ चाहिए, तो उससे नया लिंक माँगें।',
  fault:
    'हमारी ओर से कुछ गड़बड़ हुई, और जो आपने अभी भेजा वह शायद नहीं पहुँचा। कृपया कुछ मिनट बाद फिर भेजें, और तब भी न हो तो कार्यालय को बताएँ। जो फ़ाइल पहुँच चुकी है, वह दोबारा नहीं ली जाती।',
  failed: 'यह नहीं हो सका। कृपया फिर कोशिश करें।',
});
