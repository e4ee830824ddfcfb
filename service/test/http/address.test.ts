import { expect, test } from 'vitest';
import { networkOf } from '../../src/http/address.ts';

test.each([
	['192.0.2.1', '192.0.2.1'],
	['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
	['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
	['2001:db8::9', '2001:db8:0:0::/64'],
	['fe80::1%eth0', 'fe80:0:0:0::/64'],
	['::1', '0:0:0:0::/64'],
	['::ffff:192.0.2.1', '::ffff:c000:201'],
	['192.0.2.1:1000', '192.0.2.1'],
	['[2001:db8::9]:443', '2001:db8:0:0::/64'],
	['[2001:db8::9]', '2001:db8:0:0::/64'],
	['in-process', 'in-process'],
])('%s is counted as %s', (address, network) => {
	expect(networkOf(address)).toBe(network);
});
