import type { en } from './en.ts';
import { plural } from '#server/text/plural.ts';

export const hi: typeof en = {
  items: (n) => plural('hi', n, { other: '# आइटम' }),
  documents: (n) => plural('hi', n, { other: '# दस्तावेज़' }),
  andMore: (name, n) => `${name} ${plural('hi', n, { other: 'और # अन्य' })}`,

  hello: 'नमस्ते,',
  linkSubject: (firm, what) => `${firm} ने आपके साथ यह साझा किया है: ${what}`,
  linkFrom: (name, firm, what) => `${firm} से ${name} ने आपके साथ यह साझा किया है: ${what}।`,
  open: 'खोलें',
  proves: 'खोलने के लिए यही ई-मेल पता दें। फिर इस पते पर एक कोड भेजा जाएगा।',
  password: (name) => `यह पासवर्ड से खुलेगा, जो ${name} आपको बताएँगे।`,
  until: 'कब तक उपलब्ध',
  questions: (name, email) => `कोई सवाल? ${name} को ${email} पर लिखें।`,

  codeSubject: (code, firm) => `${firm} ने जो साझा किया है उसे खोलने का आपका कोड: ${code}`,
  codeEnter: (code) => `जिस पेज ने कोड माँगा था, वहाँ यह कोड लिखें: ${code}`,
  codeGood: 'यह 10 मिनट तक, उसी ब्राउज़र में चलेगा जहाँ आपने कोड माँगा था।',
  codeNotAsked: 'अगर आपने कोड नहीं माँगा, तो कुछ करने की ज़रूरत नहीं। कोड किसी को न बताएँ।',
};
