// A browser as the accounts see it: its address and its cookies.
import type { Visitor } from '../../src/members/accounts.ts';

export class Browser implements Visitor {
	address = '192.0.2.1';
	headers = new Headers({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
	#cookies = new Map<string, string>();

	constructor(address?: string) {
		if (address) this.address = address;
	}

	/** Keeps cookies, as a browser does. */
	keep({ cookies }: { cookies: string[] }) {
		for (const line of cookies) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (/Max-Age=0/i.test(line)) this.#cookies.delete(name);
			else this.#cookies.set(name, value);
		}
		return this.#send();
	}

	/** Another browser with only those of these cookies whose name contains the text. */
	stolen(text: string) {
		const thief = new Browser('203.0.113.66');
		const cookies = [...this.#cookies].filter(([name]) => name.includes(text));
		return thief.keep({ cookies: cookies.map((pair) => pair.join('=')) });
	}

	/** Forgets the cookies whose name contains the text. */
	forget(text: string) {
		for (const name of this.#cookies.keys()) if (name.includes(text)) this.#cookies.delete(name);
		return this.#send();
	}

	#send() {
		const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
		this.headers.set('cookie', cookies.join('; '));
		return this;
	}
}
