// A device in words, as far as its user agent tells.
import { parse } from 'bowser';

/** "Firefox on Windows", or the name of a program. */
export function deviceName(userAgent: string) {
	if (!userAgent) return 'Unknown device';
	const { browser, os } = parse(userAgent);
	const name = browser.name || userAgent.replace(/[\s/].*/, '');
	return os.name ? `${name} on ${os.name}` : name;
}
