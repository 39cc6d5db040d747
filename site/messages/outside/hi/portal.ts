import type * as en from '../../en/portal.ts';
import { grammarOf } from '../../grammar.ts';
import type { Messages } from '../../types.ts';

const { plural } = grammarOf('hi-IN');

/** The texts for people outside the firm; the others are for the firm's own screens. */
type Outside = Pick<
  Messages<typeof en>,
  | 'pageTitle'
  | 'proveAbout'
  | 'codeAbout'
  | 'openAs'
  | 'closeOnDevice'
  | 'pleaseSend'
  | 'nothingAsked'
  | 'due'
  | 'overdue'
  | 'more'
  | 'arriving'
  | 'send'
  | 'seeWhatYouSent'
  | 'allSent'
  | 'shared'
  | 'nothingShared'
  | 'until'
  | 'from'
  | 'viewOnly'
  | 'withPassword'
  | 'sendOther'
  | 'sendOtherAbout'
  | 'sent'
  | 'receipt'
  | 'filesOn'
  | 'notices'
  | 'message'
>;

export const portal: Outside = {
  pageTitle: (firm) => `${firm} में आपका पेज`,
  proveAbout: (firm) => `यह पेज ${firm} के एक क्लाइंट के लिए है। अपना ई-मेल पता दें, उस पर एक कोड भेजा जाएगा।`,
  codeAbout: 'अगर यह पेज आपके पते के लिए है, तो छह अंकों का कोड भेजा जा रहा है। यह 10 मिनट तक चलेगा।',
  openAs: (email) => `${email} से खोला गया`,
  closeOnDevice: 'इस डिवाइस पर बंद करें',
  pleaseSend: 'कृपया भेजें',
  nothingAsked: 'अभी आपसे कुछ नहीं माँगा गया है।',
  due: (day) => `${day} तक भेजें`,
  overdue: (day) => `${day} तक भेजना था`,
  more: (n) => plural(n, { other: 'और # अन्य' }),
  arriving: (document) => `${document}: मिल गया, कार्यालय के लिए तैयार किया जा रहा है`,
  send: 'दस्तावेज़ भेजें',
  seeWhatYouSent: 'देखें कि आपने क्या भेजा',
  allSent: 'और कुछ नहीं भेजना है। कार्यालय इसे देख रहा है।',
  shared: 'आपके साथ साझा',
  nothingShared: 'अभी आपके साथ कुछ साझा नहीं किया गया है।',
  until: (day) => `${day} तक`,
  from: (name) => `${name} की ओर से`,
  viewOnly: 'केवल देखने के लिए',
  withPassword: 'पासवर्ड के साथ',
  sendOther: 'कुछ और भेजें',
  sendOtherAbout: (firm) => `फ़ोटो या फ़ाइलें जो ${firm} को बिना माँगे देनी हों।`,
  sent: 'आपने भेजा',
  receipt: (number) => `रसीद सं. ${number}`,
  filesOn: (n, day) =>
    n === 0 ? `${day} को जवाब` : plural(n, { one: `${day} को 1 फ़ाइल`, other: `${day} को # फ़ाइलें` }),
  notices: {
    again: 'फिर से कोशिश करें। अगर यह दोबारा आए, तो ब्राउज़र में इस पेज के लिए कुकी की अनुमति दें।',
    code: 'यह कोड सही नहीं है, या इसका समय निकल गया है। जाँच लें, या नया कोड मँगाएँ।',
    codes: 'बहुत बार ग़लत कोड लिखा गया। नया कोड मँगाएँ।',
    wait: 'बहुत बार कोशिश हो चुकी है। पंद्रह मिनट बाद फिर कोशिश करें, तब भी न हो तो कल।',
    gone: 'यह अब आपके साथ साझा नहीं है।',
    left: 'इस डिवाइस पर पेज बंद कर दिया गया है। नए कोड से यह फिर खुलेगा।',
    fault: 'हमारी ओर से कुछ गड़बड़ हुई। कृपया कुछ मिनट बाद फिर कोशिश करें, और फिर भी हो तो कार्यालय को बताएँ।',
  },
  message: (firm, url) =>
    `${firm} में आपका पेज: हमें आपसे क्या चाहिए और हमने आपके साथ क्या साझा किया है। यह आपके ई-मेल पर भेजे गए कोड से खुलता है:\n${url}`,
};
