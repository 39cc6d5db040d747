import type * as en from '../../en/drops.ts';
import { grammarOf } from '../../grammar.ts';
import type { Messages } from '../../types.ts';

const { count } = grammarOf('hi-IN');

/** The texts for people outside the firm; the others are for the firm's own screens. */
type Outside = Pick<
  Messages<typeof en>,
  | 'pageTitle'
  | 'title'
  | 'about'
  | 'sendingAbout'
  | 'limit'
  | 'papersOnly'
  | 'files'
  | 'send'
  | 'arrived'
  | 'refusedMore'
>;

export const drops: Outside = {
  pageTitle: (firm) => `${firm} को दस्तावेज़ भेजें`,
  title: 'दस्तावेज़ भेजें',
  about: (firm) => `${firm} के लिए फ़ोटो या फ़ाइलें चुनें। इस लिंक से उन्हें कोई नहीं देख सकता, न आप, न कोई और।`,
  sendingAbout: 'फ़ाइलें तुरंत चली जाती हैं, फ़ोटो “भेजें” दबाने पर।',
  limit: (mb) => `एक फ़ाइल ज़्यादा से ज़्यादा ${count(mb)} MB की हो।`,
  papersOnly: ' केवल PDF और फ़ोटो।',
  files: 'फ़ोटो या फ़ाइलें',
  send: 'भेजें',
  arrived: (n) =>
    n === 1
      ? 'आपकी फ़ाइल मिल गई है। आप यह पेज बंद कर सकते हैं।'
      : `${count(n)} फ़ाइलें मिल गई हैं। आप यह पेज बंद कर सकते हैं।`,
  refusedMore: (n) => (n === 1 ? '1 और फ़ाइल नहीं ली गई।' : `${count(n)} और फ़ाइलें नहीं ली गईं।`),
};
