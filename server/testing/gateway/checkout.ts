/** The checkout script that a shop loads. It shows the gateway's page in a frame and reports the outcome. */
export const checkoutScript = (origin: string): string => `'use strict';
(() => {
  const ORIGIN = ${JSON.stringify(origin)};
  window.Razorpay = class Razorpay {
    constructor(options) {
      if (!options || !options.key) throw new Error('No key passed');
      if (!options.order_id) throw new Error('No order passed');
      this.options = options;
      this.listeners = {};
      this.onMessage = (event) => this.receive(event);
    }
    on(name, call) { (this.listeners[name] ||= []).push(call); }
    open() {
      const query = new URLSearchParams({
        key_id: this.options.key, order_id: this.options.order_id,
        name: this.options.name || '', description: this.options.description || '',
        email: this.options.prefill?.email || '', contact: this.options.prefill?.contact || '',
        payer: this.options.prefill?.name || '', color: this.options.theme?.color || '',
        amount: String(this.options.amount || ''),
      });
      this.box = document.createElement('div');
      this.box.className = 'razorpay-container';
      this.box.style.cssText = 'position:fixed;inset:0;z-index:2147483647';
      this.frame = document.createElement('iframe');
      this.frame.className = 'razorpay-checkout-frame';
      this.frame.title = 'Payment';
      this.frame.allow = 'payment';
      this.frame.style.cssText = 'width:100%;height:100%;border:0;color-scheme:light';
      this.frame.src = ORIGIN + '/v1/checkout/public?' + query;
      this.box.append(this.frame);
      document.body.append(this.box);
      window.addEventListener('message', this.onMessage);
      this.pageOverflow = document.body.style.overflow;
      document.body.style.overflow = 'hidden';
      this.frame.focus();
    }
    close() {
      window.removeEventListener('message', this.onMessage);
      this.box?.remove();
      document.body.style.overflow = this.pageOverflow || '';
    }
    receive({ origin, source, data }) {
      if (origin !== ORIGIN || source !== this.frame.contentWindow) return;
      if (data.event === 'failed') for (const call of this.listeners['payment.failed'] || []) call({ error: data.error });
      if (data.event === 'success') { this.close(); this.options.handler?.(data.response); }
      if (data.event === 'dismiss') { this.close(); this.options.modal?.ondismiss?.(); }
      if (data.event === 'vanish') this.close();
    }
  };
})();
`;

const escape = (text: string) => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

export interface CheckoutDetails {
  orderId: string;
  keyId: string;
  rupees: string;
  name: string;
  description: string;
  payer: string;
}

/** The page in the frame: pay, fail, close, or pay and lose the response. */
export const checkoutPage = ({
  orderId,
  keyId,
  rupees,
  name,
  description,
  payer,
}: CheckoutDetails): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payment (emulated)</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #0f172a99; font: 15px/1.5 system-ui, sans-serif; color: #0f172a }
  main { width: min(92vw, 340px); background: #fff; border-radius: 12px; overflow: hidden; box-shadow: 0 20px 50px #0006 }
  header { background: #1d4ed8; color: #fff; padding: 16px 20px } h1 { font-size: 16px; margin: 0 } header p { margin: 2px 0 0; opacity: .85 }
  form { display: grid; gap: 10px; padding: 20px } button { font: inherit; padding: 10px; border-radius: 8px; border: 1px solid #cbd5e1; background: #fff; cursor: pointer }
  button[value=success] { background: #1d4ed8; color: #fff; border-color: #1d4ed8; font-weight: 600 } small { color: #475569 } output { color: #b91c1c }
</style>
<main>
  <header><h1>${escape(name)}</h1><p>${escape(description)}</p><p><b>${escape(rupees)}</b></p></header>
  <form>
    <small>An emulated gateway: no money moves.<br>${escape(payer)}</small>
    <button type="button" value="success">Pay ${escape(rupees)}</button>
    <button type="button" value="failure">Let the bank decline it</button>
    <button type="button" value="vanish">Pay, but the answer gets lost</button>
    <button type="button" value="dismiss">Close</button>
    <output></output>
  </form>
</main>
<script>
  const post = (message) => parent.postMessage(message, '*');
  const dismiss = () => post({ event: 'dismiss' });
  addEventListener('keydown', (event) => { if (event.key === 'Escape') dismiss(); });
  addEventListener('click', async ({ target }) => {
    const outcome = target.value;
    if (!outcome) return;
    if (outcome === 'dismiss') return dismiss();
    const answer = await fetch('/v1/checkout/attempt', {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order_id: ${JSON.stringify(orderId)}, key_id: ${JSON.stringify(keyId)}, outcome }),
    }).then((response) => response.json());
    if (outcome === 'vanish') return post({ event: 'vanish' });
    if (!answer.error) return post({ event: 'success', response: answer });
    document.querySelector('output').textContent = answer.error.description;
    post({ event: 'failed', error: answer.error });
  });
</script>
</html>
`;
